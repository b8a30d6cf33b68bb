import { describe, expect, it } from 'vitest';
import { toShopId } from '../../lib/ids.ts';
import { lastAnswer, withAttempt } from '../../lib/postback/attempts.ts';
import {
  breakerState,
  isFailingTooLong,
  openForMs,
  newcomerWaitMs,
  waitMs,
} from '../../lib/postback/breaker.ts';
import { outcomeOfAttempt } from '../../lib/postback/attempt-outcome.ts';
import type { EndpointHealth, PostAnswer } from '../../lib/postback/ports.ts';
import { delayAfter, nextAttemptAfter } from '../../lib/postback/schedule.ts';
import { anAttempt } from '../support/postbacks.ts';

const middle = () => 0.5;
const now = new Date('2026-11-21T12:00:00Z');
const after = (ms: number) => new Date(now.getTime() + ms);

const failed = (tries: number) => ({ tries, overloaded: false, retryAfterSeconds: undefined });

describe('the schedule', () => {
  it('waits 5 s, 30 s, 2 min, 10 min, 1, 3, 6, 12, 24 and 24 hours, and then stops', () => {
    const seconds = Array.from({ length: 11 }, (_, index) => delayAfter(failed(index + 1), middle)).map(
      (ms) => (ms === undefined ? undefined : ms / 1000),
    );
    const hour = 3600;
    expect(seconds).toEqual([
      5,
      30,
      120,
      600,
      hour,
      3 * hour,
      6 * hour,
      12 * hour,
      24 * hour,
      24 * hour,
      undefined,
    ]);
  });

  it.each([
    [0, 24_000],
    [0.5, 30_000],
    [0.999_999, 36_000],
  ])('varies a gap by ±20 % (chance %s)', (chance, ms) => {
    expect(delayAfter(failed(2), () => chance)).toBe(ms);
  });

  it('doubles the gap for an overloaded receiver', () => {
    expect(delayAfter({ ...failed(2), overloaded: true }, middle)).toBe(60_000);
  });

  it.each([
    [3, 5_000],
    [90, 90_000],
    [86_400, 86_400_000],
    [999_999, 86_400_000],
  ])('never retries before Retry-After: %s, up to a day', (retryAfterSeconds, ms) => {
    expect(delayAfter({ ...failed(1), retryAfterSeconds }, middle)).toBe(ms);
  });

  it('uses a delayed message for waits up to 15 minutes, with the sweeper two minutes later as fallback', () => {
    expect(nextAttemptAfter(now, 5_000)).toEqual({
      at: after(5_000),
      sweepAt: after(125_000),
      delaySeconds: 6,
    });
    expect(nextAttemptAfter(now, 899_999)).toMatchObject({ delaySeconds: 900 });
  });

  it('leaves longer waits to the sweeper', () => {
    expect(nextAttemptAfter(now, 900_000)).toEqual({ at: after(900_000), sweepAt: after(900_000) });
  });
});

describe('the outcome of an event', () => {
  const answered = (status: number, more = {}): PostAnswer => ({
    kind: 'answered',
    status,
    retryAfterSeconds: undefined,
    body: '',
    ...more,
  });
  const tried = (answer: PostAnswer, paused = false) => ({
    answer,
    at: now,
    now: after(40),
    signature: 'ABCDEF',
    paused,
  });
  const event = { tries: 0 };

  it.each([200, 201, 202, 204, 299])('is DELIVERED by %d', (status) => {
    expect(outcomeOfAttempt(event, tried(answered(status)), middle)).toEqual({
      state: 'DELIVERED',
      counts: true,
      attempt: { at: now, ms: 40, outcome: status.toString() },
    });
  });

  it.each<[string, PostAnswer]>([
    ['a redirect', answered(302)],
    ['a 404', answered(404)],
    ['a server error', answered(500)],
    ['a timeout', { kind: 'unreachable', why: 'timeout' }],
    ['a forbidden address', { kind: 'unreachable', why: 'refused_address' }],
  ])('is a retry after %s', (_case, answer) => {
    const { state, nextAttempt } = outcomeOfAttempt(event, tried(answer), middle);
    expect({ state, nextAttempt }).toMatchObject({ state: 'RETRY', nextAttempt: { at: after(5_040) } });
  });

  it.each<[PostAnswer, string]>([
    [answered(307), '307_redirect'],
    [answered(404), '404'],
    [{ kind: 'unreachable', why: 'bad_certificate' }, 'bad_certificate'],
  ])('names the response: %j is %s', (answer, name) => {
    expect(outcomeOfAttempt(event, tried(answer), middle).attempt.outcome).toBe(name);
  });

  it.each([429, 502, 504])('is a retry after twice the gap for %d', (status) => {
    expect(outcomeOfAttempt(event, tried(answered(status)), middle).nextAttempt?.at).toEqual(after(10_040));
  });

  it('is DEAD after the eleventh failure', () => {
    expect(outcomeOfAttempt({ tries: 9 }, tried(answered(500)), middle).state).toBe('RETRY');
    expect(outcomeOfAttempt({ tries: 10 }, tried(answered(500)), middle).state).toBe('DEAD');
  });

  it('is PAUSED with its endpoint', () => {
    expect(outcomeOfAttempt(event, tried(answered(410), true), middle)).toMatchObject({
      state: 'PAUSED',
      counts: true,
    });
  });

  it('never stores a signature that the receiver echoed', () => {
    const echo = answered(500, { body: 'got SignatureValue=ABCDEF' });
    expect(outcomeOfAttempt(event, tried(echo), middle).attempt.answer).toBe(
      'got SignatureValue=[signature]',
    );
  });
});

describe('the breaker', () => {
  const health: EndpointHealth = {
    id: toShopId('ShopShopShopShop'),
    failuresInARow: 5,
    failingSince: undefined,
    failedTries: 11,
    openUntil: undefined,
    openings: 1,
    nextProbeAt: undefined,
    paused: false,
    slowUntil: undefined,
    waits: 0,
  };

  it('opens for 30 seconds, doubling to 15 minutes', () => {
    expect([0, 1, 2, 3, 4, 5, 50].map((openings) => openForMs(openings) / 1000)).toEqual([
      30, 60, 120, 240, 480, 900, 900,
    ]);
  });

  it('is open until its time is over, then half-open', () => {
    expect(breakerState({ openUntil: undefined }, now)).toBe('closed');
    expect(breakerState({ openUntil: after(1) }, now)).toBe('open');
    expect(breakerState({ openUntil: now }, now)).toBe('half_open');
  });

  it('defers events until it may be probed, spread over a minute', () => {
    expect(waitMs({ openUntil: after(30_000) }, now, () => 0)).toBe(30_000);
    expect(waitMs({ openUntil: after(30_000) }, now, () => 0.5)).toBe(60_000);
    expect(waitMs({ openUntil: now }, now, () => 0)).toBe(30_000);
  });

  it('pauses an endpoint that failed for five days without a success', () => {
    const days = (count: number) => new Date(now.getTime() - count * 86_400_000);
    expect(isFailingTooLong({ ...health, failingSince: days(4.9) }, now)).toBe(false);
    expect(isFailingTooLong({ ...health, failingSince: days(5) }, now)).toBe(true);
    expect(isFailingTooLong(health, now)).toBe(false);
  });

  it('does not pause one for a few failures, however long ago the first was', () => {
    const longAgo = { failingSince: new Date(now.getTime() - 180 * 86_400_000) };
    expect(isFailingTooLong({ ...longAgo, failedTries: 10 }, now)).toBe(false);
    expect(isFailingTooLong({ ...longAgo, failedTries: 11 }, now)).toBe(true);
  });

  it('defers a new event that may not probe by five to ten seconds', () => {
    expect([0, 0.5, 0.999_999].map((chance) => newcomerWaitMs(() => chance))).toEqual([5_000, 7_500, 10_000]);
  });
});

describe('the history of an event', () => {
  const history = Array.from({ length: 12 }, (_, index) => anAttempt({ at: after(index) }));

  it('has the latest twelve attempts', () => {
    const longer = withAttempt(history, anAttempt({ at: after(12), outcome: '200' }));
    expect([longer.length, longer[0]?.at, longer.at(-1)?.outcome]).toEqual([12, after(1), '200']);
  });

  it('has one entry for consecutive skipped attempts', () => {
    const once = withAttempt(history.slice(0, 2), anAttempt({ at: after(2), outcome: 'breaker_open' }));
    const twice = withAttempt(once, anAttempt({ at: after(3), outcome: 'breaker_open' }));
    expect(twice.map(({ outcome }) => outcome)).toEqual(['500', '500', 'breaker_open']);
    expect(twice.at(-1)?.at).toEqual(after(3));
  });

  it('has the last response of the receiver, whatever followed', () => {
    const since = ['breaker_open', 'interrupted', 'endpoint_paused', 'replay'];
    const asides = since.map((outcome, at) => anAttempt({ at: after(20 + at), outcome }));
    expect(lastAnswer([...history, ...asides, anAttempt({ at: after(30), outcome: undefined })])).toEqual(
      history.at(-1),
    );
    expect(lastAnswer(asides)).toBeUndefined();
  });
});
