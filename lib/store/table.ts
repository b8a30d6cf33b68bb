import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { retryingClient } from './retrying-client.ts';

/** The key and index names of the one table, for the store and the template. */
export const tableSchema = {
  partitionKey: 'PK',
  sortKey: 'SK',
  timeToLive: 'ttl',
  /** Unfinished items by due time. Keys only, sparse. */
  work: { name: 'WORK', partitionKey: 'workList', sortKey: 'workDue' },
  /** Journal entries by merchant, currency and month, with the attributes that `trace` shows. Sparse. */
  timeline: {
    name: 'TIMELINE',
    partitionKey: 'timeline',
    sortKey: 'at',
    attributes: ['lines', 'kind', 'about'],
  },
  /** Bills, payments, payouts, refunds and merchants by creation time (list-index.ts). Keys only. */
  list: { name: 'LIST', partitionKey: 'list', sortKey: 'listAt' },
} as const;

/** The indexes of the table. */
export const tableIndexes = [tableSchema.work, tableSchema.timeline, tableSchema.list] as const;

/** The person who makes a change: `what` is the command, `id` distinguishes changes made at the same time. */
export type Author = { readonly by: string; readonly at: Date; readonly id: string; readonly what: string };

export type Table = {
  /** The person whose changes of settings are recorded. Absent in functions, which change no settings. */
  readonly author?: () => Promise<Author>;
  readonly client: Pick<DynamoDBDocumentClient, 'send'>;
  readonly name: string;
  readonly backOff: BackOff;
};

/**
 * Starts the backoff of one call. The returned function waits before the given retry (1, 2, …); it returns false at once
 * when the call has no time left for another attempt.
 */
export type BackOff = () => (retry: number) => Promise<boolean>;

/** Integers above the safe range are read as bigint instead of failing. */
const readNumber = (text: string): number | bigint =>
  /^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text)) ? BigInt(text) : Number(text);

/** Opens the table. The client must not retry (`maxAttempts: 1`): the store does, so that it knows of each attempt. */
export function openTable(client: DynamoDBClient, name: string, backOff: BackOff): Table {
  const documents = DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
    unmarshallOptions: { wrapNumbers: readNumber },
  });
  return { client: retryingClient(documents, backOff), name, backOff };
}
