import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { PaymentId } from '../ids.ts';
import {
  agedOut,
  type Attempt,
  type Attempts,
  attemptStates,
  type NetworkAttempts,
} from '../payment/network-attempts.ts';
import { conditionalWrite } from './conditional-write.ts';
import { getItem } from './get-item.ts';
import type { Table } from './table.ts';

const attemptsKey = (payerHash: string) => ({ PK: `RL#${payerHash}`, SK: 'RL' }) as const;

const seconds = z.pipe(
  z.number(),
  z.transform((value: number) => new Date(value * 1000)),
);
const attempts = z.record(z.string(), z.object({ state: z.enum(attemptStates), at: seconds }));
const item = z.object({ open: attempts, failed: attempts });

function toAttempts(raw: unknown): Attempts {
  const { open, failed } = item.parse(raw);
  return { ...open, ...failed };
}
const stored = ({ state, at }: Attempt) => ({ state, at: at.getTime() / 1000 });

/** The TTL: longer than any attempt counts. DynamoDB may delete the item later. */
const ttlAt = (at: Date): number => Math.ceil(at.getTime() / 1000) + 2 * 24 * 3600;

/** The limit of an update expression is 4 KB; the next payment removes the rest. */
const mostRemovedAtOnce = 100;

/**
 * One item per network, with maps from payment id to attempt. Every write is one update, so concurrent ones are
 * serialized. Failures have a map of their own, so that removing an expired open attempt cannot remove a failure that was
 * written meanwhile. A new item has no maps to write into, so it is created first.
 */
export const dynamoNetworkAttempts = (table: Table): NetworkAttempts => ({
  of: async (payerHash) => (await getItem(table, attemptsKey(payerHash), toAttempts)) ?? {},

  async enter(payerHash, { paymentId, now, seen, most }) {
    const one: One = { payerHash, paymentId, attempt: { state: 'open', at: now } };
    if (Object.keys(seen).length === 0 && (await create(table, one))) return { [paymentId]: one.attempt };
    const leaving = agedOut(seen, now).slice(0, mostRemovedAtOnce);
    return add(table, one, { most, leaving: leaving.map((id) => [mapOf(seen[id]), id]) });
  },

  async leave(payerHash, paymentId) {
    const update = new UpdateCommand({
      TableName: table.name,
      Key: attemptsKey(payerHash),
      UpdateExpression: 'REMOVE #open.#id',
      ConditionExpression: 'attribute_exists(#open.#id)',
      ExpressionAttributeNames: { '#id': paymentId, '#open': 'open' },
    });
    await conditionalWrite(table.client.send(update));
  },

  end: (payerHash, paymentId, { state, at }) =>
    state === 'cancelled'
      ? cancel(table, payerHash, paymentId)
      : fail(table, { payerHash, paymentId, attempt: { state, at } }),
});

type MapName = 'open' | 'failed';
const mapOf = (attempt: Attempt | undefined): MapName => (attempt?.state === 'failed' ? 'failed' : 'open');

type One = { readonly payerHash: string; readonly paymentId: PaymentId; readonly attempt: Attempt };

/** Creates the network's item with its first attempt; false when it exists already. */
async function create(
  { client, name: TableName }: Table,
  { payerHash, paymentId, attempt }: One,
): Promise<boolean> {
  const update = new UpdateCommand({
    TableName,
    Key: attemptsKey(payerHash),
    UpdateExpression: 'SET #open = :open, #failed = :failed, #ttl = :ttl',
    ConditionExpression: 'attribute_not_exists(#open)',
    ExpressionAttributeNames: { '#open': 'open', '#failed': 'failed', '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':open': {},
      ':failed': {},
      [`:${mapOf(attempt)}`]: { [paymentId]: stored(attempt) },
      ':ttl': ttlAt(attempt.at),
    },
  });
  return (await conditionalWrite(client.send(update))) !== undefined;
}

type Room = { readonly most: number; readonly leaving: readonly (readonly [MapName, string])[] };

async function add(table: Table, one: One, { most, leaving }: Room): Promise<Attempts | 'known' | 'full'> {
  const { payerHash, paymentId, attempt } = one;
  const old = Object.fromEntries(leaving.map(([, id], at) => [`#old${at}`, id]));
  const remove = leaving.map(([map], at) => `#${map}.#old${at}`);
  const leavingOpen = leaving.filter(([map]) => map === 'open').length;
  const update = new UpdateCommand({
    TableName: table.name,
    Key: attemptsKey(payerHash),
    UpdateExpression: `SET #open.#id = :attempt, #ttl = :ttl${remove.length > 0 ? ` REMOVE ${remove.join(', ')}` : ''}`,
    ConditionExpression: 'attribute_not_exists(#open.#id) AND size(#open) < :most',
    ExpressionAttributeNames: {
      '#id': paymentId,
      '#open': 'open',
      '#ttl': 'ttl',
      ...(leavingOpen < leaving.length && { '#failed': 'failed' }),
      ...old,
    },
    ExpressionAttributeValues: {
      ':attempt': stored(attempt),
      ':ttl': ttlAt(attempt.at),
      // The condition still counts the attempts that this update removes.
      ':most': most + leavingOpen,
    },
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    return toAttempts((await table.client.send(update)).Attributes);
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return error.Item?.['open']?.M?.[paymentId] ? 'known' : 'full';
  }
}

/** Records a failure, also of a payment whose open attempt has expired: its card was declined nevertheless. */
async function fail(table: Table, one: One): Promise<void> {
  const { payerHash, paymentId, attempt } = one;
  const update = new UpdateCommand({
    TableName: table.name,
    Key: attemptsKey(payerHash),
    UpdateExpression: 'SET #failed.#id = :attempt, #ttl = :ttl REMOVE #open.#id',
    ConditionExpression: 'attribute_exists(#failed)',
    ExpressionAttributeNames: { '#id': paymentId, '#open': 'open', '#failed': 'failed', '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':attempt': stored(attempt), ':ttl': ttlAt(attempt.at) },
  });
  if ((await conditionalWrite(table.client.send(update))) === undefined) await create(table, one);
}

async function cancel(
  { client, name: TableName }: Table,
  payerHash: string,
  paymentId: PaymentId,
): Promise<void> {
  const update = new UpdateCommand({
    TableName,
    Key: attemptsKey(payerHash),
    UpdateExpression: 'SET #open.#id.#state = :cancelled',
    ConditionExpression: 'attribute_exists(#open.#id)',
    ExpressionAttributeNames: { '#id': paymentId, '#open': 'open', '#state': 'state' },
    ExpressionAttributeValues: { ':cancelled': 'cancelled' },
  });
  await conditionalWrite(client.send(update));
}
