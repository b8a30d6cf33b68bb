import { type Contact, contactEndAfter, openContact, type SealedContact } from '../bill/contact.ts';
import type { Contacts } from '../bill/ports.ts';
import type { Opener } from '../merchant/ports.ts';
import type { RefundId } from '../ids.ts';
import { isFinalPayment, type Payment } from './payment.ts';
import type { PaymentWithBill } from './ports.ts';

export type ContactPorts = { readonly contacts: Contacts; readonly contactOpener: Opener };

/** A payment whose money moves, and the refund that moves it, which may have come with a contact of its own. */
export type ContactOwner = PaymentWithBill & {
  readonly refund?: { readonly id: RefundId; readonly contactUntil: Date | undefined };
};

/**
 * Returns the payer's contact: the refund's own, or else the payment's own, which was given on the payment page or copied at its start, or
 * else its bill's. Undefined when there is none, or when it has been erased.
 */
export async function sealedContactOf(
  contacts: Contacts,
  { payment, bill, refund }: ContactOwner,
): Promise<SealedContact | undefined> {
  const own = refund?.contactUntil === undefined ? undefined : await contacts.find(bill.id, refund.id);
  if (own) return own;
  if (payment.contactUntil !== undefined) return contacts.find(bill.id, payment.id);
  return bill.hasContact ? contacts.find(bill.id) : undefined;
}

/** Decrypts the same; undefined also when it was sealed for another bill. */
export async function contactOf(
  { contacts, contactOpener }: ContactPorts,
  owner: ContactOwner,
): Promise<Contact | undefined> {
  const sealed = await sealedContactOf(contacts, owner);
  return sealed && openContact(contactOpener, sealed, owner.bill.id);
}

/** The end of the payment's own contact from its first final state on. Late money does not prolong it, nor restore what was erased. */
export const contactEnd = (payment: Payment, finalAt: Date): Pick<Payment, 'contactUntil'> => ({
  contactUntil:
    payment.contactUntil === undefined || payment.contactUntil <= finalAt || isFinalPayment(payment)
      ? payment.contactUntil
      : contactEndAfter(finalAt),
});
