import { type Contact, contactEndAfter, openContact } from '../bill/contact.ts';
import type { Contacts } from '../bill/ports.ts';
import type { Opener } from '../merchant/ports.ts';
import { isFinalPayment, type Payment } from './payment.ts';
import type { PaymentWithBill } from './ports.ts';

export type ContactPorts = { readonly contacts: Contacts; readonly contactOpener: Opener };

/**
 * Decrypts the payer's contact: the payment's own, which was given on the payment page or copied at its start, or else its bill's.
 * Undefined when there is none, when it has been erased, or when it was sealed for another bill.
 */
export async function contactOf(
  { contacts, contactOpener }: ContactPorts,
  { payment, bill }: PaymentWithBill,
): Promise<Contact | undefined> {
  if (payment.contactUntil === undefined && !bill.hasContact) return undefined;
  const sealed =
    payment.contactUntil === undefined
      ? await contacts.find(bill.id)
      : await contacts.find(bill.id, payment.id);
  return sealed && openContact(contactOpener, sealed, bill.id);
}

/** The end of the payment's own contact from its first final state on. Late money does not prolong it, nor restore what was erased. */
export const contactEnd = (payment: Payment, finalAt: Date): Pick<Payment, 'contactUntil'> => ({
  contactUntil:
    payment.contactUntil === undefined || payment.contactUntil <= finalAt || isFinalPayment(payment)
      ? payment.contactUntil
      : contactEndAfter(finalAt),
});
