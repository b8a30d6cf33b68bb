import type { Bill } from '../bill/bill.ts';
import type { PaymentId } from '../ids.ts';
import type { Entry } from '../ledger/entry.ts';
import type { BillCurrency } from '../money/money.ts';
import type { PostbackEvent } from '../postback/event.ts';
import type { Result } from '../result.ts';
import type { Payment } from './payment.ts';

export type PaymentWithBill = { readonly payment: Payment; readonly bill: Bill };

export interface Payments {
  /** The payment and its bill, read strongly together. */
  findWithBill(id: PaymentId): Promise<PaymentWithBill | undefined>;
  find(id: PaymentId): Promise<Payment | undefined>;
  /** The payments of a bill, newest first; `cursor` is the id that the page before ended with. */
  listOf(
    bill: Bill,
    page: { readonly limit: number; readonly cursor: PaymentId | undefined },
  ): Promise<{ readonly payments: readonly Payment[]; readonly next: PaymentId | undefined }>;

  /** T1, and T1' when the lock of another is over: the payment exists and, for NORMAL, holds the bill. */
  start(
    payment: Payment,
    hold: { readonly bill: Bill; readonly now: Date; readonly lockUntil: Date },
  ): Promise<Result<void, 'payment_exists' | 'bill_not_payable'>>;
  /** T2: nobody may take the bill over from here, so the capture may be asked for. */
  fence(payment: Payment): Promise<Result<void, 'moved_meanwhile'>>;
  /** T5: another payment holds the bill, this one's authorisation is to be voided. */
  startVoid(payment: Payment): Promise<Result<void, 'moved_meanwhile'>>;
  /**
   * T3: payment, bill, balance, journal and postback event, all or nothing, once. A MULTI bill is written only while it
   * was read as NEW: later its payers do not wait for each other.
   */
  settle(
    before: PaymentWithBill,
    after: Payment,
    entry: Entry,
    event: PostbackEvent | undefined,
  ): Promise<Result<void, 'moved_meanwhile' | 'bill_paid_by_another'>>;
  /** T4 (and T7 with its entry): final, nothing was kept; the bill is let go when this payment holds it. */
  failed(
    before: Payment,
    after: Payment,
    how: {
      readonly releasesBill: boolean;
      /** Against a bill that is let go: its tenth failure is its last. */
      readonly countsFailure: boolean;
      readonly entry: Entry | undefined;
      readonly event: PostbackEvent | undefined;
    },
  ): Promise<Result<void, 'moved_meanwhile'>>;
  /** T6: a one-step acquirer captured for a bill that another payment finished; to be refunded. */
  recordDuplicateCapture(
    before: Payment,
    after: Payment,
    entry: Entry,
  ): Promise<Result<void, 'moved_meanwhile'>>;

  /** Remembers when its postback was first taken, for longer than the postback itself is kept. */
  postbackDelivered(id: PaymentId, at: Date): Promise<void>;

  /** Payments that should be asked about by now, the longest overdue first. */
  due(now: Date): Promise<readonly DuePayment[]>;
  /** Keeps the sweep from queueing it each minute while the workers are busy, unless it moved since it was seen due. */
  postpone(due: DuePayment, until: Date): Promise<void>;
  /** All whose outcome nobody knows yet, due or not, the oldest first. */
  listUndecided(): Promise<readonly Payment[]>;
  /**
   * Counts the check and plans the next, while the payment is open and nobody else has counted one; false when nothing
   * was written.
   */
  postponeCheck(payment: Payment, nextCheck: Date): Promise<boolean>;

  /** The sealed address of the card page, as long as a card is waited for. */
  keepCardPage(payment: Payment, sealed: string): Promise<void>;
  /** Whether a payer's visit may have the acquirer asked now: true for one in two seconds, whoever else is visiting. */
  claimQuestion(payment: Payment, now: Date): Promise<boolean>;
}

export type DuePayment = { readonly id: PaymentId; readonly seenDue: Date };

/** The queue behind the workers that ask the acquirer. It carries ids; a lost message costs only time. */
export interface PaymentQueue {
  send(paymentId: PaymentId, options: { readonly group: string }): Promise<void>;
  /** Messages waiting, as the queue estimates it. */
  length(): Promise<number>;
}

/** What the acquirer says of a payment. Amounts in minor units of the payment's currency. */
export type AcquirerView =
  | { readonly state: 'unknown' | 'pending' }
  | {
      readonly state: 'authorised' | 'captured';
      readonly amountMinor: bigint;
      readonly fromCard?: string;
    }
  /** Cancelled: the payer gave up. Nothing was refused, so it is no failure of theirs. */
  | {
      readonly state: 'declined' | 'cancelled';
      readonly outcome: string;
      readonly fromCard?: string;
    }
  | { readonly state: 'voided' | 'refunded'; readonly fromCard?: string };

/**
 * A provider of card payments. Every call may throw: then nothing is known, and the same call is repeated later
 * with the same idempotency key. One of two steps answers `authorised` and waits for the capture; one of one step
 * (SBP among them) answers `captured` at once.
 */
export interface Acquirer {
  /** Kept with each payment that is sent to it, so never to be given to another; undefined where there is none. */
  readonly name: string | undefined;
  /** The origin of the hosted card page, for the payment page's form-action. */
  readonly origin: string;
  /** Opens the hosted card page; the same payment id again answers with the same page. */
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
  /** Ends an authorisation or an order that nobody paid; one never heard of is refused for ever after. */
  cancel(paymentId: string): Promise<AcquirerView>;
  refund(paymentId: string, idempotencyKey: string): Promise<AcquirerView>;
  /** The payment that a genuine notification is about; undefined when it is not from the acquirer. */
  readNotification(headers: Readonly<Record<string, string | undefined>>, body: string): string | undefined;
}
