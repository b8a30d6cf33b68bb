import { ConditionalCheckFailedException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { retryingClient } from '../../lib/store/retrying-client.ts';
import { freshTable } from '../support/dynamo.ts';

const named = (name: string, traits: object = {}) => Object.assign(new Error(name), { name, traits }, traits);
const metadata = { $metadata: {}, message: 'as the store says it' };
const conflict = new TransactionConflictException(metadata);

/** The real server behind a line on which the first calls meet these errors, before or after they were acted on. */
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
    ['met a transaction', conflict],
    ['was throttled', named('ThrottlingException')],
    ['passed the throughput', named('ProvisionedThroughputExceededException')],
    ['got no answer', named('TimeoutError')],
    ['found nobody listening', named('Error', { code: 'ECONNREFUSED' })],
    ['was answered with a server error', named('InternalServerError', { $fault: 'server' })],
  ])('that %s is made again, each time after a pause', async (_case, error) => {
    const { put, get, pauses } = await line([error, error]);
    await put();
    expect((await get()).Item).toMatchObject({ PK: 'ITEM' });
    expect(pauses).toEqual([1, 2]);
  });

  it('is given up when its time is over', async () => {
    const { put, calls } = await line([conflict, conflict, conflict, conflict], { tries: 3 });
    await expect(put()).rejects.toBe(conflict);
    expect(calls()).toBe(3);
  });

  it.each([
    ['a refused condition', new ConditionalCheckFailedException(metadata)],
    ['what its role does not allow', named('AccessDeniedException', { $fault: 'client' })],
    ['what the store cannot read', named('ValidationException', { $fault: 'client' })],
  ])('is not made again after %s', async (_case, error) => {
    const { put, pauses } = await line([error]);
    await expect(put()).rejects.toBe(error);
    expect(pauses).toEqual([]);
  });

  it('may be refused by its own first attempt, when the answer to that was lost', async () => {
    const { put } = await line([named('TimeoutError')], { acts: true });
    await expect(put('attribute_not_exists(PK)')).rejects.toThrow(ConditionalCheckFailedException);
  });

  it('is no transaction: whoever made that knows what its repetition means', async () => {
    const { transact, calls } = await line([conflict]);
    await expect(transact()).rejects.toBe(conflict);
    expect(calls()).toBe(1);
  });
});
