import type { Bill } from '../bill/bill.ts';
import { type Contact, noContact, openContact, parseContact } from '../bill/contact.ts';
import { customerOf } from './compose-receipt.ts';
import type { ContactPorts } from './contact.ts';
import type { Receipt, ReceiptTerms } from './receipt.ts';

/** What the payment page asks the payer for, to send the receipt to. */
export type AskedContact = 'email' | 'email_or_phone';

/**
 * Returns what the payment page asks for before a payment with these receipts; undefined: nothing, because no receipt is sent or the
 * bill came with a contact that it can be sent to. `known`: the masks of that contact.
 */
export function askedContact(
  terms: ReceiptTerms | undefined,
  known: Contact | undefined,
): AskedContact | undefined {
  if (!terms || customerOf(terms, known)) return undefined;
  return terms.emailOnly ? 'email' : 'email_or_phone';
}

/** Why the payer is asked again. */
export type ContactTrouble = 'contact_missing' | 'contact_unreadable';

type PayerContact =
  | {
      readonly kind: 'known';
      readonly customer: Receipt['customer'];
      /** What the payer gave on the page, to be stored with the payment; undefined: the bill's contact was used. */
      readonly given: Contact | undefined;
    }
  | { readonly kind: ContactTrouble };

/** Returns where the receipt of a new payment goes: what the payer typed on the page, else the contact that came with the bill. */
export async function payerContact(
  { contacts, contactOpener }: ContactPorts,
  bill: Bill,
  terms: ReceiptTerms,
  typed: string,
): Promise<PayerContact> {
  const given = readTyped(typed);
  const customer = customerOf(terms, given);
  if (customer) return { kind: 'known', customer, given };
  const sealed = bill.hasContact ? await contacts.find(bill.id) : undefined;
  const ofBill = customerOf(terms, sealed && (await openContact(contactOpener, sealed, bill.id)));
  if (ofBill) return { kind: 'known', customer: ofBill, given: undefined };
  return { kind: typed.trim() === '' ? 'contact_missing' : 'contact_unreadable' };
}

/** One field takes both: an email has an @. */
const readTyped = (typed: string): Contact | undefined =>
  parseContact({ ...noContact, ...(typed.includes('@') ? { email: typed } : { phone: typed }) });
