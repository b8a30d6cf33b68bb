import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

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

export type Table = {
  readonly client: Pick<DynamoDBDocumentClient, 'send'>;
  readonly name: string;
  /** Waits before the given retry (1, 2, …) of a transaction that met another. */
  readonly backOff: (retry: number) => Promise<void>;
};

/** Integers that a float cannot hold come back as bigint instead of failing. */
const readNumber = (text: string): number | bigint =>
  /^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text)) ? BigInt(text) : Number(text);

export const openTable = (client: DynamoDBClient, name: string, backOff: Table['backOff']): Table => ({
  client: DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
    unmarshallOptions: { wrapNumbers: readNumber },
  }),
  name,
  backOff,
});
