import type { BillId, MerchantId, PaymentId, ShopId } from '../ids.ts';

export const eventStates = ['PENDING', 'RETRY', 'DELIVERED', 'SUPERSEDED', 'PAUSED', 'DEAD'] as const;
export type EventState = (typeof eventStates)[number];

/** One POST to the merchant, or one reason why it was not made. */
export type Attempt = {
  readonly at: Date;
  /** `200`, `timeout`, `refused_address`, `breaker_open`, …; absent while under way. */
  readonly outcome: string | undefined;
  readonly ms: number | undefined;
  /** The first bytes of the receiver's answer, for the operator. */
  readonly answer: string | undefined;
};

/** A postback that is owed to a merchant (contract 6). The payload is frozen; the signature is not in it. */
export type PostbackEvent = {
  readonly id: string;
  readonly kind: 'payment' | 'payout';
  readonly merchantId: MerchantId;
  /** Payment postbacks: the shop whose Result URL is called. Payout postbacks go to the merchant's webhook URL. */
  readonly shopId: ShopId | undefined;
  /** The bill whose later success supersedes this FAIL; only on a NORMAL bill's FAIL. */
  readonly supersededByBill: BillId | undefined;
  readonly status: string;
  /** Every field but SignatureValue, in the contract's order, each the text that goes on the wire. */
  readonly fields: Readonly<Record<string, string>>;
  readonly state: EventState;
  /** The latest attempts, at most 12. */
  readonly attempts: readonly Attempt[];
  /** Attempts that count for the schedule. */
  readonly tries: number;
  readonly createdAt: Date;
  readonly nextAt: Date;
};

/** The ids of events name the state that is reported, so that each state has one event. */
export const paymentEventId = (paymentId: PaymentId, status: string): string => `pay.${paymentId}.${status}`;
export const payoutEventId = (payoutId: string, status: string): string => `po.${payoutId}.${status}`;

/** The payment or payout that an event is about. */
export const subjectOf = ({ id }: Pick<PostbackEvent, 'id'>): string => id.split('.')[1] ?? '';

/** What may be one of our event ids at all. */
export const isEventId = (text: string): boolean => /^(?:pay|po)\.[0-9A-Za-z]{1,64}\.[A-Z]+$/.test(text);

/** A shop's Result URL or a merchant's payout webhook goes by the id of its owner. */
export type EndpointId = ShopId | MerchantId;

/** Whose health counts for this event: the shop's Result URL or the merchant's payout webhook. The queue's group too. */
export const endpointIdOf = ({
  kind,
  shopId,
  merchantId,
}: Pick<PostbackEvent, 'kind' | 'shopId' | 'merchantId'>): EndpointId =>
  kind === 'payment' && shopId !== undefined ? shopId : merchantId;
