import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { notMade } from '../postback/attempts.ts';
import { endpointIdOf, type PostbackEvent } from '../postback/event.ts';
import type { DueEvent, Events } from '../postback/ports.ts';
import { assign } from './assign.ts';
import { batchGet } from './batch-get.ts';
import { claimEvent, finishEvent, releaseEvent } from './claim-event.ts';
import { conditionalWrite } from './conditional-write.ts';
import { eventIdOf, eventKey, graceMs, sendingListOf, toAttemptItem, toEvent } from './event-item.ts';
import { getItem } from './get-item.ts';
import { dueKeys, undeliveredKeys } from './list-events.ts';
import type { Table } from './table.ts';

/** The outbox (lib/postback/README.md). Each write has a condition that makes a repeated or late write harmless. */
export const dynamoEvents = (table: Table): Events => ({
  find: (id) => getItem(table, eventKey(id), toEvent),
  findAll: async (ids) => (await batchGet(table, ids.map(eventKey))).map(toEvent),
  claim: (id, now, leaseUntil) => claimEvent(table, id, { now, leaseUntil }),
  finish: (event, outcome) => finishEvent(table, event, outcome),
  release: (event) => releaseEvent(table, event),
  due: (now) => due(table, now),
  postpone: (id, seen, until) => postpone(table, id, { seen, until }),
  replay: (id, now) => replay(table, id, now),
  listUndelivered: async () => (await batchGet(table, await undeliveredKeys(table))).map(toEvent),
});

/** The index is eventually consistent, so each event is read from the table; those no longer to be sent are left out. */
async function due(table: Table, now: Date): Promise<readonly DueEvent[]> {
  const keys = await dueKeys(table, now);
  const dueOf = new Map(keys.map((key) => [eventIdOf(key), new Date(key.workDue)]));
  const events = (await batchGet(table, keys)).map(toEvent);
  return events.flatMap((event) => {
    const seen = dueOf.get(event.id);
    const wanted = seen && (event.state === 'PENDING' || event.state === 'RETRY');
    return wanted
      ? [{ id: event.id, endpointId: endpointIdOf(event), first: event.state === 'PENDING', due: seen }]
      : [];
  });
}

async function postpone(
  table: Table,
  id: string,
  { seen, until }: { readonly seen: Date; readonly until: Date },
): Promise<void> {
  const change = assign({ workDue: until.toISOString() });
  const values = { ...change.ExpressionAttributeValues, ':seen': seen.toISOString() };
  const condition = { ConditionExpression: '#workDue = :seen', ExpressionAttributeValues: values };
  await update(table, id, { ...change, ...condition });
}

async function replay(table: Table, id: string, now: Date): Promise<PostbackEvent | undefined> {
  const at = now.toISOString();
  const change = assign(
    {
      state: 'RETRY',
      tries: 0,
      nextAt: at,
      workList: sendingListOf(id),
      workDue: new Date(now.getTime() + graceMs).toISOString(),
    },
    ['ttl', 'leaseUntil', 'underWay'],
  );
  const replayed = await update(table, id, {
    ...change,
    UpdateExpression: change.UpdateExpression.replace(
      'SET ',
      'SET attempts = list_append(attempts, :mark), ',
    ),
    ConditionExpression:
      'attribute_exists(PK) AND (attribute_not_exists(#leaseUntil) OR #leaseUntil < :nextAt)',
    ExpressionAttributeValues: {
      ...change.ExpressionAttributeValues,
      ':mark': [toAttemptItem(notMade(now, 'replay'))],
    },
    ReturnValues: 'ALL_NEW',
  });
  return replayed?.Attributes && toEvent(replayed.Attributes);
}

const update = ({ client, name }: Table, id: string, change: Omit<UpdateCommandInput, 'TableName' | 'Key'>) =>
  conditionalWrite(client.send(new UpdateCommand({ TableName: name, Key: eventKey(id), ...change })));
