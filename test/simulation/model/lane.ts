import type { CallAnswer } from '../../../lib/payment/call.ts';
import type { NextStep, SeenState } from '../../../lib/payment/next-step.ts';
import type { LateQuery, Payment } from '../../../lib/payment/payment.ts';

/** The status and phase of a payment: what its conditional writes compare. */
export type Paid = Pick<Payment, 'status' | 'phase'>;

/**
 * The age of a key since the first call under it. `unsent`: from 22 hours on. `expired`: from 24 hours on, when the acquirer no
 * longer knows it. `listed`: from 26 hours on, when every order is in the list.
 */
export type Age = 'live' | 'unsent' | 'expired' | 'listed';
/** When a step is chosen. While the key is live this is before or after the payment's page closes, in either order. */
export type Moment = 'open' | 'closed' | Exclude<Age, 'live'>;

/** The order at the acquirer. `refunded`: captured, and all of it went back. */
export type Order = {
  readonly state: Exclude<SeenState, 'unknown' | 'absent'>;
  /** Whether less than the charge was authorised. */
  readonly isLess: boolean;
  readonly isListed: boolean;
  /** Whether it was authorised or captured after a failure. */
  readonly cameLate: boolean;
};

/** The state of a refund at the acquirer, under one key. */
export type Refund = 'pending' | 'succeeded' | 'rejected' | 'empty';

/** The stored record of `start`, whose attempt is never raised. */
type StartCall = { readonly unanswered: number; readonly answer: 'refused' | undefined };
/** The stored record of a refund, and how old its key is. */
export type RefundCall = {
  readonly attempt: number;
  readonly unanswered: number;
  readonly answer: CallAnswer | undefined;
  readonly age: Age;
};

/** The payment as a handler has read it. */
export type Seen = {
  readonly paid: Paid;
  /** Whether it holds the bill, and whether the bill is paid; false where nothing depends on it. */
  readonly holds: boolean;
  readonly isBillPaid: boolean;
  readonly refundCall: Omit<RefundCall, 'age'> | undefined;
  readonly lateQuery: LateQuery | undefined;
};

/** What a handler knows and does next. It may stop or crash before each. */
export type Handler =
  | { readonly kind: 'idle' }
  /** Has read the payment, and queries the acquirer. */
  | { readonly kind: 'reading'; readonly seen: Seen }
  /** Knows the order, and reads the payment again. */
  | { readonly kind: 'knowing'; readonly view: SeenState }
  | {
      readonly kind: 'acting';
      readonly step: NextStep | 'duplicate_capture';
      readonly seen: Seen;
      readonly view: SeenState;
      readonly at: Moment;
    }
  /** Has recorded a call, and makes it. `isInTime`: it was begun within 22 hours. */
  | { readonly kind: 'starting'; readonly isInTime: boolean }
  | { readonly kind: 'refunding'; readonly attempt: number; readonly isInTime: boolean }
  /** Has an answer, and stores it. */
  | { readonly kind: 'opened'; readonly view: SeenState }
  | { readonly kind: 'refused'; readonly wasCarriedOut: boolean }
  | { readonly kind: 'refund'; readonly attempt: number; readonly refund: Refund }
  /** Has made a late query that found nothing. */
  | { readonly kind: 'queried'; readonly lateQuery: LateQuery };

/** One payment with its order and its handlers. */
export type Lane = {
  /** Undefined: it has not started. */
  readonly paid: Paid | undefined;
  /** The age of the payment and of its `start`. */
  readonly age: Age;
  readonly startCall: StartCall;
  /** Whether the order's reference is stored. */
  readonly hasReference: boolean;
  readonly order: Order | undefined;
  readonly refundCall: RefundCall | undefined;
  /** The refunds at the acquirer, by attempt. */
  readonly refunds: Readonly<Partial<Record<number, Refund>>>;
  readonly lateQuery: LateQuery | undefined;
  /** Whether its acquirer is in the environment's record. */
  readonly isDeployed: boolean;
  /** Whether people failed it by hand. */
  readonly isByHand: boolean;
  /** How often its capture was credited, and its money posted as owed to the payer. */
  readonly credits: number;
  readonly duplicates: number;
  readonly handlers: readonly Handler[];
  /** What a handler did that must never happen. */
  readonly fault: string | undefined;
};

export const idle: Handler = { kind: 'idle' };

export const newLane = (handlers: number): Lane => ({
  paid: undefined,
  age: 'live',
  startCall: { unanswered: 0, answer: undefined },
  hasReference: false,
  order: undefined,
  refundCall: undefined,
  refunds: {},
  lateQuery: undefined,
  isDeployed: true,
  isByHand: false,
  credits: 0,
  duplicates: 0,
  handlers: Array.from({ length: handlers }, () => idle),
  fault: undefined,
});

const handlerTexts = new WeakMap<Handler, string>();

/** Equal handlers have the same text. */
export function handlerText(handler: Handler): string {
  const known = handlerTexts.get(handler);
  if (known !== undefined) return known;
  const text = JSON.stringify(handler);
  handlerTexts.set(handler, text);
  return text;
}

/** The handlers of one payment are interchangeable, so they are sorted. */
export const inOrder = (handlers: readonly Handler[]): readonly Handler[] =>
  handlers.length < 2 ? handlers : handlers.toSorted((a, b) => (handlerText(a) < handlerText(b) ? -1 : 1));

/** Returns a lane with these changes. */
export const changed = (lane: Lane, changes: Changes): Lane => ({ ...lane, ...changes });
export type Changes = { readonly [K in keyof Lane]?: Lane[K] };

/** Equal lanes have the same text. */
export function laneText(lane: Lane): string {
  const { handlers, order, refundCall, refunds, startCall, paid } = lane;
  return [
    paid?.status,
    paid?.phase,
    lane.age,
    startCall.unanswered,
    startCall.answer,
    lane.hasReference,
    order?.state,
    order?.isLess,
    order?.isListed,
    order?.cameLate,
    refundCall?.attempt,
    refundCall?.unanswered,
    refundCall?.answer,
    refundCall?.age,
    refunds[1],
    refunds[2],
    lane.lateQuery,
    lane.isDeployed,
    lane.isByHand,
    lane.credits,
    lane.duplicates,
    lane.fault,
    ...handlers.map(handlerText),
  ].join('|');
}
