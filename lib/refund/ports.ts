import type { SealedContact } from '../bill/contact.ts';
import type { MerchantId, PaymentId, RefundId } from '../ids.ts';
import type { Entry } from '../ledger/entry.ts';
import type { Call, CallAnswer } from '../payment/call.ts';
import type { UnregisteredReceipt } from '../payment/follow-receipts.ts';
import type { Payment, RefundTotals } from '../payment/payment.ts';
import type { PostbackEvent } from '../postback/event.ts';
import type { Result } from '../result.ts';
import type { Refund } from './refund.ts';

/** An `Idempotency-Key` of a merchant, and a hash of the request that used it. */
export type RefundClaim = {
  readonly merchantId: MerchantId;
  readonly key: string;
  readonly fingerprint: string;
};
export type ClaimedRefund = { readonly refundId: RefundId; readonly fingerprint: string };

/** What a refund's creation read, and what it writes beside the refund. */
export type Creation = {
  /** The payment as read: paid. */
  readonly payment: Payment;
  /** The payment's totals with this refund. */
  readonly totals: RefundTotals;
  /** The number of the payment's chargebacks as read. */
  readonly chargebacks: number;
  /** Undefined: it debits nothing. */
  readonly entry: Entry | undefined;
  readonly claim: RefundClaim | undefined;
  readonly contact: SealedContact | undefined;
};

/** How a refund ended. */
export type Ending = { readonly entry: Entry | undefined; readonly event: PostbackEvent | undefined };

export type DueRefund = { readonly id: RefundId; readonly seenDue: Date };

export interface Refunds {
  /** Strongly consistent, as are the other reads. */
  find(id: RefundId): Promise<Refund | undefined>;
  /** All refunds of a payment, oldest first. */
  ofPayment(paymentId: PaymentId): Promise<readonly Refund[]>;
  /** What an `Idempotency-Key` was used for in the last seven days. */
  findClaim(claim: Pick<RefundClaim, 'merchantId' | 'key'>): Promise<ClaimedRefund | undefined>;

  /**
   * Writes refund, the payment's totals, balance, entry, claim and contact in one transaction, on condition that the payment's totals are as
   * read, that no chargeback was added since, and that the debit is available. So refunds and chargebacks never pass what was received.
   */
  create(
    refund: Refund,
    creation: Creation,
  ): Promise<Result<void, 'claimed_meanwhile' | 'moved_meanwhile' | 'balance_not_enough'>>;
  /**
   * Records a call before it is made, and that the refund is in PROCESS, on condition that its status and the call's attempt are as read;
   * false when nothing was written.
   */
  beginCall(refund: Refund, call: Call): Promise<boolean>;
  /** Records that a call of this attempt was answered and left the refund open. `answer` undefined: it was not carried out. */
  callAnswered(
    refund: Refund,
    how: {
      readonly attempt: number;
      readonly answer: CallAnswer | undefined;
      readonly outcome: string | undefined;
    },
  ): Promise<void>;
  /** SUCCESS or FAIL: writes refund, the payment's totals, balance, entry and event in one transaction, once. */
  end(before: Refund, after: Refund, ending: Ending): Promise<Result<void, 'moved_meanwhile'>>;
  /** What a check of the refund's receipt found, and the receipt that a person has to make, in one transaction. */
  recordReceipt(
    before: Refund,
    after: Refund,
    unregistered: UnregisteredReceipt | undefined,
  ): Promise<Result<void, 'moved_meanwhile'>>;

  /** What the sweep should queue now, the longest overdue first. */
  due(now: Date): Promise<readonly DueRefund[]>;
  /** Postpones it on the work list alone, unless it has moved there since. */
  postpone(due: DueRefund, until: Date): Promise<void>;
  /** Counts a check and schedules the next; false when another worker did so first, or the refund has ended. */
  postponeCheck(refund: Refund, nextCheck: Date): Promise<boolean>;
}

/** The queue of the workers that carry refunds out. It carries ids; a lost message costs only time. */
export interface RefundQueue {
  send(refundId: RefundId, options: { readonly group: string }): Promise<void>;
  /** The approximate number of waiting messages. */
  length(): Promise<number>;
}
