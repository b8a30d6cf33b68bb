import type { Opener, Sealer } from '../merchant/ports.ts';
import type { PostbackEvent } from './event.ts';

/** The KMS encryption context of the phone in a payout postback: it opens for this event alone. */
const contextOf = (eventId: string) => ({ use: 'postback-phone', event: eventId }) as const;

/** Seals the phone of a payout postback, which is stored without it. */
export const sealPhone = (sealer: Sealer, eventId: string, phone: string): Promise<string> =>
  sealer.seal(phone, contextOf(eventId));

/**
 * Returns the event as it is sent: with the phone in full in place of its mask. Events that were stored before phones were
 * sealed have it in their fields, and card numbers are only ever masked.
 */
export async function withPhone<E extends Pick<PostbackEvent, 'id' | 'fields' | 'sealedPhone'>>(
  opener: Opener,
  event: E,
): Promise<E> {
  if (event.sealedPhone === undefined) return event;
  const phone = await opener.open(event.sealedPhone, contextOf(event.id));
  return { ...event, fields: { ...event.fields, AccountNumber: phone } };
}
