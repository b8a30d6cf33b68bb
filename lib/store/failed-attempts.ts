import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { FailedAttempts } from '../payment/failed-attempts.ts';
import { batchGet } from './batch-get.ts';
import type { Table } from './table.ts';

const windows = { tenMinutes: 600, day: 24 * 3600 } as const;
type Window = keyof typeof windows;

const windowStart = (window: Window, now: Date): number =>
  Math.floor(now.getTime() / 1000 / windows[window]) * windows[window];
const attemptsKey = (payerHash: string, window: Window, now: Date) =>
  ({ PK: `RL#${window}#${payerHash}#${windowStart(window, now)}`, SK: 'RL' }) as const;

const item = z.object({ PK: z.string(), failures: z.number() });

/** Counters that are only ever added to; the table drops them when their window is over. */
export const dynamoFailedAttempts = (table: Table): FailedAttempts => ({
  async count(payerHash, now) {
    const [tenMinutes, day] = [attemptsKey(payerHash, 'tenMinutes', now), attemptsKey(payerHash, 'day', now)];
    const counters = (await batchGet(table, [tenMinutes, day])).map((raw) => item.parse(raw));
    const of = ({ PK }: { readonly PK: string }) =>
      counters.find((counter) => counter.PK === PK)?.failures ?? 0;
    return { tenMinutes: of(tenMinutes), day: of(day) };
  },
  async add(payerHash, now) {
    await Promise.all([addTo(table, payerHash, 'tenMinutes', now), addTo(table, payerHash, 'day', now)]);
  },
});

async function addTo({ client, name: TableName }: Table, payerHash: string, window: Window, now: Date) {
  const update = new UpdateCommand({
    TableName,
    Key: attemptsKey(payerHash, window, now),
    UpdateExpression: 'SET #ttl = :ttl ADD failures :one',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':one': 1, ':ttl': windowStart(window, now) + 2 * windows[window] },
  });
  await client.send(update);
}
