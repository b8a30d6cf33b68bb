import {
  breakerState,
  burdensWorker,
  failuresUntilOpen,
  isFailingTooLong,
  isOldTrouble,
  openForMs,
} from './breaker.ts';
import type { EndpointHealth, Endpoints, PostAnswer } from './ports.ts';
import { verdictOf } from './verdict.ts';

/** What the operator should know of at once. */
export type PauseNotice = { readonly endpointId: string; readonly why: 'gone' | 'failing_for_days' };
export type Notify = (notice: PauseNotice) => void;

type Ports = { readonly endpoints: Endpoints; readonly notify: Notify };

/** Remembers how the endpoint answered, and says whether it is paused from now on. A healthy one costs no write. */
export async function updateEndpointHealth(
  ports: Ports,
  health: EndpointHealth,
  answer: PostAnswer,
  now: Date,
): Promise<'paused' | 'heard'> {
  const verdict = verdictOf(answer);
  if (verdict === 'gone') return pause(ports, { endpointId: health.id, why: 'gone' });
  if (verdict === 'delivered') {
    if (hasFailures(health)) await ports.endpoints.healthy(health.id);
    return 'heard';
  }
  const after = await rememberFailure(ports.endpoints, health, answer, now);
  return isFailingTooLong(after, now)
    ? pause(ports, { endpointId: health.id, why: 'failing_for_days' })
    : 'heard';
}

async function rememberFailure(
  endpoints: Endpoints,
  before: EndpointHealth,
  answer: PostAnswer,
  now: Date,
): Promise<EndpointHealth> {
  if (isOldTrouble(before, now)) await endpoints.healthy(before.id);
  if (!burdensWorker(answer)) return endpoints.refused(before.id, now);
  const health = await endpoints.failed(before.id, now);
  const mayOpen = health.failuresInARow >= failuresUntilOpen && breakerState(health, now) !== 'open';
  if (mayOpen) await endpoints.open(health, new Date(now.getTime() + openForMs(health.openings)));
  return health;
}

async function pause({ endpoints, notify }: Ports, notice: PauseNotice): Promise<'paused'> {
  await endpoints.pause(notice.endpointId);
  notify(notice);
  return 'paused';
}

const isCounting = ({ failuresInARow, openUntil }: EndpointHealth) =>
  failuresInARow > 0 || openUntil !== undefined;

const hasFailures = (health: EndpointHealth) => isCounting(health) || health.failingSince !== undefined;
