import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import type { BackOff, Table } from '../../lib/store/table.ts';
import { type TransactionStep, transact } from '../../lib/store/transact.ts';
import { freshTable } from '../support/dynamo.ts';
import { itemsOf } from '../support/items-of.ts';

/**
 * The fault of one request: `before` it reaches the server, or `after` it was applied, when the response is lost. A `late`
 * request is applied after the caller has stopped waiting.
 */
type Fault = { readonly before?: Error } | { readonly after: Error } | { readonly late: Error };

const named = (name: string, traits: object = {}) => Object.assign(new Error(name), { name }, traits);
const lost = named('TimeoutError');
const reset = named('Error', { code: 'ECONNRESET' });
const broken = named('InternalServerError', { $fault: 'server' });
const throttled = named('ThrottlingException', { $fault: 'client' });

const cancelled = (...codes: readonly string[]) =>
  new TransactionCanceledException({
    message: 'cancelled',
    $metadata: {},
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

/** The real server behind a client that applies the next fault to each request, while one is left. */
async function faultyTable(...faults: readonly Fault[]) {
  const { client, name } = await freshTable();
  const tokens: (string | undefined)[] = [];
  const pauses: number[] = [];
  const late: TransactWriteCommand[] = [];
  const send = client.send.bind(client);
  const line = Object.assign(Object.create(client), {
    async send(command: TransactWriteCommand) {
      if (!(command instanceof TransactWriteCommand)) return send(command);
      const fault = faults[tokens.length];
      tokens.push(command.input.ClientRequestToken);
      if (fault && 'before' in fault && fault.before) throw fault.before;
      if (fault && 'late' in fault) {
        late.push(command);
        throw fault.late;
      }
      const answer = await send(command);
      if (fault && 'after' in fault) throw fault.after;
      return answer;
    },
  });
  /** Ten attempts fit into the time limit of one call. */
  const backOff: BackOff = () => async (retry) => {
    pauses.push(retry);
    return retry < 10;
  };
  const table: Table = { client: line, name, backOff };
  const arrive = async () => {
    for (const command of late.splice(0)) await send(command);
  };
  return { table, tokens, pauses, arrive };
}

const key = { PK: 'COUNTER', SK: 'C' };

/** A counter: applied twice, it is 2. */
const count = ({ name }: Table): TransactionStep => ({
  write: {
    Update: {
      TableName: name,
      Key: key,
      UpdateExpression: 'ADD applied :one',
      ExpressionAttributeValues: { ':one': 1 },
    },
  },
});

const refusedBy = <R extends string>({ name }: Table, meaning?: R): TransactionStep<R> => ({
  write: {
    Put: { TableName: name, Item: { PK: 'NEVER', SK: 'N' }, ConditionExpression: 'attribute_exists(PK)' },
  },
  ...(meaning && { onConditionFailed: meaning }),
});

const applied = async (table: Table) => (await itemsOf(table))[0]?.['applied'] ?? 0;

describe('transact', () => {
  it('writes all steps at once', async () => {
    const { table, tokens } = await faultyTable();
    expect(await transact(table, [count(table)])).toEqual({ ok: true, value: undefined });
    expect(await applied(table)).toBe(1);
    expect(tokens).toHaveLength(1);
  });

  it('returns the meaning of a failed condition, writes nothing and does not retry', async () => {
    const { table, tokens } = await faultyTable();
    const refused = await transact(table, [count(table), refusedBy(table, 'not there')]);
    expect(refused).toEqual({ ok: false, error: 'not there' });
    expect(await applied(table)).toBe(0);
    expect(tokens).toHaveLength(1);
  });

  it('returns the first of several meanings', async () => {
    const { table } = await faultyTable({
      before: cancelled('ConditionalCheckFailed', 'ConditionalCheckFailed'),
    });
    const steps = [refusedBy(table, 'first'), refusedBy(table, 'second')];
    expect(await transact(table, steps)).toEqual({ ok: false, error: 'first' });
  });

  it('throws when a condition without a meaning fails: that is a defect', async () => {
    const { table, tokens } = await faultyTable();
    await expect(transact(table, [count(table), refusedBy(table)])).rejects.toThrow('always holds');
    expect(await applied(table)).toBe(0);
    expect(tokens).toHaveLength(1);
  });

  it.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'retries after %s, each time as a new request',
    async (code) => {
      const { table, tokens, pauses } = await faultyTable(
        { before: cancelled(code) },
        { before: cancelled(code) },
      );
      expect(await transact(table, [count(table)])).toMatchObject({ ok: true });
      expect(await applied(table)).toBe(1);
      expect(new Set(tokens).size).toBe(3);
      expect(pauses).toEqual([1, 2]);
    },
  );

  it('throws when the time limit of the call is reached', async () => {
    const conflicts = Array.from({ length: 11 }, () => ({ before: cancelled('TransactionConflict') }));
    const { table, tokens } = await faultyTable(...conflicts);
    await expect(transact(table, [count(table)])).rejects.toThrow('TransactionConflict');
    expect(await applied(table)).toBe(0);
    expect(tokens).toHaveLength(10);
  });

  it('treats a retry by the SDK as a lost response: the applied request is not reported as refused', async () => {
    const { table, tokens, arrive } = await faultyTable({
      late: Object.assign(cancelled('TransactionConflict'), { $metadata: { attempts: 2 } }),
    });
    const backOff: BackOff = () => async () => {
      await arrive();
      return true;
    };
    const put: TransactionStep<'exists'> = {
      write: { Put: { TableName: table.name, Item: key, ConditionExpression: 'attribute_not_exists(PK)' } },
      onConditionFailed: 'exists',
    };
    expect(await transact({ ...table, backOff }, [put])).toMatchObject({ ok: true });
    expect(new Set(tokens).size).toBe(1);
  });

  it('ignores a later condition while an earlier step is in conflict', async () => {
    const { table, tokens } = await faultyTable({
      before: cancelled('TransactionConflict', 'ConditionalCheckFailed'),
    });
    expect(await transact(table, [count(table), count2(table)])).toMatchObject({ ok: true });
    expect(tokens).toHaveLength(2);
  });

  it('retries when a condition without a meaning fails beside a conflict', async () => {
    const { table, tokens } = await faultyTable({
      before: cancelled('ConditionalCheckFailed', 'TransactionConflict'),
    });
    expect(await transact(table, [count(table), count2(table)])).toMatchObject({ ok: true });
    expect(tokens).toHaveLength(2);
  });

  it('does not retry a rejected request', async () => {
    const { table, tokens } = await faultyTable({ before: cancelled('ValidationError') });
    await expect(transact(table, [count(table)])).rejects.toThrow('ValidationError');
    expect(tokens).toHaveLength(1);
  });

  it.each([
    ['a lost response', { after: lost }],
    ['a reset connection', { after: reset }],
    ['a server error after the commit', { after: broken }],
    ['a server error before it', { before: broken }],
    ['a throttled request', { before: throttled }],
  ])('retries after %s under the same token, so that it is applied once', async (_case, fault) => {
    const { table, tokens } = await faultyTable(fault, fault);
    expect(await transact(table, [count(table)])).toMatchObject({ ok: true });
    expect(await applied(table)).toBe(1);
    expect(tokens).toHaveLength(3);
    expect(new Set(tokens).size).toBe(1);
  });

  // Found by the simulation with seed 30011: a bill was created, and the merchant received status 500.
  it('recognizes its own slow request that is applied after the next attempt met a conflict', async () => {
    const { table, tokens, arrive } = await faultyTable(
      { late: lost },
      { before: cancelled('TransactionConflict') },
    );
    const backOff: BackOff = () => async () => {
      if (tokens.length === 2) await arrive();
      return true;
    };
    const put: TransactionStep = {
      write: { Put: { TableName: table.name, Item: key, ConditionExpression: 'attribute_not_exists(PK)' } },
    };
    expect(await transact({ ...table, backOff }, [put])).toMatchObject({ ok: true });
    expect(tokens).toHaveLength(3);
    expect(new Set(tokens).size).toBe(1);
  });

  it('throws when the outcome is unknown at the time limit; the request is applied at most once', async () => {
    const { table, tokens } = await faultyTable(...Array.from({ length: 11 }, () => ({ after: lost })));
    await expect(transact(table, [count(table)])).rejects.toBe(lost);
    expect(await applied(table)).toBe(1);
    expect(tokens).toHaveLength(10);
  });

  it('throws any other error', async () => {
    const denied = named('AccessDeniedException', { $fault: 'client' });
    const { table, tokens } = await faultyTable({ before: denied });
    await expect(transact(table, [count(table)])).rejects.toBe(denied);
    expect(tokens).toHaveLength(1);
  });
});

const count2 = ({ name }: Table): TransactionStep => ({
  write: {
    Update: {
      TableName: name,
      Key: { ...key, SK: 'D' },
      UpdateExpression: 'ADD applied :one',
      ExpressionAttributeValues: { ':one': 1 },
    },
  },
});
