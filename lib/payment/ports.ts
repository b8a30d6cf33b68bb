import type { Bill } from '../bill/bill.ts';
import type { SealedContact } from '../bill/contact.ts';
import type { PaymentId } from '../ids.ts';
import type { Entry } from '../ledger/entry.ts';
import type { PostbackEvent } from '../postback/event.ts';
import type { Result } from '../result.ts';
import type { Call, CallAnswer, CallKind } from './call.ts';
import type { UnregisteredReceipt } from './follow-receipts.ts';
import type { LateQuery, Payment } from './payment.ts';

export type PaymentWithBill = { readonly payment: Payment; readonly bill: Bill };

export interface Payments {
  /** The payment and its bill, read together and strongly consistent. */
  findWithBill(id: PaymentId): Promise<PaymentWithBill | undefined>;
  find(id: PaymentId): Promise<Payment | undefined>;
  /** The payments of a bill, newest first; `cursor` is the last id of the previous page. */
  listOf(
    bill: Bill,
    page: { readonly limit: number; readonly cursor: PaymentId | undefined },
  ): Promise<{ readonly payments: readonly Payment[]; readonly next: PaymentId | undefined }>;

  /**
   * Start, or take over when another payment's lock has expired, or is that of `displaces`, a payment of the same browser: creates
   * the payment, which holds a NORMAL bill. Without `lockUntil` the bill is not taken over until the payment has ended.
   */
  start(
    payment: Payment,
    hold: {
      readonly bill: Bill;
      readonly now: Date;
      readonly lockUntil: Date | undefined;
      readonly displaces?: PaymentId;
      /** The payment's own contact of the payer, written with it; `contactUntil` is its end. */
      readonly contact?: SealedContact;
    },
  ): Promise<Result<void, 'payment_exists' | 'bill_not_payable'>>;
  /** Fence: no other payment may take the bill over from now on, so the capture may be requested. Records its call. */
  fence(payment: Payment, captureCall: Call): Promise<Result<void, 'moved_meanwhile'>>;
  /** Void: the order is to be cancelled at the acquirer, and must not be captured any more. Records the call. */
  startVoid(payment: Payment, cancelCall: Call): Promise<Result<void, 'moved_meanwhile'>>;
  /**
   * Settle: writes payment, bill, balance, journal entries and postback event in one transaction, once. A MULTI bill is
   * written only if it was read as NEW: after that its payers do not contend for it.
   */
  settle(
    before: PaymentWithBill,
    after: Payment,
    entries: readonly [capture: Entry, ...others: Entry[]],
    event: PostbackEvent | undefined,
  ): Promise<Result<void, 'moved_meanwhile' | 'bill_paid_by_another'>>;
  /** Fail, or refunded: final, no money is kept; the bill is released when this payment holds it. */
  failed(
    before: Payment,
    after: Payment,
    how: {
      readonly releasesBill: boolean;
      /** Whether a bill that is released counts a failure: the tenth is its last. */
      readonly countsFailure: boolean;
      /** Of the refund, and of the acquirer's fee. */
      readonly entries: readonly Entry[];
      readonly event: PostbackEvent | undefined;
    },
  ): Promise<Result<void, 'moved_meanwhile'>>;
  /** Duplicate capture: a one-step acquirer captured for a bill that another payment finished; to be refunded. */
  recordDuplicateCapture(
    before: Payment,
    after: Payment,
    entries: readonly Entry[],
  ): Promise<Result<void, 'moved_meanwhile'>>;
  /**
   * What a check after the capture found: writes the payment, DONE, the entries and the receipts that wait for a person in one
   * transaction, on condition that no other check has written since `before` was read. `after.nextCheck`: when it is checked again;
   * undefined: never.
   */
  recordAfterCapture(
    before: Payment,
    after: Payment,
    entries: readonly Entry[],
    unregistered?: readonly UnregisteredReceipt[],
  ): Promise<Result<void, 'moved_meanwhile'>>;

  /** Records when its postback was first accepted, which outlives the postback's own record. */
  postbackDelivered(id: PaymentId, at: Date): Promise<void>;

  /** Payments whose check is due, the longest overdue first. */
  due(now: Date): Promise<readonly DuePayment[]>;
  /** Defers a queued payment so that the sweep does not queue it again; no effect if it moved since it was seen due. */
  postpone(due: DuePayment, until: Date): Promise<void>;
  /** All payments whose outcome is unknown, due or not, oldest first. Those that are checked after the capture are not among them. */
  listUndecided(): Promise<readonly Payment[]>;
  /**
   * Counts a check and schedules the next, on condition that the payment is open, or waits for its late query, as it was read, and that
   * no other check was counted since; false when nothing was written.
   */
  postponeCheck(payment: Payment, nextCheck: Date): Promise<boolean>;

  /**
   * Records a call to the acquirer before it is made, on condition that the payment's phase and the call's attempt are as read.
   * The next attempt is recorded only if no call of the last one is unanswered; false when nothing was written.
   */
  beginCall(payment: Payment, kind: CallKind, call: Call): Promise<boolean>;
  /** Records that a call of this attempt was answered and left the matter open. `answer` undefined: it was not carried out. */
  callAnswered(
    payment: Payment,
    kind: CallKind,
    how: {
      readonly attempt: number;
      readonly answer: CallAnswer | undefined;
      readonly outcome: string | undefined;
    },
  ): Promise<void>;
  /**
   * Stores the acquirer's reference, once, and the encrypted URL of the page while the payment is AUTHORIZING. Refused when
   * another reference is stored.
   */
  storeOrder(
    payment: Payment,
    order: { readonly reference: string; readonly cardPage: string | undefined },
  ): Promise<Result<void, 'other_reference'>>;
  /** Schedules the next late query of a failed payment, or ends them; false when `lateQuery` is no longer as read. */
  scheduleLateQuery(
    payment: Payment,
    next: { readonly lateQuery: LateQuery; readonly at: Date } | undefined,
  ): Promise<boolean>;
  /** Whether a payer's visit may query the acquirer now: true for one visit in two seconds, over all visitors. */
  claimAcquirerQuery(payment: Payment, now: Date): Promise<boolean>;
}

export type DuePayment = {
  readonly id: PaymentId;
  readonly seenDue: Date;
  /** Whether it is checked after its capture: no payer waits for it. */
  readonly isCaptured: boolean;
};

/** The queue of the workers that check payments with the acquirer. It carries ids; a lost message costs only time. */
export interface PaymentQueue {
  send(paymentId: PaymentId, options: { readonly group: string }): Promise<void>;
  /** The approximate number of waiting messages. */
  length(): Promise<number>;
}
