import { notMade, wasDeferred } from './attempts.ts';
import { breakerState, newcomerWaitMs, probeGapMs, waitMs } from './breaker.ts';
import type { EventState, PostbackEvent } from './event.ts';
import type { EndpointHealth, Endpoints, DeliveryOutcome } from './ports.ts';
import type { Recipient } from './recipient.ts';
import { type Chance, nextAttemptAfter } from './schedule.ts';

type Ports = { readonly endpoints: Pick<Endpoints, 'takeProbe'>; readonly chance: Chance };
type Waiting = Pick<PostbackEvent, 'tries' | 'attempts'>;
type Due = {
  readonly event: Waiting;
  readonly superseded: boolean;
  /** The event that must be sent before this one, as it is now. */
  readonly awaited: Pick<PostbackEvent, 'state' | 'nextAt'> | undefined;
  readonly now: Date;
};

/** Returns the outcome when no POST is made this time; undefined when one is. A skip never counts as a try. */
export async function skipOutcome(
  ports: Ports,
  { url, health }: Recipient,
  { event, superseded, awaited, now }: Due,
): Promise<DeliveryOutcome | undefined> {
  if (superseded) return skipped('SUPERSEDED', 'superseded', now);
  if (url === '') return skipped('DEAD', 'no_url', now);
  if (health.paused) return skipped('PAUSED', 'endpoint_paused', now);
  if (awaited && !isFinished(awaited)) {
    const delayMs = paymentWaitMs(awaited, now, ports.chance);
    return { ...skipped('RETRY', 'awaits_payment', now), nextAttempt: nextAttemptAfter(now, delayMs) };
  }
  if (await mayPass(ports, health, event, now)) return undefined;
  const isNewcomer = event.tries === 0 && !wasDeferred(event.attempts);
  const delayMs = isNewcomer ? newcomerWaitMs(ports.chance) : waitMs(health, now, ports.chance);
  return { ...skipped('RETRY', 'breaker_open', now), nextAttempt: nextAttemptAfter(now, delayMs) };
}

/** PAUSED and DEAD events are sent again by the operator alone: nothing waits for that. */
const isFinished = ({ state }: Pick<PostbackEvent, 'state'>): boolean =>
  state !== 'PENDING' && state !== 'RETRY';

const shortestWaitMs = 5_000;
const longestWaitMs = 10 * 60_000;

/** Returns the wait for another event: until just after its next attempt, but at most ten minutes, as it may be replayed before. */
const paymentWaitMs = ({ nextAt }: Pick<PostbackEvent, 'nextAt'>, now: Date, chance: Chance): number => {
  const left = Math.max(nextAt.getTime() - now.getTime(), 0);
  return Math.round(Math.min(left + shortestWaitMs, longestWaitMs) + shortestWaitMs * chance());
};

/** An event never tried may probe an open breaker, so that a recovered receiver gets a new order's postback at once. */
async function mayPass(
  { endpoints }: Ports,
  health: EndpointHealth,
  { tries }: Waiting,
  now: Date,
): Promise<boolean> {
  const state = breakerState(health, now);
  if (state === 'closed') return true;
  if (state === 'open' && tries > 0) return false;
  if (health.nextProbeAt !== undefined && health.nextProbeAt > now) return false;
  return endpoints.takeProbe(health.id, now, new Date(now.getTime() + probeGapMs));
}

const skipped = (state: EventState, outcome: string, at: Date): DeliveryOutcome => ({
  state,
  attempt: notMade(at, outcome),
  counts: false,
  nextAttempt: undefined,
});
