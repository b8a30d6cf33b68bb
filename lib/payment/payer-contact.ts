import type { Bill } from '../bill/bill.ts';
import {
  type Contact,
  noContact,
  openContact,
  parseComment,
  parseContact,
  parseEmail,
  parseMobile,
  parsePayerName,
} from '../bill/contact.ts';
import type { Askable } from '../bill/options.ts';
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

/** What the bill has the payer asked besides. What it came with is not asked again. `known`: the masks of its contact. */
export const askedFields = (
  { options }: Pick<Bill, 'options'>,
  known: Contact | undefined,
): readonly Askable[] => (options?.asks ?? []).filter((field) => known?.[field] === undefined);

/** Whether one of the fields that must be filled in takes what the receipt can be sent to. */
export const isCoveredBy = (asked: AskedContact, fields: readonly Askable[]): boolean =>
  fields.includes('email') || (asked === 'email_or_phone' && fields.includes('phone'));

/** What the payer typed, by field. `contact`: into the field for the receipt. */
export type Typed = Readonly<Partial<Record<Askable | 'contact', string>>>;

/** Why the payer is asked again: for what the receipt needs, or for what the bill asks. */
export type ContactTrouble = 'contact_missing' | 'contact_unreadable' | 'fields_wrong';
/** What is wrong with a field. */
type FieldTrouble = 'missing' | 'unreadable';
export type FieldTroubles = Readonly<Partial<Record<Askable | 'contact', FieldTrouble>>>;

type PayerContact =
  | {
      readonly kind: 'known';
      /** Where the receipt goes; undefined: the acquirer sends none. */
      readonly customer: Receipt['customer'] | undefined;
      /** What is stored with the payment: what the payer gave on the page, with the rest of the bill's; undefined: nothing was given. */
      readonly given: Contact | undefined;
    }
  | { readonly kind: Exclude<ContactTrouble, 'fields_wrong'> }
  | { readonly kind: 'fields_wrong'; readonly troubles: FieldTroubles };

/**
 * Returns what is known of the payer of a new payment: what they typed on the page, and else the contact that came with the bill.
 * `terms`: of the receipts that are sent with the payment, which need an address; undefined: none.
 */
export async function payerContact(
  { contacts, contactOpener }: ContactPorts,
  bill: Bill,
  terms: ReceiptTerms | undefined,
  typed: Typed,
): Promise<PayerContact> {
  if (!terms && !bill.options?.asks) return { kind: 'known', customer: undefined, given: undefined };
  const sealed = bill.hasContact ? await contacts.find(bill.id) : undefined;
  const asked = askedFields(bill, sealed?.masks);
  const answers = readAnswers(asked, typed);
  const reached = terms && readTyped(typed.contact ?? '');
  const isGiven = reached !== undefined || Object.values(answers.read).some((each) => each !== undefined);
  const ofBill =
    sealed && (isGiven || (terms && !customerOf(terms, reached)))
      ? await openContact(contactOpener, sealed, bill.id)
      : undefined;
  // An address for the receipt replaces those of the bill, which it was asked in place of.
  const base = reached ? { ...noContact, name: ofBill?.name, ...definedIn(reached) } : (ofBill ?? noContact);
  const all = { ...base, ...definedIn(answers.read) };
  const customer = terms && customerOf(terms, all);
  const contactTrouble: FieldTrouble | undefined =
    terms && !customer ? ((typed.contact ?? '').trim() === '' ? 'missing' : 'unreadable') : undefined;
  if (Object.keys(answers.troubles).length > 0) {
    const isAsked = terms && !isCoveredBy(terms.emailOnly ? 'email' : 'email_or_phone', asked);
    const own = isAsked && contactTrouble ? { contact: contactTrouble } : {};
    return { kind: 'fields_wrong', troubles: { ...own, ...answers.troubles } };
  }
  if (contactTrouble) return { kind: `contact_${contactTrouble}` };
  return { kind: 'known', customer, given: isGiven ? all : undefined };
}

const readers: Readonly<Record<Askable, (text: string) => string | undefined>> = {
  email: parseEmail,
  phone: parseMobile,
  name: parsePayerName,
  comment: parseComment,
};

/** Reads what the payer answered. All must be filled in but the comment. Fields that are not asked are not read. */
function readAnswers(asked: readonly Askable[], typed: Typed) {
  const read: Partial<Record<Askable, string>> = {};
  const troubles: Partial<Record<Askable, FieldTrouble>> = {};
  for (const field of asked) {
    const text = typed[field] ?? '';
    const value = readers[field](text);
    if (value !== undefined) read[field] = value;
    else if (text.trim() !== '') troubles[field] = 'unreadable';
    else if (field !== 'comment') troubles[field] = 'missing';
  }
  return { read, troubles };
}

const definedIn = (some: Partial<Contact>): Partial<Contact> =>
  Object.fromEntries(Object.entries(some).filter(([, value]) => value !== undefined));

/** One field takes both: an email has an @. */
const readTyped = (typed: string): Contact | undefined =>
  parseContact({ ...noContact, ...(typed.includes('@') ? { email: typed } : { phone: typed }) });
