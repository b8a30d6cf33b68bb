import { describe, expect, it } from 'vitest';
import { create } from '../../../functions/postback-sweep.ts';
import type { PostbackQueue } from '../../../lib/postback/ports.ts';
import { sqsQueue } from '../../../lib/provider/sqs-queue.ts';
import { dynamoEvents } from '../../../lib/store/events.ts';
import { freshTable } from '../../support/dynamo.ts';
import { afterNoon, anEvent, given } from '../../support/postbacks.ts';
import { freshQueue, takeMessages } from '../../support/queue.ts';

const minute = 60_000;
const bodies = (ids: readonly string[]) => ids.map((eventId) => JSON.stringify({ eventId })).sort();

/** The sweeper with these events in the table, a minute after they were written. */
async function aSweeper(...events: ReturnType<typeof anEvent>[]) {
  const [table, local, retries] = await Promise.all([freshTable(), freshQueue(), freshQueue()]);
  for (const event of events) await given(table, event);
  const clock = { now: afterNoon(minute) };
  const queue: PostbackQueue = sqsQueue(local.client, local.url, 'eventId');
  const logged: unknown[] = [];
  const log = (...line: unknown[]) => void logged.push(line);
  const retryQueue: PostbackQueue = sqsQueue(retries.client, retries.url, 'eventId');
  const deps = { events: dynamoEvents(table), queue, retryQueue, now: () => clock.now, log };
  return {
    deps,
    clock,
    logged,
    sweep: () => create(deps)(),
    /** From either queue. */
    taken: async () => [...(await takeMessages(local)), ...(await takeMessages(retries))].sort(),
    takenRetries: async () => [...(await takeMessages(retries))].sort(),
  };
}

const events = Array.from({ length: 30 }, (_, at) => anEvent({ id: `pay.p${at}.SUCCESS` }));
const retried = anEvent({ id: 'pay.retried.SUCCESS', state: 'RETRY', tries: 1 });

describe('the sweeper of postbacks', () => {
  it('queues every event that is due, and none that is not', async () => {
    const { sweep, taken } = await aSweeper(
      ...events,
      anEvent({ id: 'pay.later.SUCCESS', nextAt: afterNoon(1) }),
    );
    await sweep();
    expect(await taken()).toEqual(bodies(events.map(({ id }) => id)));
  });

  it('queues it again five minutes later if it is still not delivered', async () => {
    const { sweep, taken, clock } = await aSweeper(anEvent());
    await sweep();
    clock.now = afterNoon(6 * minute - 1);
    await sweep();
    expect(await taken()).toHaveLength(1);
    clock.now = afterNoon(6 * minute);
    await sweep();
    expect(await taken()).toEqual(bodies([anEvent().id]));
  });

  it('sends events that were tried before to the retry workers', async () => {
    const { sweep, taken, takenRetries } = await aSweeper(anEvent(), retried);
    await sweep();
    expect(await takenRetries()).toEqual(bodies([retried.id]));
    expect(await taken()).toEqual(bodies([anEvent().id]));
  });

  it('does not queue first attempts while the queue holds more than ten thousand messages', async () => {
    const { sweep, taken, clock, deps } = await aSweeper(anEvent(), retried);
    const { queue } = deps;
    deps.queue = { ...queue, length: async () => 10_001 };
    await sweep();
    expect(await taken()).toEqual(bodies([retried.id]));
    deps.queue = { ...queue, length: async () => 10_000 };
    clock.now = afterNoon(6 * minute);
    await sweep();
    expect(await taken()).toEqual(bodies([anEvent().id, retried.id]));
  });

  it('sweeps the rest and logs the failed sends when the queue fails', async () => {
    const { sweep, taken, clock, deps, logged } = await aSweeper(anEvent(), retried);
    const { retryQueue } = deps;
    deps.retryQueue = {
      ...retryQueue,
      send: async () => {
        throw new Error('the queue is away');
      },
    };
    await expect(sweep()).rejects.toThrow('1 of 2 events were not swept');
    expect(logged).toEqual([['error', 'postback_not_swept', { error: 'Error', postback: retried.id }]]);
    expect(await taken()).toEqual(bodies([anEvent().id]));
    deps.retryQueue = retryQueue;
    clock.now = afterNoon(2 * minute);
    await sweep();
    expect(await taken()).toEqual(bodies([retried.id]));
  });
});
