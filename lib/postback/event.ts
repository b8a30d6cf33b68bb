import {
  type BillId,
  type MerchantId,
  type PaymentId,
  type PayoutId,
  type RefundId,
  type RefundUrlId,
  refundUrlIdOf,
  type ShopId,
  toPaymentId,
} from '../ids.ts';

export const eventStates = ['PENDING', 'RETRY', 'DELIVERED', 'SUPERSEDED', 'PAUSED', 'DEAD'] as const;
export type EventState = (typeof eventStates)[number];

/** What an event reports. A version of the service that does not know a kind cannot read its events (lib/store/README.md). */
export const eventKinds = ['payment', 'payout', 'refund', 'chargeback'] as const;

/** One POST to the merchant, or why none was made. */
export type Attempt = {
  readonly at: Date;
  /** `200`, `timeout`, `refused_address`, `breaker_open`, …; undefined while in progress. */
  readonly outcome: string | undefined;
  readonly ms: number | undefined;
  /** The start of the response body, for the operator. */
  readonly answer: string | undefined;
};

/** A postback to a merchant (contract 6). The payload is fixed; signatures are computed at each attempt. A phone in it is sealed. */
export type PostbackEvent = {
  readonly id: string;
  readonly kind: (typeof eventKinds)[number];
  readonly merchantId: MerchantId;
  /** The shop whose Result URL, or refund URL, is called. Payout postbacks go to the merchant's webhook URL. */
  readonly shopId: ShopId | undefined;
  /** The bill whose later success supersedes this FAIL; set only for a FAIL on a NORMAL bill. */
  readonly supersededByBill: BillId | undefined;
  /** Refunds and chargebacks: the payment's own event. While it is PENDING or RETRY, this one waits. */
  readonly sentAfter: string | undefined;
  readonly status: string;
  /** All fields except SignatureValue, in the contract's order, as they are sent; with `sealedPhone` the AccountNumber is its mask. */
  readonly fields: Readonly<Record<string, string>>;
  /** Payouts to a phone: the AccountNumber that is sent, sealed. Events of earlier versions have it in `fields`. */
  readonly sealedPhone: string | undefined;
  /**
   * The fields of an extended postback that the contract does not have, in the order in which they follow SignatureValue; those of the
   * payer are added at each attempt. Undefined: the shop gets the contract's fields alone.
   */
  readonly extended: Readonly<Record<string, string>> | undefined;
  readonly state: EventState;
  /** The latest attempts, at most 12. */
  readonly attempts: readonly Attempt[];
  /** Attempts that count towards the schedule. */
  readonly tries: number;
  readonly createdAt: Date;
  readonly nextAt: Date;
};

/** An event id contains the reported state, so that each state has one event. */
export const paymentEventId = (paymentId: PaymentId, status: string): string => `pay.${paymentId}.${status}`;
export const payoutEventId = (payoutId: PayoutId, status: string): string => `po.${payoutId}.${status}`;

export const refundEventId = (refundId: RefundId, status: string): string => `rf.${refundId}.${status}`;
export const chargebackEventId = (
  { paymentId, number }: { readonly paymentId: PaymentId; readonly number: number },
  status: string,
): string => `cb.${paymentId}x${number}.${status}`;

/** Returns which chargeback the event with this id is about; undefined for other events. */
export function chargebackIn(
  eventId: string,
): { readonly paymentId: PaymentId; readonly number: number } | undefined {
  const [, payment, number] = /^cb\.([0-9A-Za-z]{26})x([1-9]\d{0,5})\./.exec(eventId) ?? [];
  return payment === undefined ? undefined : { paymentId: toPaymentId(payment), number: Number(number) };
}

/** Returns the id of the payment, payout or refund, or `<payment>x<number>` of the chargeback, that an event is about. */
export const subjectOf = ({ id }: Pick<PostbackEvent, 'id'>): string => id.split('.')[1] ?? '';

/** Whether the text has the shape of an event id. */
export const isEventId = (text: string): boolean =>
  /^(?:pay|po|rf|cb)\.[0-9A-Za-z]{1,64}\.[A-Z]+$/.test(text);

/** Whether the event with this id goes to a shop's refund URL. */
export const goesToRefundUrl = (id: string): boolean => /^(?:rf|cb)\./.test(id);

/** A shop's Result URL or a merchant's payout webhook, by its owner's id, or a shop's refund URL. */
export type EndpointId = ShopId | RefundUrlId | MerchantId;

/** Returns the event's endpoint: one of the shop's two URLs or the merchant's payout webhook. Also its queue group. */
export const endpointIdOf = ({
  kind,
  shopId,
  merchantId,
}: Pick<PostbackEvent, 'kind' | 'shopId' | 'merchantId'>): EndpointId => {
  if (kind === 'payout' || shopId === undefined) return merchantId;
  return kind === 'payment' ? shopId : refundUrlIdOf(shopId);
};
