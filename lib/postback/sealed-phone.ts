import * as z from 'zod/mini';
import type { Opener, Resealer, Sealer } from '../merchant/ports.ts';
import type { PostbackEvent } from './event.ts';

/** The KMS encryption context of the phone in a payout postback: it opens for this event alone. */
const contextOf = (eventId: string) => ({ use: 'postback-phone', event: eventId }) as const;

/** Seals the phone of a payout postback, which is stored without it. */
export const sealPhone = (sealer: Sealer, eventId: string, phone: string): Promise<string> =>
  sealer.seal(phone, contextOf(eventId));

/**
 * Seals the phone of a payout postback where the payout's destination may not be opened: the sealed text is then the whole
 * destination. `from` is the destination's own context.
 */
export const resealPhone = (
  resealer: Resealer,
  eventId: string,
  sealed: string,
  from: Readonly<Record<string, string>>,
): Promise<string> => resealer.reseal(sealed, { from, to: contextOf(eventId) });

/**
 * Returns the event as it is sent: with the phone in full in place of its mask. Events that were stored before phones were
 * sealed have it in their fields, and card numbers are only ever masked.
 */
export async function withPhone<E extends Pick<PostbackEvent, 'id' | 'fields' | 'sealedPhone'>>(
  opener: Opener,
  event: E,
): Promise<E> {
  if (event.sealedPhone === undefined) return event;
  const phone = phoneIn(await opener.open(event.sealedPhone, contextOf(event.id)), event);
  return phone === undefined ? event : { ...event, fields: { ...event.fields, AccountNumber: phone } };
}

const sbpDestination = z.object({ type: z.literal('sbp'), phone: z.string() });

/** A destination that was sealed again was never opened: only here is it compared with the mask that it is stored with. */
function phoneIn(text: string, { fields }: Pick<PostbackEvent, 'fields'>): string | undefined {
  if (!text.startsWith('{')) return text;
  const { data } = sbpDestination.safeParse(JSON.parse(text));
  return data && isMaskOf(fields['AccountNumber'] ?? '', data.phone) ? data.phone : undefined;
}

const isMaskOf = (mask: string, phone: string): boolean =>
  phone.replaceAll(/./g, (digit, at: number) => (mask[at] === '*' ? '*' : digit)) === mask;
