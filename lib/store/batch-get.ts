import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { Defect } from '../defect.ts';
import type { Table } from './table.ts';

type Key = { readonly PK: string; readonly SK: string };

const atOnce = 100;

/**
 * Returns the items that exist under these keys, in no particular order, by strongly consistent reads unless told otherwise. Duplicate keys are removed: an index may list an
 * item twice while it moves, and DynamoDB rejects a request with duplicates. Unprocessed keys are retried with backoff,
 * within the time limit of one call. Throws when keys are still unprocessed then.
 */
export async function batchGet(
  { client, name, backOff }: Table,
  keys: readonly Key[],
  { ConsistentRead = true }: { readonly ConsistentRead?: boolean } = {},
): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  const unique = new Map(keys.map(({ PK, SK }) => [`${PK} ${SK}`, { PK, SK }]));
  let left: readonly Record<string, unknown>[] = [...unique.values()];
  let pause = backOff();
  for (let retry = 1; left.length > 0; ) {
    const asked = left.slice(0, atOnce);
    const request = { RequestItems: { [name]: { Keys: asked, ConsistentRead } } };
    const { Responses, UnprocessedKeys } = await client.send(new BatchGetCommand(request));
    const found = Responses?.[name] ?? [];
    items.push(...found);
    const leftOut = UnprocessedKeys?.[name]?.Keys ?? [];
    left = [...leftOut, ...left.slice(atOnce)];
    if (leftOut.length < asked.length) [pause, retry] = [backOff(), 1];
    if (leftOut.length === 0) continue;
    if (!(await pause(retry)))
      throw new Defect(
        'BATCH_KEYS_LEFT_OUT',
        'Keys of a batch read were still unprocessed when the time limit was reached',
      );
    retry += 1;
  }
  return items;
}
