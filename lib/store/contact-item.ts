import * as z from 'zod/mini';
import { type SealedContact, contactEndAfter, contactEndOf } from '../bill/contact.ts';
import type { Bill } from '../bill/bill.ts';
import type { BillId, PaymentId, RefundId } from '../ids.ts';
import type { Payment } from '../payment/payment.ts';
import { orAbsent } from './attributes.ts';
import type { Table } from './table.ts';
import type { TransactionStep } from './transact.ts';

/** The payer's contact: of a bill, and of each payment or refund that has one of its own. Erased by TTL. */
export const contactKey = (billId: BillId, ownerId?: PaymentId | RefundId) =>
  ({ PK: `CONTACT#${billId}`, SK: ownerId ?? 'bill' }) as const;

const item = z.object({
  sealed: orAbsent(z.string()),
  emailMask: orAbsent(z.string()),
  phoneMask: orAbsent(z.string()),
  nameMask: orAbsent(z.string()),
  commentMask: orAbsent(z.string()),
  ttl: z.number(),
});

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);

/** Returns the contact; undefined when it has expired. DynamoDB may delete an expired item days later. */
export function toSealedContact(raw: unknown, now: Date): SealedContact | undefined {
  const { sealed, emailMask, phoneMask, nameMask, commentMask, ttl } = item.parse(raw);
  // Without text: the end of a contact was written after DynamoDB had erased it.
  if (sealed === undefined || ttl * 1000 <= now.getTime()) return undefined;
  const masks = { email: emailMask, phone: phoneMask, name: nameMask, comment: commentMask };
  return { sealed, masks, until: new Date(ttl * 1000) };
}

type Owner = { readonly billId: BillId; readonly ownerId?: PaymentId | RefundId };

/** The step that stores a new bill's or payment's contact, together with it. */
export const putContact = (
  { name: TableName }: Table,
  { billId, ownerId }: Owner,
  { sealed, masks, until }: SealedContact,
): TransactionStep => {
  const attributes = {
    sealed,
    emailMask: masks.email,
    phoneMask: masks.phone,
    nameMask: masks.name,
    commentMask: masks.comment,
    ttl: seconds(until),
  };
  return { write: { Put: { TableName, Item: { ...contactKey(billId, ownerId), ...attributes } } } };
};

const keepContact = (
  { name: TableName }: Table,
  { billId, ownerId }: Owner,
  until: Date,
): TransactionStep => ({
  write: {
    Update: {
      TableName,
      Key: contactKey(billId, ownerId),
      UpdateExpression: 'SET #ttl = :ttl',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':ttl': seconds(until) },
    },
  },
});

/** The step that sets the end of a payment's contact, in a transition that changes it. Other payments cost nothing. */
export const endPaymentContact = (
  table: Table,
  before: Payment,
  { id, billId, contactUntil }: Payment,
): readonly TransactionStep[] =>
  contactUntil === undefined || contactUntil.getTime() === before.contactUntil?.getTime()
    ? []
    : [keepContact(table, { billId, ownerId: id }, contactUntil)];

/** The step that sets the end of a paid bill's contact. A MULTI bill has none, so its payers do not contend for one item. */
export const endBillContact = (table: Table, bill: Bill, paidAt: Date): readonly TransactionStep[] =>
  bill.hasContact && contactEndOf(bill) > paidAt
    ? [keepContact(table, { billId: bill.id }, contactEndAfter(paidAt))]
    : [];
