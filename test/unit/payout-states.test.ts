import { describe, expect, it } from 'vitest';
import {
  accepted,
  approved,
  askedAgain,
  finished,
  inError,
  queuedAgain,
  sentAgain,
  sentOut,
  returned,
  stopped,
  toBeCheckedLater,
} from '../../lib/payout/moves.ts';
import type {
  FinalPayout,
  OpenPayout,
  PaidPayout,
  Payout,
  QueuedPayout,
  SentPayout,
} from '../../lib/payout/payout.ts';
import { isCheckWindowOver, nextCheckAt } from '../../lib/payout/status-checks.ts';
import {
  isFinalPayoutStatus,
  mayMove,
  type PayoutStatus,
  payoutStatuses,
  wholeStatus,
} from '../../lib/payout/states.ts';
import { type RailAnswer, type RailCall, withCall } from '../../lib/payout/rail-calls.ts';
import { transferOf } from '../../lib/payout/transfer.ts';
import { payoutItem, toPayout } from '../../lib/store/payout-item.ts';
import { aDecision, aPayout } from '../support/payouts.ts';

const now = new Date('2026-11-21T12:00:00Z');
const decision = aDecision({ verdict: 'approved', by: 'olga', at: now });

const queued = () => aPayout({ status: 'PROCESS', revision: 7 });
const sent = () => ({ ...sentOut(aPayout({ status: 'NEW' }), now, 'test'), revision: 7 });
const nothingThere = { notTaken: true, attemptOver: false };
const perhapsThere = { notTaken: false, attemptOver: false };
const moderated = () => aPayout({ revision: 7 });
const failing = () => aPayout({ status: 'ERROR', revision: 7 });
const fresh = () => aPayout({ status: 'NEW', revision: 7 });

const moves: readonly (readonly [string, Payout, PayoutStatus])[] = [
  ['approved from MODERATING', approved(moderated(), decision), 'PROCESS'],
  ['sent from NEW', sentOut(fresh(), now, 'test'), 'PROCESS'],
  ['sent from PROCESS', sentOut(queued(), now, 'test'), 'PROCESS'],
  ['checked again from ERROR', askedAgain(failing(), decision), 'PROCESS'],
  ['checked later from PROCESS', toBeCheckedLater(sent(), now, undefined), 'PROCESS'],
  ['queued again from PROCESS', queuedAgain(sent(), now, nothingThere), 'PROCESS'],
  ['in error from NEW', inError(fresh(), 'why'), 'ERROR'],
  ['in error from PROCESS', inError(sent(), 'why'), 'ERROR'],
  ['paid from PROCESS', finished(sent(), 'SUCCESS'), 'SUCCESS'],
  ['paid from ERROR', finished(failing(), 'SUCCESS'), 'SUCCESS'],
  ['failed from PROCESS', finished(sent(), 'FAIL'), 'FAIL'],
  ['failed from ERROR', finished(failing(), 'FAIL'), 'FAIL'],
  ['declined from NEW', finished(fresh(), 'DECLINED'), 'DECLINED'],
  ['declined from MODERATING', finished(moderated(), 'DECLINED'), 'DECLINED'],
  ['declined from PROCESS', finished(queued(), 'DECLINED'), 'DECLINED'],
  ['stopped from NEW', stopped(fresh(), decision), 'MODERATING'],
  ['stopped from PROCESS', stopped(queued(), decision), 'MODERATING'],
];

/** States that must not compile: `tsc` fails once one of these lines is no longer an error. */
export const impossible = [
  // @ts-expect-error: an open payout has its destination
  (): OpenPayout => ({ ...sent(), destination: undefined }),
  // @ts-expect-error: a sent payout has the time of sending
  (): SentPayout => ({ ...sent(), sentAt: undefined }),
  // @ts-expect-error: a payout for the dispatcher has its due time
  (): QueuedPayout => ({ ...queued(), dueAt: undefined }),
  // @ts-expect-error: a final payout has no destination
  (paid: FinalPayout) => paid.destination,
  // @ts-expect-error: a final payout cannot move
  (paid: PaidPayout) => inError(paid, 'why'),
  // @ts-expect-error: a payout is not paid before its release
  () => finished(moderated(), 'SUCCESS'),
  // @ts-expect-error: a payout in ERROR cannot be declined
  () => finished(failing(), 'DECLINED'),
  // @ts-expect-error: only the dispatcher moves a payout to ERROR
  () => inError(moderated(), 'why'),
  // @ts-expect-error: a sent payout is checked, not sent for the first time again
  () => sentOut(sent(), now, 'test'),
  // @ts-expect-error: a sent payout does not go back to the moderator
  () => stopped(sent(), decision),
  // @ts-expect-error: only a paid payout can be returned
  () => returned(aPayout({ status: 'FAIL' }), decision),
];

describe('a payout', () => {
  it.each(moves)('is %s', (_name, after, status) => {
    expect(after).toMatchObject({ status, revision: 8 });
  });

  it('moves as the table says', () => {
    const table = payoutStatuses.map((from) => [from, payoutStatuses.filter((to) => mayMove(from, to))]);
    expect(Object.fromEntries(table)).toEqual({
      NEW: ['MODERATING', 'PROCESS', 'ERROR', 'DECLINED'],
      MODERATING: ['PROCESS', 'DECLINED'],
      PROCESS: ['MODERATING', 'PROCESS', 'SUCCESS', 'FAIL', 'ERROR', 'DECLINED'],
      ERROR: ['PROCESS', 'SUCCESS', 'FAIL'],
      SUCCESS: [],
      FAIL: [],
      DECLINED: [],
    });
  });

  it('ends in SUCCESS, FAIL or DECLINED, and nowhere else', () => {
    expect(payoutStatuses.filter(isFinalPayoutStatus)).toEqual(['SUCCESS', 'FAIL', 'DECLINED']);
  });

  it('loses its destination in its final state, and only then', () => {
    expect(sent().destination).toBeDefined();
    expect(inError(sent(), 'why').destination).toBeDefined();
    expect(finished(sent(), 'SUCCESS')).not.toHaveProperty('destination');
    expect(finished(sent(), 'FAIL')).not.toHaveProperty('destination');
    expect(finished(aPayout(), 'DECLINED')).not.toHaveProperty('destination');
  });

  it('keeps its key while nothing says that the attempt has ended', () => {
    const first = sent();
    for (const how of [nothingThere, perhapsThere]) {
      const again = sentOut(queuedAgain(first, now, how), now, 'test');
      expect([first.providerKey, again.providerKey]).toEqual([`${first.id}.1`, `${first.id}.1`]);
    }
  });

  it('has a new key after an attempt that ended, and forgets the reference of that attempt', () => {
    const view = { state: 'accepted', reference: 'ref-1' } as const;
    const over = queuedAgain(accepted(sent(), view), now, { notTaken: true, attemptOver: true });
    const again = sentOut(over, now, 'test');
    expect(again).toMatchObject({ providerKey: `${again.id}.2`, attempt: 2, firstCallAt: now });
    expect([again.reference, again.accepted, again.attemptOver]).toEqual([undefined, undefined, undefined]);
  });

  it('that an earlier version sent keeps its id as the key, and continues with attempt 2', () => {
    const older = { ...queued(), rail: 'test' };
    const sentByOlder = { ...older, providerKey: older.id };
    expect(sentOut(sentByOlder, now, 'test')).toMatchObject({ providerKey: older.id, attempt: undefined });
    const over = { ...sentByOlder, attemptOver: true } as const;
    expect(sentOut(over, now, 'test')).toMatchObject({ providerKey: `${older.id}.2`, attempt: 2 });
  });

  it('has a new key at another rail', () => {
    const waiting = queuedAgain(sent(), now, nothingThere);
    expect(sentOut(waiting, now, 'another')).toMatchObject({
      providerKey: `${waiting.id}.2`,
      rail: 'another',
    });
  });

  it.each([
    ['a call whose outcome nobody knows', queuedAgain(sent(), now, perhapsThere)],
    ['its acceptance by the rail', accepted(queuedAgain(sent(), now, nothingThere), { state: 'accepted' })],
  ])('that is queued again after %s is neither stopped nor declined', (_how, payout) => {
    expect(() => stopped(payout, decision)).toThrow('The rail may have this payout');
    expect(() => finished(payout, 'DECLINED')).toThrow('The rail may have this payout');
    expect(() => finished(sent(), 'DECLINED')).toThrow('The rail may have this payout');
  });

  it('may be stopped or declined after its only call met an empty account, until it is sent again', () => {
    const again = queuedAgain(sent(), now, nothingThere);
    expect(stopped(again, decision)).toMatchObject({ status: 'MODERATING' });
    expect(stopped(again, decision)).not.toHaveProperty('dueAt');
    expect(finished(again, 'DECLINED').status).toBe('DECLINED');
    expect(() => finished(sentOut(again, now, 'test'), 'DECLINED')).toThrow('The rail may have');
  });

  it('still shows SUCCESS when the money is returned', () => {
    const paid = aPayout({ status: 'SUCCESS' });
    const after = returned(paid, { ...decision, verdict: 'returned' });
    expect([after.status, after.revision]).toEqual(['SUCCESS', paid.revision + 1]);
  });

  it('stores the reference of the first acceptance, and no later one', () => {
    expect(accepted(sent(), { state: 'accepted', reference: 'r-1' }).reference).toBe('r-1');
    expect(toBeCheckedLater(sent(), now, { state: 'unknown', reference: 'r-1' }).reference).toBeUndefined();
  });

  it('is checked after 10 s, 30 s, 2 min, 10 min, then hourly', () => {
    const waits = [0, 1, 2, 3, 4, 5].map(
      (checks) => (nextCheckAt(checks, now).getTime() - now.getTime()) / 1000,
    );
    expect(waits).toEqual([10, 30, 120, 600, 3600, 3600]);
  });

  it('needs a person after a day of checks, not a second earlier', () => {
    const dayLater = new Date('2026-11-22T12:00:00Z');
    expect(isCheckWindowOver(now, dayLater)).toBe(true);
    expect(isCheckWindowOver(now, new Date(dayLater.getTime() - 1000))).toBe(false);
  });
});

describe('a payout that an earlier version stored', () => {
  const { attempt, firstCallAt, lastCallAt, attemptOver, railCalls, ...stored } = payoutItem({
    ...sent(),
    providerKey: sent().id,
  });
  const older = toPayout(stored);

  it('is read without the fields of its attempts', () => {
    expect(older).toMatchObject({ status: 'PROCESS', providerKey: older.id, railCalls: [] });
    expect([older.attempt, older.firstCallAt, older.attemptOver]).toEqual([undefined, undefined, undefined]);
  });

  it('is known to its rail by its id, as its first attempt, called after its creation at the earliest', () => {
    const { id: payoutId, createdAt } = older;
    const transfer = { payoutId, key: payoutId, attempt: 1, firstCallAt: createdAt };
    expect(transferOf(older)).toMatchObject(transfer);
  });

  it('is sent again under its id', () => {
    if (older.status !== 'PROCESS' || older.phase !== 'SENT') throw new Error('It was sent');
    const again = sentAgain(older, now, 'test');
    expect(transferOf(again)).toMatchObject({ key: older.id, attempt: 1 });
    expect(again.railCalls).toMatchObject([{ call: 'send', key: older.id, answer: 'no_answer' }]);
  });
});

describe('the evidence of a payout', () => {
  const call = (at: Date, answer: RailAnswer) => ({ call: 'get', key: 'payout.1', at, answer }) as const;
  const later = new Date(now.getTime() + 1000);
  const noCalls: readonly RailCall[] = [];

  it('counts equal calls with equal answers in one line', () => {
    const calls = [call(now, { state: 'unknown' }), call(later, { state: 'unknown' })];
    expect(calls.reduce(withCall, noCalls)).toMatchObject([
      { answer: 'unknown', times: 2, firstAt: now, lastAt: later },
    ]);
  });

  it('has a line of its own for each answer, reference and reason', () => {
    const calls = [
      call(now, { state: 'unknown' }),
      call(now, { state: 'accepted', reference: 'po-1' }),
      call(now, { state: 'accepted', reference: 'po-2' }),
      call(now, { state: 'no_answer', reason: 'TimeoutError' }),
    ];
    expect(calls.reduce(withCall, noCalls)).toHaveLength(4);
  });

  it('keeps the latest forty lines', () => {
    const calls = Array.from({ length: 50 }, (_, at) =>
      call(now, { state: 'accepted', reference: `po-${at}` }),
    );
    const kept = calls.reduce(withCall, noCalls);
    expect(kept).toHaveLength(40);
    expect(kept.at(-1)).toMatchObject({ reference: 'po-49' });
  });
});

describe('the status of a split payout', () => {
  it.each([
    [['SUCCESS', 'SUCCESS'], 'SUCCESS'],
    [['SUCCESS', 'PROCESS'], 'PROCESS'],
    [['PROCESS', 'MODERATING'], 'MODERATING'],
    [['PROCESS', 'NEW'], 'NEW'],
    [['FAIL', 'PROCESS'], 'PROCESS'],
    [['ERROR', 'SUCCESS'], 'ERROR'],
    [['SUCCESS', 'DECLINED', 'MODERATING'], 'MODERATING'],
    [['SUCCESS', 'FAIL', 'DECLINED'], 'ERROR'],
    [['SUCCESS', 'DECLINED'], 'ERROR'],
    [['FAIL', 'SUCCESS'], 'ERROR'],
    [['DECLINED', 'FAIL'], 'FAIL'],
    [['DECLINED', 'DECLINED'], 'DECLINED'],
    [['FAIL'], 'FAIL'],
  ] as const)('of %j is %s', (parts, whole) => expect(wholeStatus(parts)).toBe(whole));
});
