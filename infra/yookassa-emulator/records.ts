import type { ErrorBody } from './api/errors.ts';
import type { Manner } from './manners.ts';

/*
 * The stored objects. Times are milliseconds since the epoch, amounts are minor units. A record is never changed in place:
 * the state stores its next version.
 */

export const paymentStatuses = ['pending', 'waiting_for_capture', 'succeeded', 'canceled'] as const;
type PaymentStatus = (typeof paymentStatuses)[number];

/** The statuses of refunds and payouts. */
export const transferStatuses = ['pending', 'succeeded', 'canceled'] as const;
type TransferStatus = (typeof transferStatuses)[number];

/** How far the receipt of a payment or a refund is with the tax service. */
export type Registration = 'pending' | 'succeeded' | 'canceled';

/** Who ended an object, and why: the vendor's `cancellation_details`. */
export type Cancellation = { readonly party: string; readonly reason: string };

export type Metadata = Readonly<Record<string, string | null>>;

/** The card of a payer: never the whole number. */
export type PaidByCard = {
  readonly type: 'bank_card';
  readonly first6: string;
  readonly last4: string;
  readonly expiryMonth: string;
  readonly expiryYear: string;
  readonly rrn: string;
  readonly authCode: string;
  readonly threeDSecure: boolean;
};

export type PaidBySbp = {
  readonly type: 'sbp';
  readonly operationId: string;
  readonly bankId: string;
  readonly bic: string;
};

/** What the hosted page waits for: a code of the payer's bank, or the payer's confirmation in the app of a bank. */
type PayerStep = { readonly kind: '3ds'; readonly paidWith: PaidByCard } | { readonly kind: 'sbp' };

export type PaymentRecord = {
  readonly kind: 'payment';
  readonly id: string;
  /** The order of creation: lists are sorted by it where times are equal. */
  readonly sequence: number;
  readonly createdAt: number;
  readonly status: PaymentStatus;
  /** The amount of the request. */
  readonly askedMinor: number;
  /** The amount of the object: less than asked after a partial authorization or a partial capture. */
  readonly amountMinor: number;
  /** False: two steps. */
  readonly capture: boolean;
  readonly description: string | undefined;
  readonly metadata: Metadata;
  readonly merchantCustomerId: string | undefined;
  readonly returnUrl: string;
  readonly locale: 'ru_RU' | 'en_US' | undefined;
  /** Undefined: the payer chooses on the hosted page. */
  readonly method: 'bank_card' | 'sbp' | undefined;
  readonly withReceipt: boolean;
  /** Of its receipt, from when the money moved. */
  readonly registration: Registration | undefined;
  readonly step: PayerStep | undefined;
  readonly paidWith: PaidByCard | PaidBySbp | undefined;
  /** When the hold ends, in `waiting_for_capture`. */
  readonly expiresAt: number | undefined;
  readonly capturedAt: number | undefined;
  /** The sum of the succeeded refunds. */
  readonly refundedMinor: number;
  /** Charged back: no refund is possible. */
  readonly chargedBack: boolean;
  readonly cancellation: Cancellation | undefined;
  readonly manner: Manner | undefined;
};

export type RefundRecord = {
  readonly kind: 'refund';
  readonly id: string;
  readonly sequence: number;
  readonly createdAt: number;
  readonly status: TransferStatus;
  readonly paymentId: string;
  readonly amountMinor: number;
  readonly description: string | undefined;
  readonly metadata: Metadata;
  readonly withReceipt: boolean;
  /** Of its receipt, from when the money moved. */
  readonly registration: Registration | undefined;
  /** The fast payment system's id, for a refund of such a payment. */
  readonly sbpOperationId: string | undefined;
  readonly rrn: string | undefined;
  readonly cancellation: Cancellation | undefined;
  readonly manner: Manner | undefined;
};

export type PayoutDestination =
  | {
      readonly type: 'sbp';
      readonly phone: string;
      readonly bankId: string;
      readonly operationId: string | undefined;
    }
  | { readonly type: 'bank_card'; readonly first6: string; readonly last4: string }
  | { readonly type: 'yoo_money'; readonly accountNumber: string };

export type PayoutRecord = {
  readonly kind: 'payout';
  readonly id: string;
  readonly sequence: number;
  readonly createdAt: number;
  readonly succeededAt: number | undefined;
  readonly status: TransferStatus;
  readonly amountMinor: number;
  readonly destination: PayoutDestination;
  readonly description: string | undefined;
  readonly metadata: Metadata;
  readonly cancellation: Cancellation | undefined;
  readonly manner: Manner | undefined;
};

export type ApiObject = PaymentRecord | RefundRecord | PayoutRecord;

/** A key under which a request was decided. It is forgotten after 24 hours. */
export type KeyRecord = {
  readonly kind: 'key';
  /** The account and the key. */
  readonly id: string;
  readonly firstUsedAt: number;
  /** A hash of method, path and body. */
  readonly fingerprint: string;
  readonly result: KeyResult;
};

/** An acted request is repeated with the object as it is now, a definite refusal with the same words. */
export type KeyResult =
  | { readonly kind: 'object'; readonly of: ApiObject['kind']; readonly id: string }
  | { readonly kind: 'refusal'; readonly status: number; readonly body: ErrorBody };

export type Account = 'shop' | 'gateway';

/** One movement on an account of the merchant at the provider. Positive: the merchant has more. */
export type Posting = {
  readonly kind: 'posting';
  readonly id: number;
  readonly at: number;
  readonly account: Account;
  readonly what:
    | 'payment'
    | 'fee'
    | 'correction'
    | 'refund'
    | 'chargeback'
    | 'payout'
    | 'payout_returned'
    | 'top_up';
  /** The id of the payment, refund or payout. Empty for a top-up. */
  readonly object: string;
  readonly minor: number;
};

/** Something that happens to an object at a time of the emulator's clock. */
export type DueRecord = {
  readonly kind: 'due';
  readonly id: number;
  readonly at: number;
  readonly act:
    | 'expire_confirmation'
    | 'expire_hold'
    | 'refund_at_provider'
    | 'charge_back'
    | 'succeed_late'
    | 'change_captured_amount'
    | 'finish_refund'
    | 'end_registration'
    | 'finish_payout';
  readonly object: string;
};

export type Credentials = { readonly id: string; readonly secretKeys: readonly string[] };

export type SettingsRecord = {
  readonly kind: 'settings';
  readonly shop: Credentials;
  readonly gateway: Credentials;
  /** How far the emulator's clock is ahead of the machine's. */
  readonly clockOffsetMs: number;
  /** The shop sends fiscal receipts: a payment without one is refused. */
  readonly receipts: boolean;
  /** They are receipts of YooKassa itself, which are stricter than those of another maker's sales register. */
  readonly ownReceipts: boolean;
  /** Objects younger than this are missing from lists, and payouts from the search. */
  readonly listLagSeconds: number;
  readonly searchLagSeconds: number;
};

export type StoredRecord = ApiObject | KeyRecord | Posting | DueRecord | SettingsRecord;
