import type { BillId, MerchantId, PaymentId, ShopId } from '../ids.ts';
import type { Money } from '../money/money.ts';

/** Contract 3. */
export const billStatuses = ['NEW', 'PROCESS', 'UNDERPAID', 'SUCCESS', 'OVERPAID', 'FAIL'] as const;
export type BillStatus = (typeof billStatuses)[number];

export const billTypes = ['NORMAL', 'MULTI'] as const;
export type BillType = (typeof billTypes)[number];

type AnyBill = {
  readonly id: BillId;
  readonly merchantId: MerchantId;
  readonly shopId: ShopId;
  readonly status: BillStatus;
  readonly active: boolean;
  readonly amount: Money;
  readonly payerPaysCommission: boolean;
  readonly orderId: string | undefined;
  readonly description: string | undefined;
  /** The purpose of payment, shown to the payer. */
  readonly name: string | undefined;
  readonly custom: string | undefined;
  readonly createdAt: Date;
  readonly expiresAt: Date | undefined;
};

/** Is paid once: the payment that holds it keeps other payers out. */
export type NormalBill = AnyBill & {
  readonly type: 'NORMAL';
  /** The payment that holds the bill, or held it last. */
  readonly current: PaymentId | undefined;
  /** Until when the current payment keeps others out. */
  readonly lockUntil: Date | undefined;
  /** The capture of the current payment was requested: no other payment may take over. */
  readonly fenced: boolean;
  /** The payment that finished the bill. */
  readonly paidBy: PaymentId | undefined;
  /** How many attempts failed. */
  readonly failures: number;
};

/** Is paid by many, who do not wait for each other: it has no lock and never finishes. */
export type MultiBill = AnyBill & { readonly type: 'MULTI' };

export type Bill = NormalBill | MultiBill;

/** A bill that failed this often takes no further attempt: card testers would go on. */
export const mostFailuresOfBill = 10;

/** How long one payer keeps a NORMAL bill to themselves. */
export const lockMinutes = 15;

/** The moves of a NORMAL bill. A FAIL bill may be tried again with another card; the last three are final. */
export const billMoves: Readonly<Record<BillStatus, readonly BillStatus[]>> = {
  NEW: ['PROCESS', 'FAIL'],
  PROCESS: ['PROCESS', 'FAIL', 'SUCCESS', 'UNDERPAID', 'OVERPAID'],
  FAIL: ['PROCESS', 'SUCCESS', 'UNDERPAID', 'OVERPAID'],
  SUCCESS: [],
  UNDERPAID: [],
  OVERPAID: [],
};

/** The statuses that a bill may be in just before it moves to `to`. */
export const billStatusesBefore = (to: BillStatus): readonly BillStatus[] =>
  billStatuses.filter((from) => billMoves[from].includes(to));

/** A NORMAL bill that took its one payment. A MULTI bill never finishes. */
export const isFinished = (bill: Bill): boolean => bill.type === 'NORMAL' && bill.paidBy !== undefined;

const isExpired = (bill: Bill, now: Date): boolean => bill.expiresAt !== undefined && bill.expiresAt <= now;

/** The payment that a NORMAL bill is waiting for. */
export const paymentUnderWay = (
  bill: Pick<NormalBill, 'type' | 'status' | 'current'> | Pick<MultiBill, 'type'>,
): PaymentId | undefined => (bill.type === 'NORMAL' && bill.status === 'PROCESS' ? bill.current : undefined);

/** A payment is under way and keeps other payers out. */
export const isHeld = (bill: NormalBill, now: Date): boolean =>
  bill.status === 'PROCESS' && (bill.fenced || (bill.lockUntil !== undefined && bill.lockUntil > now));

export type NotPayable = 'paid' | 'switched_off' | 'expired' | 'too_many_failures';

/** Why no new payment may start on this bill; undefined when one may (if nobody holds it). */
export function whyNotPayable(bill: Bill, now: Date): NotPayable | undefined {
  if (isFinished(bill)) return 'paid';
  if (!bill.active) return 'switched_off';
  if (isExpired(bill, now)) return 'expired';
  if (bill.type === 'NORMAL' && bill.failures >= mostFailuresOfBill) return 'too_many_failures';
  return undefined;
}

/**
 * The bill as merchants and operators are shown it: once its time is over it is not active, and an unpaid one has
 * failed, whether or not that was written down yet.
 */
export function billAsShown(bill: Bill, now: Date): Bill {
  if (!isExpired(bill, now)) return bill;
  return { ...bill, active: false, status: bill.status === 'NEW' ? 'FAIL' : bill.status };
}
