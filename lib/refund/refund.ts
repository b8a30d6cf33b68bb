import type { BillId, MerchantId, PaymentId, RefundId, ShopId } from '../ids.ts';
import type { BalanceCurrency, Money } from '../money/money.ts';
import type { ReceiptState } from '../payment/acquirer.ts';
import type { Call } from '../payment/call.ts';

/** `NEW`: the acquirer was not called. `PROCESS`: a call was recorded. The last two are final. */
export const refundStatuses = ['NEW', 'PROCESS', 'SUCCESS', 'FAIL'] as const;
type RefundStatus = (typeof refundStatuses)[number];

/** Why a refund failed, as the merchant sees it. */
export const refundErrorCodes = ['refund_rejected'] as const;
type RefundErrorCode = (typeof refundErrorCodes)[number];

/** Who asked for a refund. */
export type RefundRequester =
  | { readonly kind: 'merchant' }
  /** `id`: of the decision. */
  | { readonly kind: 'operator'; readonly by: string; readonly id: string };

/** Money of a paid payment that goes back to its payer, in whole or in part. The payment stays paid. */
export type Refund = {
  readonly id: RefundId;
  readonly paymentId: PaymentId;
  readonly billId: BillId;
  readonly merchantId: MerchantId;
  readonly shopId: ShopId;
  readonly status: RefundStatus;
  /** What the payer gets, in the bill's currency; above zero. */
  readonly amount: Money;
  /** What it takes from the merchant's balance, in the currency of the payment's settlement; fixed at its creation. */
  readonly debit: Money<BalanceCurrency>;
  /** The part of the capture's fee that it returns to the merchant, in the currency of the debit; 0n where the terms keep it. */
  readonly feeReturnedMinor: bigint;
  /** The merchant's; plain text of at most 255 characters. */
  readonly reason: string | undefined;
  readonly requestedBy: RefundRequester;
  /** The payment's. */
  readonly acquirer: string | undefined;
  /** The calls to the acquirer under the current key, which is also the id of the refund there: `<refund>.<attempt>`. */
  readonly call: Call | undefined;
  /** The acquirer's code for a rejection; for the operator. */
  readonly outcome: string | undefined;
  readonly errorCode: RefundErrorCode | undefined;
  /** Until when the payer's contact is stored that came with this refund; undefined: it has none of its own. */
  readonly contactUntil: Date | undefined;
  /** The registration of its own fiscal receipt; undefined until it has succeeded, and without receipts. */
  readonly receipt: ReceiptState | undefined;
  readonly createdAt: Date;
  readonly endedAt: Date | undefined;
  /** The number of due checks made so far; it selects the pause before the next. */
  readonly checks: number;
  /** When it is checked next; undefined when it waits for nothing. */
  readonly nextCheck: Date | undefined;
};

export const refundMoves: Readonly<Record<RefundStatus, readonly RefundStatus[]>> = {
  NEW: ['PROCESS'],
  PROCESS: ['SUCCESS', 'FAIL'],
  SUCCESS: [],
  FAIL: [],
};

export const isEndedRefund = ({ status }: Pick<Refund, 'status'>): boolean =>
  status === 'SUCCESS' || status === 'FAIL';

/** Returns what the refund takes of the platform's account at the acquirer, valued in the currency of the settlement. */
export const grossMinor = ({ debit, feeReturnedMinor }: Pick<Refund, 'debit' | 'feeReturnedMinor'>): bigint =>
  debit.minor + feeReturnedMinor;

/** Returns the idempotency key of a call, which is also the refund's id at the acquirer. */
export const refundCallKey = (id: RefundId, { attempt }: Pick<Call, 'attempt'>): string => `${id}.${attempt}`;
