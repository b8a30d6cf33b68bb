import {
  breakerState,
  burdensWorker,
  failuresUntilOpen,
  isFailingTooLong,
  openForMs,
  probeGapMs,
} from './breaker.ts';
import type { EndpointId } from './event.ts';
import type { EndpointHealth, Endpoints, PostAnswer } from './ports.ts';
import { verdictOf } from './verdict.ts';

/** Reported to the operator at once: an endpoint was paused, or a postback was given up. */
export type Notice =
  | {
      readonly kind: 'endpoint_paused';
      readonly endpointId: EndpointId;
      readonly why: 'gone' | 'failing_for_days';
    }
  | { readonly kind: 'postback_dead'; readonly endpointId: EndpointId; readonly eventId: string };
export type Notify = (notice: Notice) => void;

type Ports = { readonly endpoints: Endpoints; readonly notify: Notify };

/** Records the endpoint's response and returns whether it is now paused. A healthy endpoint costs no write. */
export async function updateEndpointHealth(
  ports: Ports,
  health: EndpointHealth,
  answer: PostAnswer,
  now: Date,
): Promise<'paused' | 'heard'> {
  const verdict = verdictOf(answer);
  if (verdict === 'gone')
    return pause(ports, { kind: 'endpoint_paused', endpointId: health.id, why: 'gone' });
  if (verdict === 'delivered') {
    if (hasFailures(health)) await ports.endpoints.healthy(health.id);
    return 'heard';
  }
  const after = await rememberFailure(ports.endpoints, health, answer, now);
  return isFailingTooLong(after, now)
    ? pause(ports, { kind: 'endpoint_paused', endpointId: health.id, why: 'failing_for_days' })
    : 'heard';
}

async function rememberFailure(
  endpoints: Endpoints,
  before: EndpointHealth,
  answer: PostAnswer,
  now: Date,
): Promise<EndpointHealth> {
  if (!burdensWorker(answer)) return endpoints.refused(before.id, now);
  const health = await endpoints.failed(before.id, now);
  const mayOpen = health.failuresInARow >= failuresUntilOpen && breakerState(health, now) !== 'open';
  if (mayOpen) {
    const until = new Date(now.getTime() + openForMs(health.openings));
    await endpoints.open(health, { until, nextProbeAt: new Date(now.getTime() + probeGapMs) });
  }
  return health;
}

/** Notifies before the write: a worker that dies in between reports twice rather than never. */
async function pause({ endpoints, notify }: Ports, notice: Notice): Promise<'paused'> {
  notify(notice);
  await endpoints.pause(notice.endpointId);
  return 'paused';
}

const isCounting = ({ failuresInARow, openUntil }: EndpointHealth) =>
  failuresInARow > 0 || openUntil !== undefined;

const hasFailures = (health: EndpointHealth) => isCounting(health) || health.failingSince !== undefined;
