import { breakerState, probeLeaseMs, waitMs } from './breaker.ts';
import type { EventState } from './event.ts';
import type { EndpointHealth, Endpoints, Outcome } from './ports.ts';
import type { Recipient } from './recipient.ts';
import { type Chance, nextAttemptAfter } from './schedule.ts';

type Ports = { readonly endpoints: Pick<Endpoints, 'takeProbe'>; readonly chance: Chance };

/** What becomes of an event for which no POST is made this time; undefined when one is. Nothing of this counts as an attempt. */
export async function skipOutcome(
  ports: Ports,
  { url, health }: Recipient,
  { superseded, now }: { readonly superseded: boolean; readonly now: Date },
): Promise<Outcome | undefined> {
  if (superseded) return skipped('SUPERSEDED', 'superseded', now);
  if (url === '') return skipped('DEAD', 'no_url', now);
  if (health.paused) return skipped('PAUSED', 'endpoint_paused', now);
  if (await mayPass(ports, health, now)) return undefined;
  return {
    ...skipped('RETRY', 'breaker_open', now),
    nextAttempt: nextAttemptAfter(now, waitMs(health, now, ports.chance)),
  };
}

async function mayPass({ endpoints }: Ports, health: EndpointHealth, now: Date): Promise<boolean> {
  const state = breakerState(health, now);
  if (state !== 'half_open') return state === 'closed';
  return endpoints.takeProbe(health.id, now, new Date(now.getTime() + probeLeaseMs));
}

const skipped = (state: EventState, outcome: string, at: Date): Outcome => ({
  state,
  attempt: { at, outcome },
  counts: false,
});
