import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { namesOf } from '../../lib/installation/names.ts';
import type { Stack } from './stack.ts';

const names = namesOf('local');
const watched = ['postbacks', 'retries', 'payouts', 'payments'].flatMap((name) => [
  names.queue(name),
  names.deadLetterQueue(name),
]);

/** Records every message body seen in any of the stack's queues, without receiving the messages. */
export function watchQueues({ endpoints }: Stack) {
  const over = new AbortController();
  const bodies = new Set<string>();
  const look = async (queue: string) => {
    const answer = await fetch(`${endpoints.AWS_ENDPOINT_URL_SQS}/_fauxqs/queues/${queue}`);
    for (const [, body = ''] of (await answer.text()).matchAll(/"body":("(?:[^"\\]|\\.)*")/g))
      bodies.add(String(JSON.parse(body)));
  };
  const watching = (async () => {
    while (!over.signal.aborted) {
      await Promise.all(watched.map(look));
      await sleep(25);
    }
  })();
  return {
    bodies,
    stop: async () => {
      over.abort();
      await watching;
    },
  };
}

/** Waits until the queue has no message, neither visible nor delayed nor in flight. */
export const untilDrained = (
  { endpoints }: Pick<Stack, 'endpoints'>,
  name: 'postbacks' | 'retries' | 'payouts' | 'payments',
) =>
  vi.waitFor(
    async () => {
      const answer = await fetch(`${endpoints.AWS_ENDPOINT_URL_SQS}/_fauxqs/queues/${names.queue(name)}`);
      const nothing = { ready: [], delayed: [], inflight: [] };
      expect(await answer.json()).toMatchObject({ messages: nothing });
    },
    { timeout: 20_000, interval: 25 },
  );
