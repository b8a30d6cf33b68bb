import { type Contact, openContact } from '../bill/contact.ts';
import type { Contacts } from '../bill/ports.ts';
import { billIdOf, readPaymentId } from '../ids.ts';
import type { Opener } from '../merchant/ports.ts';
import { type PostbackEvent, subjectOf } from './event.ts';

export type PayerPorts = {
  readonly contacts: Contacts;
  /** Opens payers' contacts, for extended postbacks alone. */
  readonly contactOpener: Opener;
};

/**
 * Returns what is known of the payer of an extended postback: of the payment's own contact, and of its bill's what that lacks. Read at
 * each attempt and never stored with the event, which outlives the contact: once it is erased, the fields are absent.
 */
export async function payerFields(
  { contacts, contactOpener }: PayerPorts,
  event: Pick<PostbackEvent, 'id' | 'extended'>,
): Promise<Readonly<Record<string, string>>> {
  const paymentId = event.extended && readPaymentId(subjectOf(event));
  if (paymentId === undefined) return {};
  const billId = billIdOf(paymentId);
  const sealed = await Promise.all([contacts.find(billId), contacts.find(billId, paymentId)]);
  const opened = await Promise.all(
    sealed.map(async (each) => each && openContact(contactOpener, each, billId)),
  );
  return Object.assign({}, ...opened.map((contact) => (contact ? fieldsOf(contact) : {})));
}

const fieldsOf = ({ email, phone, name, comment }: Contact): Readonly<Record<string, string>> => ({
  ...(email !== undefined && { PayerEmail: email }),
  ...(phone !== undefined && { PayerPhone: phone }),
  ...(name !== undefined && { PayerName: name }),
  ...(comment !== undefined && { PayerComment: comment }),
});
