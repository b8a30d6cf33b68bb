import { ConditionalCheckFailedException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { retryingClient } from '../../lib/store/retrying-client.ts';
import { freshTable } from '../support/dynamo.ts';

const named = (name: string, traits: object = {}) => Object.assign(new Error(name), { name, traits }, traits);
const metadata = { $metadata: {}, message: 'as the store says it' };
const conflict = new TransactionConflictException(metadata);

/** The real server behind a client whose first calls fail with these errors, before or after they are applied. */
async function line(errors: readonly Error[], { acts = false, tries = 10 } = {}) {
  const { client, name } = await freshTable();
  const send = client.send.bind(client);
  const pauses: number[] = [];
  let calls = 0;
  const bad = Object.assign(Object.create(client), {
    async send(command: GetCommand) {
      const error = errors[calls];
      calls += 1;
      const answer = error && !acts ? undefined : await send(command);
      if (error) throw error;
      return answer;
    },
  });
  const client_ = retryingClient(bad, () => async (retry) => {
    pauses.push(retry);
    return retry < tries;
  });
  const key = { PK: 'ITEM', SK: 'I' };
  return {
    put: (ConditionExpression?: string) =>
      client_.send(new PutCommand({ TableName: name, Item: key, ConditionExpression })),
    get: () => client_.send(new GetCommand({ TableName: name, Key: key, ConsistentRead: true })),
    transact: () =>
      client_.send(new TransactWriteCommand({ TransactItems: [{ Put: { TableName: name, Item: key } }] })),
    pauses,
    calls: () => calls,
  };
}

describe('a plain call to the store', () => {
  it.each([
    ['conflicted with a transaction', conflict],
    ['was throttled', named('ThrottlingException')],
    ['exceeded the throughput', named('ProvisionedThroughputExceededException')],
    ['got no response', named('TimeoutError')],
    ['was refused the connection', named('Error', { code: 'ECONNREFUSED' })],
    ['got a server error', named('InternalServerError', { $fault: 'server' })],
  ])('that %s is retried, each time after a pause', async (_case, error) => {
    const { put, get, pauses } = await line([error, error]);
    await put();
    expect((await get()).Item).toMatchObject({ PK: 'ITEM' });
    expect(pauses).toEqual([1, 2]);
  });

  it('fails when its time limit is reached', async () => {
    const { put, calls } = await line([conflict, conflict, conflict, conflict], { tries: 3 });
    await expect(put()).rejects.toBe(conflict);
    expect(calls()).toBe(3);
  });

  it.each([
    ['a failed condition', new ConditionalCheckFailedException(metadata)],
    ['a denied permission', named('AccessDeniedException', { $fault: 'client' })],
    ['a validation error', named('ValidationException', { $fault: 'client' })],
  ])('is not retried after %s', async (_case, error) => {
    const { put, pauses } = await line([error]);
    await expect(put()).rejects.toBe(error);
    expect(pauses).toEqual([]);
  });

  it('may fail its condition because of its own first attempt, when the response to that was lost', async () => {
    const { put } = await line([named('TimeoutError')], { acts: true });
    await expect(put('attribute_not_exists(PK)')).rejects.toThrow(ConditionalCheckFailedException);
  });

  it('does not include transactions, which transact retries itself', async () => {
    const { transact, calls } = await line([conflict]);
    await expect(transact()).rejects.toBe(conflict);
    expect(calls()).toBe(1);
  });
});
