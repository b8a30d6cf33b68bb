import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { retryingClient } from './retrying-client.ts';

/** The one table; what its keys are called, here and in the template. */
export const tableSchema = {
  partitionKey: 'PK',
  sortKey: 'SK',
  timeToLive: 'ttl',
  /** What is not finished, by when it is due. Keys only, sparse. */
  work: { name: 'WORK', partitionKey: 'workList', sortKey: 'workDue' },
  /** Journal entries by merchant, currency and month, with what the trace shows of them. Sparse. */
  timeline: {
    name: 'TIMELINE',
    partitionKey: 'timeline',
    sortKey: 'at',
    attributes: ['lines', 'kind', 'about'],
  },
} as const;

/** A person at work: `what` is the command, `id` tells changes of one moment apart. */
export type Author = { readonly by: string; readonly at: Date; readonly id: string; readonly what: string };

export type Table = {
  /** Who changes settings through this table: each change is recorded with it. Functions change none. */
  readonly author?: () => Promise<Author>;
  readonly client: Pick<DynamoDBDocumentClient, 'send'>;
  readonly name: string;
  readonly backOff: BackOff;
};

/**
 * The pauses of one call. Each waits before the given retry (1, 2, …); false, without waiting, when the call has no time
 * left for one.
 */
export type BackOff = () => (retry: number) => Promise<boolean>;

/** Integers that a float cannot hold come back as bigint instead of failing. */
const readNumber = (text: string): number | bigint =>
  /^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text)) ? BigInt(text) : Number(text);

/** The client makes each call once (`maxAttempts: 1`): repeating it is ours, so that each attempt is known of. */
export function openTable(client: DynamoDBClient, name: string, backOff: BackOff): Table {
  const documents = DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
    unmarshallOptions: { wrapNumbers: readNumber },
  });
  return { client: retryingClient(documents, backOff), name, backOff };
}
