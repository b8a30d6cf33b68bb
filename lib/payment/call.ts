import type { PaymentId } from '../ids.ts';

/** The calls that change something at the acquirer. Each has an idempotency key with the number of its attempt. */
export const callKinds = ['start', 'capture', 'cancel', 'refund'] as const;
export type CallKind = (typeof callKinds)[number];

/**
 * What the last answered call said: `refused`: definitely not carried out; of a refund also `pending`, `rejected`, and `empty`: our
 * account at the acquirer was empty.
 */
export const callAnswers = ['refused', 'pending', 'rejected', 'empty'] as const;
export type CallAnswer = (typeof callAnswers)[number];

/** The calls under one key, stored with the payment before each is made. */
export type Call = {
  /** Starts at 1. */
  readonly attempt: number;
  /** How many calls under the key were begun and not answered. A call that settled the matter is not counted down. */
  readonly unanswered: number;
  /** Undefined: no answer left the matter open. */
  readonly answer: CallAnswer | undefined;
  /** The acquirer's code for the refusal. */
  readonly outcome: string | undefined;
  /** Of a capture or refund: part of the body, which is equal for every call under the key. */
  readonly amountMinor: bigint | undefined;
  readonly firstAt: Date;
  readonly lastAt: Date;
};

const hour = 3600_000;
/** Acquirers keep a key for 24 hours; after 22 hours nothing is created under it any more. */
const sendableHours = 22;
/** From then on the acquirer's list decides whether an order exists. */
export const listDecidesHours = 26;

export const hoursSince = (at: Date, now: Date): number => (now.getTime() - at.getTime()) / hour;
/** Whether a call may still create something under its key. */
export const isSendable = ({ firstAt }: Pick<Call, 'firstAt'>, now: Date): boolean =>
  hoursSince(firstAt, now) < sendableHours;

/** Whether the last attempt is known to have done nothing: it was refused, and no call under its key is unanswered. */
export const isRefused = (call: Pick<Call, 'answer' | 'unanswered'> | undefined): boolean =>
  call !== undefined && call.unanswered === 0 && (call.answer === 'refused' || call.answer === 'empty');

/** Returns the record of the next call: under the same key, or under the next when the last attempt is known to have done nothing. */
export function nextCall(
  last: Call | undefined,
  { now, amountMinor }: { readonly now: Date; readonly amountMinor?: bigint },
): Call {
  if (last && !isRefused(last)) return { ...last, unanswered: last.unanswered + 1, lastAt: now };
  return {
    attempt: (last?.attempt ?? 0) + 1,
    unanswered: 1,
    answer: undefined,
    outcome: undefined,
    amountMinor,
    firstAt: now,
    lastAt: now,
  };
}

export const callKey = (id: PaymentId, kind: CallKind, { attempt }: Pick<Call, 'attempt'>): string =>
  kind === 'start' ? `${id}.${attempt}` : `${id}.${kind}.${attempt}`;
