import { describe, expect, it } from 'vitest';
import {
  accepted,
  approved,
  askedAgain,
  finished,
  inError,
  queuedAgain,
  sentOut,
  returned,
  stopped,
  toBeAskedLater,
} from '../../lib/payout/moves.ts';
import type { Payout } from '../../lib/payout/payout.ts';
import { isCheckWindowOver, nextCheckAt } from '../../lib/payout/status-checks.ts';
import {
  isFinalPayoutStatus,
  mayMove,
  type PayoutStatus,
  payoutStatuses,
  wholeStatus,
} from '../../lib/payout/states.ts';
import { aPayout } from '../support/payouts.ts';

const now = new Date('2026-11-21T12:00:00Z');
const decision = { verdict: 'approved', by: 'olga', at: now } as const;

const moves: readonly (readonly [
  string,
  (payout: Payout) => Payout,
  PayoutStatus,
  readonly PayoutStatus[],
])[] = [
  ['approved', (payout) => approved(payout, decision), 'PROCESS', ['NEW', 'MODERATING', 'PROCESS', 'ERROR']],
  ['sent', (payout) => sentOut(payout, now, 'test'), 'PROCESS', ['NEW', 'MODERATING', 'PROCESS', 'ERROR']],
  [
    'asked again',
    (payout) => askedAgain(payout, decision),
    'PROCESS',
    ['NEW', 'MODERATING', 'PROCESS', 'ERROR'],
  ],
  ['in error', (payout) => inError(payout, 'why'), 'ERROR', ['NEW', 'PROCESS']],
  ['paid', (payout) => finished(payout, 'SUCCESS'), 'SUCCESS', ['PROCESS', 'ERROR']],
  ['failed', (payout) => finished(payout, 'FAIL'), 'FAIL', ['PROCESS', 'ERROR']],
  ['declined', (payout) => finished(payout, 'DECLINED'), 'DECLINED', ['NEW', 'MODERATING', 'PROCESS']],
  ['stopped', (payout) => stopped(payout, decision), 'MODERATING', ['NEW', 'PROCESS']],
];

const cases = moves.flatMap(([name, move, to, allowed]) =>
  payoutStatuses.map((from) => ({ name, move, to, from, allowed: allowed.includes(from) })),
);

describe('a payout', () => {
  it.each(cases.filter(({ allowed }) => allowed))('is $name from $from', ({ move, to, from }) => {
    const before = aPayout({ status: from, revision: 7 });
    expect(move(before)).toMatchObject({ status: to, revision: 8 });
  });

  it.each(cases.filter(({ allowed }) => !allowed))('is never $name from $from', ({ move, from }) => {
    expect(() => move(aPayout({ status: from }))).toThrow(`does not go from ${from}`);
  });

  it('ends in SUCCESS, FAIL or DECLINED, and nowhere else', () => {
    expect(payoutStatuses.filter(isFinalPayoutStatus)).toEqual(['SUCCESS', 'FAIL', 'DECLINED']);
    expect(payoutStatuses.filter((status) => mayMove('SUCCESS', status))).toEqual([]);
  });

  it('loses its destination with its final state, and only then', () => {
    const sent = sentOut(aPayout({ status: 'PROCESS', phase: 'QUEUED' }), now, 'test');
    expect(sent.destination).toBeDefined();
    expect(inError(sent, 'why').destination).toBeDefined();
    expect(finished(sent, 'SUCCESS').destination).toBeUndefined();
    expect(finished(sent, 'FAIL').destination).toBeUndefined();
    expect(finished(aPayout(), 'DECLINED').destination).toBeUndefined();
  });

  it('keeps one provider key for ever: its id', () => {
    const sent = sentOut(aPayout({ status: 'NEW' }), now, 'test');
    const again = sentOut(queuedAgain(sent, now, false), now, 'test');
    expect([sent.providerKey, again.providerKey]).toEqual([sent.id, sent.id]);
  });

  it.each([
    ['sent', (sent: Payout) => sent],
    ['queued again with a call whose outcome nobody knows', (sent: Payout) => queuedAgain(sent, now, false)],
    ['accepted by the rail', (sent: Payout) => accepted(queuedAgain(sent, now, true), { state: 'accepted' })],
  ])('that was %s is neither stopped nor declined', (_how, move) => {
    const payout = move(sentOut(aPayout({ status: 'NEW' }), now, 'test'));
    expect(() => stopped(payout, decision)).toThrow('The rail may have this payout');
    expect(() => finished(payout, 'DECLINED')).toThrow('The rail may have this payout');
  });

  it('may be stopped or declined after its only call met an empty account, until it is sent again', () => {
    const queued = queuedAgain(sentOut(aPayout({ status: 'NEW' }), now, 'test'), now, true);
    expect(stopped(queued, decision)).toMatchObject({ status: 'MODERATING', dueAt: undefined });
    expect(finished(queued, 'DECLINED').status).toBe('DECLINED');
    expect(() => stopped(sentOut(queued, now, 'test'), decision)).toThrow('The rail may have');
  });

  it('goes on showing SUCCESS when the money comes back', () => {
    const paid = aPayout({ status: 'SUCCESS' });
    expect(returned(paid, { ...decision, verdict: 'returned' }).status).toBe('SUCCESS');
    expect(() => returned(aPayout({ status: 'FAIL' }), decision)).toThrow('Only a paid payout');
  });

  it('remembers the name under which the rail accepted it, and no other', () => {
    const sent = sentOut(aPayout({ status: 'NEW' }), now, 'test');
    expect(accepted(sent, { state: 'accepted', reference: 'r-1' }).reference).toBe('r-1');
    expect(toBeAskedLater(sent, now, { state: 'unknown', reference: 'r-1' }).reference).toBeUndefined();
  });

  it('is asked about after 10 s, 30 s, 2 min, 10 min, then hourly', () => {
    const waits = [0, 1, 2, 3, 4, 5].map(
      (checks) => (nextCheckAt(checks, now).getTime() - now.getTime()) / 1000,
    );
    expect(waits).toEqual([10, 30, 120, 600, 3600, 3600]);
  });

  it('needs a person after a day of questions, not a second earlier', () => {
    const dayLater = new Date('2026-11-22T12:00:00Z');
    expect(isCheckWindowOver(now, dayLater)).toBe(true);
    expect(isCheckWindowOver(now, new Date(dayLater.getTime() - 1000))).toBe(false);
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
