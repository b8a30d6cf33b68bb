import type { BillStatus, BillType } from '../bill/bill.ts';
import type { BillId, MerchantId, PaymentId, ShopId } from '../ids.ts';
import type { FeeSchedule } from '../money/fee.ts';
import type { BalanceCurrency, Money } from '../money/money.ts';

/** A payment is never NEW: it exists from the moment the payer is sent to the acquirer. */
export type PaymentStatus = Exclude<BillStatus, 'NEW'>;

/** How a payment's money is turned into a balance; frozen when the payment starts. */
export type Settlement = {
  readonly currency: BalanceCurrency;
  readonly numerator: bigint;
  readonly denominator: bigint;
};

/** What a person may say of a payment in the acquirer's place: its money came in, or nothing of it was kept. */
export const handOutcomes = ['captured', 'failed'] as const;
export type HandOutcome = (typeof handOutcomes)[number];

/** Who resolved a payment by hand, and where the outcome is known from. */
export type PaymentDecision = {
  readonly verdict: HandOutcome;
  /** The decision that this carried out: carried out once more, it is known again. */
  readonly id: string | undefined;
  readonly by: string;
  /** The second person, where no provider confirmed a credit. */
  readonly approvedBy: string | undefined;
  readonly reason: string;
  readonly at: Date;
};

/** One attempt to pay a bill. Amounts are in the bill's currency. */
export type Payment = {
  readonly id: PaymentId;
  readonly billId: BillId;
  readonly billType: BillType;
  readonly merchantId: MerchantId;
  readonly shopId: ShopId;
  readonly status: PaymentStatus;
  readonly phase: PaymentPhase;
  /** The acquirer it was sent to; no other knows of it. Absent where it was not written down yet. */
  readonly acquirer: string | undefined;
  /** The bill's amount. */
  readonly amount: Money;
  /** What the payer pays on top of the bill's amount; 0n unless payer_pays_commission. */
  readonly surchargeMinor: bigint;
  readonly payerPaysCommission: boolean;
  readonly fee: FeeSchedule;
  readonly settlement: Settlement;
  readonly receivedMinor: bigint | undefined;
  readonly feeMinor: bigint | undefined;
  /** First six and last four digits, as the acquirer told them. */
  readonly fromCard: string | undefined;
  /** The acquirer's word for a refusal; for the operator, never for the payer. */
  readonly outcome: string | undefined;
  /** Of the browser that began it; absent for one that keeps no cookies. */
  readonly browserHash: string | undefined;
  /** The address of the card page, sealed; gone as soon as no card is waited for any more. */
  readonly cardPage: string | undefined;
  /** When a payer's visit last had the acquirer asked. */
  readonly askedAt: Date | undefined;
  /** A keyed hash of the payer's address, which failed attempts are counted by. */
  readonly payerHash: string | undefined;
  readonly orderId: string | undefined;
  readonly custom: string | undefined;
  readonly createdAt: Date;
  /** How often the acquirer was asked because a check was due. */
  readonly checks: number;
  /** When the shop first took the postback of the outcome; absent until it did. */
  readonly deliveredAt: Date | undefined;
  /** When it is due for the next check; absent once it is over. */
  readonly nextCheck: Date | undefined;
  /** What was resolved by hand, the oldest first. */
  readonly decisions: readonly PaymentDecision[] | undefined;
};

export const paymentPhases = ['AUTHORIZING', 'CAPTURING', 'VOIDING', 'REFUNDING', 'DONE'] as const;
/** What is being waited for. */
export type PaymentPhase = (typeof paymentPhases)[number];

/** The moves of a payment. */
export const phaseMoves: Readonly<Record<PaymentPhase, readonly PaymentPhase[]>> = {
  AUTHORIZING: ['CAPTURING', 'VOIDING', 'REFUNDING', 'DONE'],
  // To VOIDING by hand only.
  CAPTURING: ['VOIDING', 'REFUNDING', 'DONE'],
  VOIDING: ['REFUNDING', 'DONE'],
  REFUNDING: ['DONE'],
  // Only a failed payment that the acquirer took up late (T9); its status stays.
  DONE: ['VOIDING', 'REFUNDING'],
};

export const isFinalPayment = (payment: Pick<Payment, 'status'>): boolean => payment.status !== 'PROCESS';
/** Also of a failed payment, while its late void or refund is open. */
export const awaitsAcquirer = (payment: Pick<Payment, 'phase'>): boolean => payment.phase !== 'DONE';
export const isPaid = (payment: Pick<Payment, 'status'>): boolean =>
  isFinalPayment(payment) && payment.status !== 'FAIL';

/** Money that came in for a failed payment was captured late or twice. */
export const goesBack = ({ status, receivedMinor }: Pick<Payment, 'status' | 'receivedMinor'>): boolean =>
  status === 'FAIL' && receivedMinor !== undefined;

/** What the payer is charged: the bill's amount and, where they pay the fee, the fee. */
export const chargeMinor = (payment: Pick<Payment, 'amount' | 'surchargeMinor'>): bigint =>
  payment.amount.minor + payment.surchargeMinor;

/** SUCCESS when exactly the charge came in, else UNDERPAID or OVERPAID. */
export function statusOfReceipt(receivedMinor: bigint, charge: bigint): 'SUCCESS' | 'UNDERPAID' | 'OVERPAID' {
  if (receivedMinor === charge) return 'SUCCESS';
  return receivedMinor < charge ? 'UNDERPAID' : 'OVERPAID';
}
