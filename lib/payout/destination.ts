import * as z from 'zod/mini';

/** How a payout reaches its recipient (contract 4.8). */
export const accountTypes = ['credit_card', 'sbp'] as const;
export type AccountType = (typeof accountTypes)[number];

/**
 * Where the money goes. It exists in the clear only from the request until it is sealed, and from the dispatcher's
 * decryption until the call to the rail; all other code has the mask. A stored account may lack the holder or the bank.
 */
export type Destination =
  | { readonly type: 'credit_card'; readonly number: string; readonly holder: string | undefined }
  | { readonly type: 'sbp'; readonly phone: string; readonly bankId: number | undefined };

const sealedForm = z.discriminatedUnion('type', [
  z.object({ type: z.literal('credit_card'), number: z.string(), holder: z.optional(z.string()) }),
  z.object({ type: z.literal('sbp'), phone: z.string(), bankId: z.optional(z.number()) }),
]);

/** Serializes a destination for sealing. */
export const destinationText = (destination: Destination): string => JSON.stringify(destination);

/** Parses the decrypted text of `destinationText`. */
export function readDestination(text: string): Destination {
  const sealed = sealedForm.parse(JSON.parse(text));
  return sealed.type === 'credit_card'
    ? { ...sealed, holder: sealed.holder }
    : { ...sealed, bankId: sealed.bankId };
}

const phoneMask = (phone: string): string =>
  `${phone.slice(0, 1)}${'*'.repeat(Math.max(phone.length - 5, 6))}${phone.slice(-4)}`;

/** Shortens phone masks that an earlier version stored with eight of eleven digits, so that none leaves the store. */
export const shownMask = (stored: string): string =>
  /^\d{4}\*{3}\d{4}$/.test(stored) ? phoneMask(stored) : stored;

/** Identifies the account without the holder's name: equal for two requests that pay the same account. */
export const accountText = (destination: Destination): string =>
  destination.type === 'credit_card'
    ? `credit_card:${destination.number}`
    : `sbp:${destination.phone}:${destination.bankId ?? ''}`;

/** Identifies the number alone, whatever its bank: a ban of a stored account applies to its number. */
export const numberText = (destination: Destination): string =>
  destination.type === 'credit_card' ? `credit_card:${destination.number}` : `sbp:${destination.phone}`;

/** First six and last four digits of a card; country code and last four digits of a phone. */
export function maskOf(destination: Destination): string {
  if (destination.type === 'sbp') return phoneMask(destination.phone);
  const { number } = destination;
  return `${number.slice(0, 6)}${'*'.repeat(Math.max(number.length - 10, 0))}${number.slice(-4)}`;
}
