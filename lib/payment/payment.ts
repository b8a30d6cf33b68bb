import type { BillStatus, BillType } from '../bill/bill.ts';
import type { BillId, MerchantId, PaymentId, ShopId } from '../ids.ts';
import type { FeeSchedule } from '../money/fee.ts';
import type { BalanceCurrency, Money } from '../money/money.ts';
import type { AfterCapture } from './after-capture.ts';
import type { DeclineReason, PaymentMethod, ReceiptState } from './acquirer.ts';
import type { Call } from './call.ts';
import type { ReceiptTerms } from './receipt.ts';

/** A payment is never NEW: it exists from the moment the payer is sent to the acquirer. */
export type PaymentStatus = Exclude<BillStatus, 'NEW'>;

/** The rate at which a payment settles to a balance; fixed when the payment starts. */
export type Settlement = {
  readonly currency: BalanceCurrency;
  readonly numerator: bigint;
  readonly denominator: bigint;
};

/** The rolling reserve that a merchant's terms ask for; fixed when the payment starts. */
export type ReserveTerms = { readonly basisPoints: number; readonly days: number };

/** What a capture reserved of the merchant's money, in the currency of its settlement, and when it becomes available. */
export type Reserve = {
  readonly minor: bigint;
  readonly currency: BalanceCurrency;
  readonly releaseAt: Date;
  readonly released: boolean;
};

/** What the refunds of a paid payment take of it. */
export type RefundTotals = {
  /** Of all refunds that have not failed, in the bill's currency. */
  readonly reservedMinor: bigint;
  /** What these cost: the merchant's debits and the fees returned, in the currency of the settlement. */
  readonly grossMinor: bigint;
  /** The fees returned among it. */
  readonly feeMinor: bigint;
  /** Of the refunds that have succeeded, in the bill's currency. */
  readonly refundedMinor: bigint;
};

/** How a person may resolve a payment in place of the acquirer: captured, or none of its money was kept. */
export const handOutcomes = ['captured', 'failed'] as const;
export type HandOutcome = (typeof handOutcomes)[number];

/** Who resolved a payment by hand, and on what evidence. */
export type PaymentDecision = {
  readonly verdict: HandOutcome;
  /** The id of the decision, by which carrying it out again is recognised. */
  readonly id: string | undefined;
  readonly by: string;
  /** The second person, needed where the acquirer did not confirm the outcome. */
  readonly approvedBy: string | undefined;
  readonly reason: string;
  readonly at: Date;
};

/** A failure that is not final at the acquirer is queried a day and a week later. */
export const lateQueries = ['day', 'week'] as const;
export type LateQuery = (typeof lateQueries)[number];

/** One attempt to pay a bill. Amounts are in the bill's currency. */
export type Payment = {
  readonly id: PaymentId;
  readonly billId: BillId;
  readonly billType: BillType;
  readonly merchantId: MerchantId;
  readonly shopId: ShopId;
  readonly status: PaymentStatus;
  readonly phase: PaymentPhase;
  /** The acquirer it was sent to; no other knows it. Absent in payments stored before this field existed. */
  readonly acquirer: string | undefined;
  readonly method: PaymentMethod;
  /** Two steps: paying authorises, and the capture follows. */
  readonly holds: boolean;
  /** Until when its page can be paid. */
  readonly payableUntil: Date;
  /** The acquirer's id of the order; undefined while no answer has named it. */
  readonly reference: string | undefined;
  /** What `start` sends and the payment does not say, encrypted; removed when the payment is DONE. */
  readonly startRequest: string | undefined;
  readonly startCall: Call;
  readonly captureCall: Call | undefined;
  readonly cancelCall: Call | undefined;
  readonly refundCall: Call | undefined;
  /** The bill's amount. */
  readonly amount: Money;
  /** The fee that the payer pays on top of the bill's amount; 0n unless payer_pays_commission. */
  readonly surchargeMinor: bigint;
  readonly payerPaysCommission: boolean;
  readonly fee: FeeSchedule;
  readonly settlement: Settlement;
  /** Absent without a reserve, and in payments of earlier versions. */
  readonly reserveTerms: ReserveTerms | undefined;
  readonly receivedMinor: bigint | undefined;
  readonly feeMinor: bigint | undefined;
  /** Written with the capture; absent where it reserved nothing. */
  readonly reserve: Reserve | undefined;
  /** Written by refunds alone (lib/refund); absent before the first, and in payments of earlier versions. */
  readonly refunds: RefundTotals | undefined;
  /** What the acquirer kept of the capture, in the bill's currency; absent while it has not told. */
  readonly providerFeeMinor: bigint | undefined;
  /** First six and last four digits, as the acquirer returned them. */
  readonly fromCard: string | undefined;
  /** The payer's bank, as the acquirer named it; absent where it did not, and in payments of earlier versions. */
  readonly accountBank: string | undefined;
  /** The acquirer's code for a refusal; for the operator, never shown to the payer. */
  readonly outcome: string | undefined;
  /** Why the acquirer declined it or the payer did not pay, from the closed list; absent for other failures and in payments of earlier versions. */
  readonly declineReason: DeclineReason | undefined;
  /** The hash of the cookie of the browser that started it; absent for one without cookies. */
  readonly browserHash: string | undefined;
  /** The URL of the card page, encrypted; removed when the payment leaves AUTHORIZING. */
  readonly cardPage: string | undefined;
  /** When a payer's visit last caused a query to the acquirer. */
  readonly askedAt: Date | undefined;
  /** A keyed hash of the payer's network, by which failed attempts are counted. */
  readonly payerHash: string | undefined;
  readonly orderId: string | undefined;
  readonly custom: string | undefined;
  /** Until when the payer's contact is stored that belongs to this payment; undefined when it has none of its own. */
  readonly contactUntil: Date | undefined;
  /** The values of its fiscal receipts, as its start sent them; undefined: it has none, like payments of earlier versions. */
  readonly receiptTerms: ReceiptTerms | undefined;
  /** The registration of the receipt of what was captured; undefined while nothing is, and without receipts. */
  readonly receipt: ReceiptState | undefined;
  /** The registration of the receipt of its refund; undefined while it was not refunded by us, and without receipts. */
  readonly refundReceipt: ReceiptState | undefined;
  readonly createdAt: Date;
  /** The number of due checks made so far; it selects the pause before the next. */
  readonly checks: number;
  /** When the shop first accepted the postback of the outcome; absent until then. */
  readonly deliveredAt: Date | undefined;
  /** When the next check is due; absent in phase DONE, unless a late query or a task after the capture is due. */
  readonly nextCheck: Date | undefined;
  /** Of a failure that is not final at the acquirer: which of its two late queries is the next. */
  readonly lateQuery: LateQuery | undefined;
  /** What it waits for after the capture; absent when it waits for nothing, and in payments of earlier versions. */
  readonly afterCapture: AfterCapture | undefined;
  /** Decisions made by hand, oldest first. */
  readonly decisions: readonly PaymentDecision[] | undefined;
};

export const paymentPhases = ['AUTHORIZING', 'CAPTURING', 'VOIDING', 'REFUNDING', 'DONE'] as const;
/** What the payment waits for. */
export type PaymentPhase = (typeof paymentPhases)[number];

/** The transitions of a payment's phase. */
export const phaseMoves: Readonly<Record<PaymentPhase, readonly PaymentPhase[]>> = {
  AUTHORIZING: ['CAPTURING', 'VOIDING', 'REFUNDING', 'DONE'],
  // To VOIDING by hand only.
  CAPTURING: ['VOIDING', 'REFUNDING', 'DONE'],
  VOIDING: ['REFUNDING', 'DONE'],
  REFUNDING: ['DONE'],
  // Late money only: the acquirer authorised or captured a failed payment. Its status stays FAIL.
  DONE: ['VOIDING', 'REFUNDING'],
};

export const isFinalPayment = (payment: Pick<Payment, 'status'>): boolean => payment.status !== 'PROCESS';
/** Whether something is still open at the acquirer. True also for a failed payment while its void or refund is open. */
export const awaitsAcquirer = (payment: Pick<Payment, 'phase'>): boolean => payment.phase !== 'DONE';
export const isPaid = (payment: Pick<Payment, 'status'>): boolean =>
  isFinalPayment(payment) && payment.status !== 'FAIL';

/** Whether money was received for a failed payment (captured late or twice), so that it is refunded. */
export const isToBeRefunded = ({
  status,
  receivedMinor,
}: Pick<Payment, 'status' | 'receivedMinor'>): boolean => status === 'FAIL' && receivedMinor !== undefined;

/** Returns what the payer is charged: the bill's amount, plus the fee when the payer pays it. */
export const chargeMinor = (payment: Pick<Payment, 'amount' | 'surchargeMinor'>): bigint =>
  payment.amount.minor + payment.surchargeMinor;

/** Returns SUCCESS when exactly the charge was received, otherwise UNDERPAID or OVERPAID. */
export function statusOfReceipt(receivedMinor: bigint, charge: bigint): 'SUCCESS' | 'UNDERPAID' | 'OVERPAID' {
  if (receivedMinor === charge) return 'SUCCESS';
  return receivedMinor < charge ? 'UNDERPAID' : 'OVERPAID';
}
