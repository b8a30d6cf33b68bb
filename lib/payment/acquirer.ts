import type { PaymentMethod } from '../bill/payment-method.ts';
import type { PaymentId } from '../ids.ts';
import type { BillCurrency, Money } from '../money/money.ts';
import type { StatementLine } from '../provider-port.ts';
import type { Receipt, ReceiptTerms } from './receipt.ts';

export { methodNames, type PaymentMethod, paymentMethods } from '../bill/payment-method.ts';

/** Why a payment was declined. Fraud, a lost, stolen or restricted card, "call the issuer" and all others are `declined`. */
export const declineReasons = [
  'insufficient_funds',
  'card_expired',
  'invalid_card_data',
  'limit_exceeded',
  'not_confirmed',
  'bank_unavailable',
  'canceled_by_payer',
  'expired',
  'declined',
] as const;
export type DeclineReason = (typeof declineReasons)[number];

/** What a provider promises of one method. Known without a call and without a secret. */
export type MethodTerms = {
  /** The limits of one charge (surcharge included) per currency, in minor units. A currency that is absent is not taken. */
  readonly limits: Readonly<
    Partial<Record<BillCurrency, { readonly minMinor: bigint; readonly maxMinor: bigint }>>
  >;
  /** Two steps: paying authorises, and the amount is held until it is captured or voided. Otherwise paying captures. */
  readonly holds: boolean;
  /** How long its page can be paid, from the start. */
  readonly payableMinutes: number;
  /** Whether `cancel` ends an order that nobody has paid. Otherwise the provider ends it by itself. */
  readonly endsOpenOrders: boolean;
  /**
   * Whether a declined or cancelled order can never be captured later. Otherwise it is queried once more after a day and after
   * a week.
   */
  readonly failureIsFinal: boolean;
  /** Whether a captured view names the provider's fee, at once or later. */
  readonly reportsFee: boolean;
};

/** An order as it was, or may have been, sent. Amounts are in minor units of `currency`. */
export type Order = {
  readonly paymentId: PaymentId;
  readonly method: PaymentMethod;
  readonly holds: boolean;
  /** The charge: the bill's amount and the payer's surcharge. */
  readonly amountMinor: bigint;
  readonly currency: BillCurrency;
  /** The provider's id of the order; undefined while no answer has named it. */
  readonly reference: string | undefined;
  /** The first call of `start`. */
  readonly firstCallAt: Date;
  /** The last call of `start`. */
  readonly lastCallAt: Date;
};
export type KnownOrder = Order & { readonly reference: string };

/**
 * What `start` sends. It is equal for every call under one key but for `lastCallAt`, which is not sent: so it is stored,
 * sealed, with the payment before the first call.
 */
export type StartRequest = Order & {
  /** The idempotency key: `<payment>.<attempt>`. */
  readonly key: string;
  readonly description: string;
  /** Where the payer's browser returns to. */
  readonly returnUrl: string;
  readonly language: 'ru' | 'en';
  /** Where notifications go, for a provider that is told with each order. */
  readonly notifyUrl: string;
  readonly about: {
    readonly merchantId: string;
    readonly shopId: string;
    readonly billId: string;
    readonly orderId: string | undefined;
  };
  /** Undefined: none is sent. */
  readonly receipt: Receipt | undefined;
};

/** The registration of a fiscal receipt (54-FZ) at the tax service. The values are stored. */
export const receiptStates = ['pending', 'registered', 'failed'] as const;
export type ReceiptState = (typeof receiptStates)[number];

/** What the provider tells of the payer's account. */
export type PayerAccount = {
  /** First six and last four digits of the card. */
  readonly fromCard?: string;
  /** The name of the payer's bank, in one line of at most 100 characters; SBP: its `member_id` where the name is not known. */
  readonly bank?: string;
};

/** The provider's view of an order. */
export type AcquirerView =
  /** Nobody has paid yet, or the payment is being processed. */
  | { readonly state: 'pending' }
  /** `amountMinor`: what is held, which may be less than the charge. */
  | ({ readonly state: 'authorised'; readonly amountMinor: bigint } & PayerAccount)
  /**
   * `amountMinor`: what was captured. `refundedMinor`: what has gone back at the provider since, whoever asked for it. `feeMinor`: the
   * provider's fee on this capture, in minor units of the charge's currency; undefined: not told, or not yet. `receipt`: undefined when
   * none was sent, or its registration was not told.
   */
  | ({
      readonly state: 'captured';
      readonly amountMinor: bigint;
      readonly refundedMinor: bigint;
      readonly feeMinor: bigint | undefined;
      readonly receipt: ReceiptState | undefined;
    } & PayerAccount)
  /** `outcome`: the provider's own code, for the operator. */
  | ({
      readonly state: 'declined';
      readonly reason: DeclineReason;
      readonly outcome: string;
    } & PayerAccount)
  /** The payer gave up, or the page's time is over: no card was refused. */
  | {
      readonly state: 'cancelled';
      readonly reason: 'canceled_by_payer' | 'expired';
      readonly outcome: string;
    }
  /** An authorisation was voided or has lapsed, or we ended the open order: nothing was captured. */
  | ({ readonly state: 'voided' } & PayerAccount);

/** An order with the provider's reference, and our id as the provider stored it. */
export type FoundOrder = {
  readonly reference: string;
  readonly paymentId: string | undefined;
  readonly view: AcquirerView;
};

export type Started =
  /** `pageUrl`: undefined when the order's page is over. */
  | {
      readonly kind: 'opened';
      readonly reference: string;
      readonly pageUrl: string | undefined;
      readonly view: AcquirerView;
    }
  /** A definite refusal: this call created nothing. An earlier call under the key that was never answered may have. */
  | { readonly kind: 'refused'; readonly outcome: string };

/**
 * The view after a call. `refused`: the call was definitely not carried out, and the view was read afterwards. "Cannot be ended
 * now" is `refused` with a pending view.
 */
export type Acted = { readonly view: AcquirerView; readonly refused: boolean };

export type RefundView =
  | { readonly state: 'pending' }
  /** `receipt`: the registration of the refund's own receipt; undefined when none was sent, or it was not told. */
  | { readonly state: 'succeeded'; readonly receipt: ReceiptState | undefined }
  /**
   * Nothing was refunded, and nothing will be under this key. `providerEmpty`: because our account there was empty, so a next attempt
   * may be made.
   */
  | { readonly state: 'rejected'; readonly outcome: string; readonly providerEmpty: boolean };

/** What a notification is about. `reference` is the payment's for a refund. It proves nothing. */
export type Hint = {
  readonly about: 'payment' | 'refund' | 'payout' | 'other';
  readonly reference: string;
  /** Our id as the notification names it. */
  readonly paymentId: string | undefined;
};

/**
 * A provider of payments, and what the protocol (README.md of this folder) relies on. Every adapter passes the conformance
 * suite (test/conformance).
 *
 * - Every call may throw: the outcome is then unknown, except for `ProviderBusy`, which was not carried out.
 * - Calls carry an idempotency key of 1 to 64 characters from `0-9a-zA-Z._-`. The provider keeps a key for 24 hours: the same
 *   key and body are answered with the same order, capture or refund. So a call whose answer was lost is repeated under its key
 *   until 22 hours after the first; after that no order and no refund is created under it. An order is captured or cancelled once,
 *   whatever the key, so these calls are repeated for as long as needed. A new key is used only after a definite refusal, with no
 *   call under the old key unanswered.
 * - Known orders are named by the provider's `reference`. Orders keep it for ever and never share it.
 * - A view is read from the provider at the time of the call. A captured order may change later: by a refund or a chargeback.
 */
export interface Acquirer {
  /** Stored with each payment sent to it, so it must never be reused for another. */
  readonly name: string;
  readonly methods: Readonly<Partial<Record<PaymentMethod, MethodTerms>>>;
  /** The `form-action` source of the payment page: an origin, or `https:` where the provider promises no addresses. */
  readonly pageSource: string;
  /** The fiscal receipts that go with new payments, for which the payer's contact is needed; undefined: none. */
  readonly receipts: ReceiptTerms | undefined;
  /** Opens the order with its page. Within the key's life a repeated call returns the same order. */
  start(request: StartRequest): Promise<Started>;
  get(order: KnownOrder): Promise<AcquirerView>;
  /** Looks up a reference that a notification names; undefined: the provider has no such order. */
  look(reference: string): Promise<FoundOrder | undefined>;
  /**
   * Searches the provider's list, from an hour before the first call of `start` to an hour after the last, for the order with our
   * id. `absent` only when every page was read without an error; then no payer ever had its page, if the key's life is over.
   */
  find(order: Order): Promise<FoundOrder | 'absent'>;
  /** Captures what was authorised or less; more is refused. `receipt`: for less than the charge, whose receipt `start` sent. */
  capture(
    order: KnownOrder,
    call: { readonly key: string; readonly amountMinor: bigint; readonly receipt: Receipt | undefined },
  ): Promise<Acted>;
  /** Voids an authorisation, or ends an open order where the method can. Never touches captured money. */
  cancel(order: KnownOrder, call: { readonly key: string }): Promise<Acted>;
  /** Refunds a captured order in whole or in part. `refundId` is stored with the refund and found by `findRefund`. */
  refund(
    order: KnownOrder,
    call: {
      readonly key: string;
      readonly refundId: string;
      readonly amountMinor: bigint;
      readonly receipt: Receipt | undefined;
    },
  ): Promise<RefundView>;
  /** The refund with our id, read from the provider without creating one; undefined: the provider has none. */
  findRefund(order: KnownOrder, refundId: string): Promise<RefundView | undefined>;
  /** Payments by their capture and refunds by their end in [from, to), for reconciliation. */
  statement(period: { readonly from: Date; readonly to: Date }): Promise<readonly StatementLine[]>;
  /**
   * Reads a notification; undefined when it cannot be from the provider. Its content is never believed: the order is read again.
   * Header names are in lower case.
   */
  readNotification(
    headers: Readonly<Record<string, string | undefined>>,
    body: string,
  ): Promise<Hint | undefined>;
}

/** The acquirers of this installation. A payment belongs to the acquirer that it was started with for ever. */
export interface Acquirers {
  /** The methods that take this charge (surcharge included), in the order of the page. */
  methodsFor(charge: Money): readonly PaymentMethod[];
  /** The acquirer for a new payment; undefined when none takes it. */
  forNew(charge: Money, method: PaymentMethod): Acquirer | undefined;
  /** The acquirer of an existing payment; undefined when its adapter or its credentials are not deployed. */
  named(name: string | undefined): Acquirer | undefined;
  /** The `form-action` sources of the payment page. */
  readonly pageSources: readonly string[];
}
