import * as z from 'zod/mini';

/** Contract 4.8: how a payout reaches its recipient. */
export const accountTypes = ['credit_card', 'sbp'] as const;
export type AccountType = (typeof accountTypes)[number];

/**
 * Where the money goes. It exists in clear only between the request and its sealing, and between the dispatcher's
 * opening and the rail; everyone else has the mask. A stored account may lack the holder's name and the bank.
 */
export type Destination =
  | { readonly type: 'credit_card'; readonly number: string; readonly holder?: string | undefined }
  | { readonly type: 'sbp'; readonly phone: string; readonly bankId?: number | undefined };

const sealedForm = z.discriminatedUnion('type', [
  z.object({ type: z.literal('credit_card'), number: z.string(), holder: z.optional(z.string()) }),
  z.object({ type: z.literal('sbp'), phone: z.string(), bankId: z.optional(z.number()) }),
]);

/** The text that is sealed. */
export const destinationText = (destination: Destination): string => JSON.stringify(destination);

/** Reads what `destinationText` wrote, once it was opened. */
export const readDestination = (text: string): Destination => sealedForm.parse(JSON.parse(text));

const phoneMask = (phone: string): string =>
  `${phone.slice(0, 1)}${'*'.repeat(Math.max(phone.length - 5, 6))}${phone.slice(-4)}`;

/** Masks of phones were once stored with eight digits of eleven: only the ones that are shown today leave the store. */
export const shownMask = (stored: string): string =>
  /^\d{4}\*{3}\d{4}$/.test(stored) ? phoneMask(stored) : stored;

/** The account itself, whatever else was said about it: what makes two requests go to the same place. */
export const accountText = (destination: Destination): string =>
  destination.type === 'credit_card'
    ? `credit_card:${destination.number}`
    : `sbp:${destination.phone}:${destination.bankId ?? ''}`;

/** The number alone, at whatever bank: what a ban of a stored account is about. */
export const numberText = (destination: Destination): string =>
  destination.type === 'credit_card' ? `credit_card:${destination.number}` : `sbp:${destination.phone}`;

/** First six and last four of a card; the country code and last four of a phone. For everyone but the rail. */
export function maskOf(destination: Destination): string {
  if (destination.type === 'sbp') return phoneMask(destination.phone);
  const { number } = destination;
  return `${number.slice(0, 6)}${'*'.repeat(Math.max(number.length - 10, 0))}${number.slice(-4)}`;
}
