import { type Attempt, endpointIdOf, type PostbackEvent } from '../../postback/event.ts';
import { maxStored } from '../../postback/attempts.ts';
import { emptyTimeline, type TimelineStep, type Timeline, type TracePorts } from './timeline.ts';

/** Returns the timeline of a postback with its recorded attempts; empty when it does not exist. */
export async function postbackTimeline(
  { events, endpoints }: Pick<TracePorts, 'events' | 'endpoints'>,
  id: string,
): Promise<Timeline> {
  const event = await events.find(id);
  if (!event) return emptyTimeline;
  const health = await endpoints.find(endpointIdOf(event));
  const facts = {
    state: event.state,
    endpoint: `${endpointIdOf(event)}${health?.paused ? ' (paused)' : ''}`,
    tries: event.tries,
    attempts: event.attempts.length < maxStored ? undefined : `the latest ${maxStored} are stored`,
    next: isResting(event) ? undefined : event.nextAt.toISOString(),
  };
  const written = { at: event.createdAt, id, what: `postback ${event.status} recorded` };
  return {
    subjects: [{ kind: 'postback', id, facts }],
    steps: [written, ...event.attempts.map((attempt) => attemptStep(id, attempt))],
  };
}

const isResting = ({ state }: PostbackEvent): boolean => state !== 'PENDING' && state !== 'RETRY';

function attemptStep(id: string, { at, outcome, ms, answer }: Attempt): TimelineStep {
  if (outcome === undefined) return { at, id, what: 'attempt under way' };
  const took = ms === undefined ? '' : ` in ${ms} ms`;
  return { at, id, what: `attempt: ${outcome}${took}${answer ? `, answered "${answer}"` : ''}` };
}
