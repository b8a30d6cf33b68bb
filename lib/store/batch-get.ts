import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { Defect } from '../defect.ts';
import type { Table } from './table.ts';

type Key = { readonly PK: string; readonly SK: string };

const atOnce = 100;

/**
 * The items behind the keys, those that exist, each once, in no order: an index may name a key twice while its item
 * moves, and the table refuses a request that does. What a busy table leaves out is asked for again after a pause, within
 * the time of one call.
 */
export async function batchGet(
  { client, name, backOff }: Table,
  keys: readonly Key[],
): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  const unique = new Map(keys.map(({ PK, SK }) => [`${PK} ${SK}`, { PK, SK }]));
  let left: readonly Record<string, unknown>[] = [...unique.values()];
  let pause = backOff();
  for (let retry = 1; left.length > 0; ) {
    const asked = left.slice(0, atOnce);
    const request = { RequestItems: { [name]: { Keys: asked, ConsistentRead: true } } };
    const { Responses, UnprocessedKeys } = await client.send(new BatchGetCommand(request));
    const found = Responses?.[name] ?? [];
    items.push(...found);
    const leftOut = UnprocessedKeys?.[name]?.Keys ?? [];
    left = [...leftOut, ...left.slice(atOnce)];
    if (leftOut.length < asked.length) [pause, retry] = [backOff(), 1];
    if (leftOut.length === 0) continue;
    if (!(await pause(retry)))
      throw new Defect('BATCH_KEYS_LEFT_OUT', 'The store left out the same keys until the time was over');
    retry += 1;
  }
  return items;
}
