import type { BillId, MerchantId, PaymentId, PayoutId, ShopId } from '../ids.ts';

export const eventStates = ['PENDING', 'RETRY', 'DELIVERED', 'SUPERSEDED', 'PAUSED', 'DEAD'] as const;
export type EventState = (typeof eventStates)[number];

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
  readonly kind: 'payment' | 'payout';
  readonly merchantId: MerchantId;
  /** Payment postbacks: the shop whose Result URL is called. Payout postbacks go to the merchant's webhook URL. */
  readonly shopId: ShopId | undefined;
  /** The bill whose later success supersedes this FAIL; set only for a FAIL on a NORMAL bill. */
  readonly supersededByBill: BillId | undefined;
  readonly status: string;
  /** All fields except SignatureValue, in the contract's order, as they are sent; with `sealedPhone` the AccountNumber is its mask. */
  readonly fields: Readonly<Record<string, string>>;
  /** Payouts to a phone: the AccountNumber that is sent, sealed. Events of earlier versions have it in `fields`. */
  readonly sealedPhone: string | undefined;
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

/** Returns the id of the payment or payout that an event is about. */
export const subjectOf = ({ id }: Pick<PostbackEvent, 'id'>): string => id.split('.')[1] ?? '';

/** Whether the text has the shape of an event id. */
export const isEventId = (text: string): boolean => /^(?:pay|po)\.[0-9A-Za-z]{1,64}\.[A-Z]+$/.test(text);

/** A shop's Result URL or a merchant's payout webhook, identified by its owner's id. */
export type EndpointId = ShopId | MerchantId;

/** Returns the event's endpoint: the shop's Result URL or the merchant's payout webhook. Also its queue group. */
export const endpointIdOf = ({
  kind,
  shopId,
  merchantId,
}: Pick<PostbackEvent, 'kind' | 'shopId' | 'merchantId'>): EndpointId =>
  kind === 'payment' && shopId !== undefined ? shopId : merchantId;
