import type { PaymentId, RefundId } from '../ids.ts';
import type { Acquirer, ReceiptState } from './acquirer.ts';
import type { AfterCapture, AfterCaptureTasks } from './after-capture.ts';
import { callKey } from './call.ts';
import type { OrderView } from './next-step.ts';
import type { Payment } from './payment.ts';
import { knownOrderOf } from './start-order.ts';

/** What a receipt is about. The values are stored. */
export const receiptSubjects = ['capture', 'refund'] as const;
export type ReceiptSubject = (typeof receiptSubjects)[number];

/** A receipt that is not registered at the tax service: it failed, or is still pending after the last check. A person makes it. */
export type UnregisteredReceipt = {
  readonly paymentId: PaymentId;
  /** The refund of a paid payment that it is of; undefined: it is of the payment's capture, or of the refund of its duplicate capture. */
  readonly refundId: RefundId | undefined;
  readonly of: ReceiptSubject;
  readonly state: Exclude<ReceiptState, 'registered'>;
  /** When this was noticed. */
  readonly at: Date;
  /** Who dealt with it; undefined while it waits for a person. */
  readonly closed: ClosedReceipt | undefined;
};

/** What identifies a receipt. */
export type ReceiptName = Pick<UnregisteredReceipt, 'paymentId' | 'refundId' | 'of'>;

/** A person's word that nothing more is to be done about a receipt. `id` is the decision's. */
type ClosedReceipt = {
  readonly id: string;
  readonly by: string;
  readonly reason: string;
  readonly at: Date;
};

export interface UnregisteredReceipts {
  find(about: ReceiptName): Promise<UnregisteredReceipt | undefined>;
  /** Those that wait for a person, or those that are closed; oldest first. */
  list(which?: 'open' | 'closed'): Promise<readonly UnregisteredReceipt[]>;
  /** On condition that it is open. Returns whether it was closed. */
  close(receipt: UnregisteredReceipt, closed: ClosedReceipt): Promise<boolean>;
}

/**
 * Returns the registration of a captured payment's receipt; undefined for payments without receipts. One that the acquirer does not tell
 * is followed as pending.
 */
export function receiptIn(
  { receiptTerms }: Pick<Payment, 'receiptTerms'>,
  view: OrderView,
): ReceiptState | undefined {
  if (!receiptTerms) return undefined;
  return (view.state === 'captured' ? view.receipt : undefined) ?? 'pending';
}

export const receiptTask = (state: ReceiptState | undefined): 'due' | undefined =>
  state === undefined || state === 'registered' ? undefined : 'due';

/** What a refund adds to what the payment waits for: its own receipt is registered later. */
export const withRefundReceipt = (payment: Payment): Pick<Payment, 'refundReceipt'> => ({
  refundReceipt: payment.receiptTerms && payment.refundCall ? 'pending' : undefined,
});

/** Reads the refund of a payment for the registration of its receipt; undefined: the acquirer has no refund of ours. */
export async function refundReceiptAt(
  acquirer: Acquirer,
  payment: Payment,
): Promise<ReceiptState | undefined> {
  const { id, refundCall } = payment;
  if (!refundCall) return undefined;
  const refund = await acquirer.findRefund(knownOrderOf(payment), callKey(id, 'refund', refundCall));
  if (!refund || refund.state === 'rejected') return undefined;
  return (refund.state === 'succeeded' ? refund.receipt : undefined) ?? 'pending';
}

type Followed = Pick<Payment, 'id' | 'receipt' | 'refundReceipt'>;

/** The receipts that a check gives up: a failed one at once, a pending one with the last check. */
export function givenUp(
  payment: Followed,
  tasks: AfterCapture,
  left: AfterCapture | undefined,
  at: Date,
): readonly UnregisteredReceipt[] {
  const receipts = [
    { of: 'capture', task: tasks.receipt, stays: left?.receipt, state: payment.receipt },
    { of: 'refund', task: tasks.refundReceipt, stays: left?.refundReceipt, state: payment.refundReceipt },
  ] as const;
  return receipts.flatMap(({ of, task, stays, state }) =>
    task && !stays && state && state !== 'registered'
      ? [{ paymentId: payment.id, refundId: undefined, of, state, at, closed: undefined }]
      : [],
  );
}

/** The receipts that are followed further: those that are pending. */
export const receiptTasksLeft = (
  { receipt, refundReceipt }: Followed,
  tasks: AfterCaptureTasks,
): Pick<AfterCaptureTasks, 'receipt' | 'refundReceipt'> => ({
  receipt: receipt === 'pending' ? tasks.receipt : undefined,
  refundReceipt: refundReceipt === 'pending' ? tasks.refundReceipt : undefined,
});
