import type { BillId, MerchantId, PaymentId, ShopId } from '../ids.ts';
import type { Money } from '../money/money.ts';
import type { LineItem } from './line-items.ts';
import type { BillOptions } from './options.ts';

/** The statuses of a bill (contract 3). */
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
  /** What it is for, line by line; their sum is the amount. */
  readonly items: readonly LineItem[] | undefined;
  /** Undefined: it has none, like bills of earlier versions. */
  readonly options: BillOptions | undefined;
  /** Whether it came with a contact of the payer, which is stored in an item of its own until it is erased (contact.ts). */
  readonly hasContact: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date | undefined;
};

/** A bill that is paid once: the payment that holds it locks out other payers. */
export type NormalBill = AnyBill & {
  readonly type: 'NORMAL';
  /** The payment that holds the bill, or the last one that did. */
  readonly current: PaymentId | undefined;
  /** When the current payment's lock expires. Absent while in PROCESS: the bill is held until the payment has ended. */
  readonly lockUntil: Date | undefined;
  /** The capture of the current payment was requested: no other payment may take over. */
  readonly fenced: boolean;
  /** The payment that finished the bill. */
  readonly paidBy: PaymentId | undefined;
  /** How many attempts failed. */
  readonly failures: number;
};

/** A bill that many payers pay at the same time: it has no lock and never finishes. */
export type MultiBill = AnyBill & { readonly type: 'MULTI' };

export type Bill = NormalBill | MultiBill;

/** The number of failures after which a bill accepts no further attempt: a limit for card testing. */
export const mostFailuresOfBill = 10;

/** How long one payer's lock on a NORMAL bill lasts. */
export const lockMinutes = 15;

/** The transitions of a NORMAL bill. A FAIL bill may be retried with another card; the last three are final. */
export const billMoves: Readonly<Record<BillStatus, readonly BillStatus[]>> = {
  NEW: ['PROCESS', 'FAIL'],
  PROCESS: ['PROCESS', 'FAIL', 'SUCCESS', 'UNDERPAID', 'OVERPAID'],
  FAIL: ['PROCESS', 'SUCCESS', 'UNDERPAID', 'OVERPAID'],
  SUCCESS: [],
  UNDERPAID: [],
  OVERPAID: [],
};

/** Returns the statuses from which a bill may move to `to`. */
export const billStatusesBefore = (to: BillStatus): readonly BillStatus[] =>
  billStatuses.filter((from) => billMoves[from].includes(to));

/** Whether a NORMAL bill has received its one payment. A MULTI bill never finishes. */
export const isFinished = (bill: Bill): boolean => bill.type === 'NORMAL' && bill.paidBy !== undefined;

const isExpired = (bill: Bill, now: Date): boolean => bill.expiresAt !== undefined && bill.expiresAt <= now;

/** Returns the payment that a NORMAL bill is waiting for. */
export const paymentUnderWay = (
  bill: Pick<NormalBill, 'type' | 'status' | 'current'> | Pick<MultiBill, 'type'>,
): PaymentId | undefined => (bill.type === 'NORMAL' && bill.status === 'PROCESS' ? bill.current : undefined);

/** Whether a payment in progress locks out other payers. */
export const isHeld = ({ status, fenced, lockUntil }: NormalBill, now: Date): boolean =>
  status === 'PROCESS' && (fenced || lockUntil === undefined || lockUntil > now);

export type NotPayable = 'paid' | 'switched_off' | 'expired' | 'too_many_failures';

/** Returns why no new payment may start on this bill; undefined when one may, unless another payment holds the bill. */
export function whyNotPayable(bill: Bill, now: Date): NotPayable | undefined {
  if (isFinished(bill)) return 'paid';
  if (!bill.active) return 'switched_off';
  if (isExpired(bill, now)) return 'expired';
  if (bill.type === 'NORMAL' && bill.failures >= mostFailuresOfBill) return 'too_many_failures';
  return undefined;
}

/**
 * Returns the bill as merchants and operators see it: an expired bill is not active, and one that was never paid has
 * failed, even if neither has been stored yet.
 */
export function billAsShown(bill: Bill, now: Date): Bill {
  if (!isExpired(bill, now)) return bill;
  return { ...bill, active: false, status: bill.status === 'NEW' ? 'FAIL' : bill.status };
}
