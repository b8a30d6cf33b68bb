import type { Bill } from '../bill/bill.ts';
import type { PaymentId } from '../ids.ts';
import type { Entry } from '../ledger/entry.ts';
import type { BillCurrency } from '../money/money.ts';
import type { PostbackEvent } from '../postback/event.ts';
import type { Result } from '../result.ts';
import type { Payment } from './payment.ts';

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

  /** Start, or take over when another payment's lock has expired: creates the payment, which holds a NORMAL bill. */
  start(
    payment: Payment,
    hold: { readonly bill: Bill; readonly now: Date; readonly lockUntil: Date },
  ): Promise<Result<void, 'payment_exists' | 'bill_not_payable'>>;
  /** Fence: no other payment may take the bill over from now on, so the capture may be requested. */
  fence(payment: Payment): Promise<Result<void, 'moved_meanwhile'>>;
  /** Void: another payment holds the bill, so this one's authorisation must be voided. */
  startVoid(payment: Payment): Promise<Result<void, 'moved_meanwhile'>>;
  /**
   * Settle: writes payment, bill, balance, journal entry and postback event in one transaction, once. A MULTI bill is
   * written only if it was read as NEW: after that its payers do not contend for it.
   */
  settle(
    before: PaymentWithBill,
    after: Payment,
    entry: Entry,
    event: PostbackEvent | undefined,
  ): Promise<Result<void, 'moved_meanwhile' | 'bill_paid_by_another'>>;
  /** Fail, or refunded with its entry: final, no money is kept; the bill is released when this payment holds it. */
  failed(
    before: Payment,
    after: Payment,
    how: {
      readonly releasesBill: boolean;
      /** Whether a bill that is released counts a failure: the tenth is its last. */
      readonly countsFailure: boolean;
      readonly entry: Entry | undefined;
      readonly event: PostbackEvent | undefined;
    },
  ): Promise<Result<void, 'moved_meanwhile'>>;
  /** Duplicate capture: a one-step acquirer captured for a bill that another payment finished; to be refunded. */
  recordDuplicateCapture(
    before: Payment,
    after: Payment,
    entry: Entry,
  ): Promise<Result<void, 'moved_meanwhile'>>;

  /** Records when its postback was first accepted, which outlives the postback's own record. */
  postbackDelivered(id: PaymentId, at: Date): Promise<void>;

  /** Payments whose check is due, the longest overdue first. */
  due(now: Date): Promise<readonly DuePayment[]>;
  /** Defers a queued payment so that the sweep does not queue it again; no effect if it moved since it was seen due. */
  postpone(due: DuePayment, until: Date): Promise<void>;
  /** All payments whose outcome is unknown, due or not, oldest first. */
  listUndecided(): Promise<readonly Payment[]>;
  /**
   * Counts a check and schedules the next, on condition that the payment is open and no other check was counted since
   * it was read; false when nothing was written.
   */
  postponeCheck(payment: Payment, nextCheck: Date): Promise<boolean>;

  /** Stores the encrypted URL of the card page, on condition that the payment is AUTHORIZING. */
  storeCardPage(payment: Payment, sealed: string): Promise<void>;
  /** Whether a payer's visit may query the acquirer now: true for one visit in two seconds, over all visitors. */
  claimAcquirerQuery(payment: Payment, now: Date): Promise<boolean>;
}

export type DuePayment = { readonly id: PaymentId; readonly seenDue: Date };

/** The queue of the workers that check payments with the acquirer. It carries ids; a lost message costs only time. */
export interface PaymentQueue {
  send(paymentId: PaymentId, options: { readonly group: string }): Promise<void>;
  /** The approximate number of waiting messages. */
  length(): Promise<number>;
}

/** The acquirer's view of a payment. Amounts are in minor units of the payment's currency. */
export type AcquirerView =
  | { readonly state: 'unknown' | 'pending' }
  | {
      readonly state: 'authorised' | 'captured';
      readonly amountMinor: bigint;
      readonly fromCard?: string;
    }
  /** Cancelled: the payer gave up. No card was refused, so it does not count as a failure. */
  | {
      readonly state: 'declined' | 'cancelled';
      readonly outcome: string;
      readonly fromCard?: string;
    }
  | { readonly state: 'voided' | 'refunded'; readonly fromCard?: string };

/**
 * A provider of card payments. Every call may throw: then the outcome is unknown, and the same call is repeated later
 * with the same idempotency key. A two-step acquirer returns `authorised` and waits for the capture; a one-step
 * acquirer (such as for SBP) returns `captured` at once.
 */
export interface Acquirer {
  /** Stored with each payment sent to it, so it must never be reused for another; undefined when none is configured. */
  readonly name: string | undefined;
  /** The origin of the hosted card page, for the payment page's form-action. */
  readonly origin: string;
  /** Opens the hosted card page; a repeated payment id returns the same page. */
  start(order: {
    readonly paymentId: string;
    readonly amountMinor: bigint;
    readonly currency: BillCurrency;
    readonly description: string;
    readonly returnUrl: string;
    readonly notifyUrl: string;
  }): Promise<{ readonly pageUrl: string }>;
  get(paymentId: string): Promise<AcquirerView>;
  capture(paymentId: string, amountMinor: bigint, idempotencyKey: string): Promise<AcquirerView>;
  /** Voids an authorisation or cancels an unpaid order; an unknown payment id is refused from then on. */
  cancel(paymentId: string): Promise<AcquirerView>;
  refund(paymentId: string, idempotencyKey: string): Promise<AcquirerView>;
  /**
   * Returns the payment id of a notification; undefined when it is not verified to be from the acquirer. Header names are in
   * lower case.
   */
  readNotification(headers: Readonly<Record<string, string | undefined>>, body: string): string | undefined;
}
