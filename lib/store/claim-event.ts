import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { withAttempt } from '../postback/attempts.ts';
import { endpointIdOf } from '../postback/event.ts';
import type { ClaimedEvent, Events, DeliveryOutcome } from '../postback/ports.ts';
import { assign } from './assign.ts';
import { conditionalWrite, conditionalWriteOnExisting } from './conditional-write.ts';
import { endpointIsPaused } from './endpoint-item.ts';
import { eventKey, sendingListOf, toAttemptItem, toClaimedEvent, undeliverableListOf } from './event-item.ts';
import type { Table } from './table.ts';
import { transact } from './transact.ts';

const dayMs = 24 * 60 * 60_000;
/**
 * For this long an event that is over may be replayed: one that is DEAD, and any of a payout, because that is the one
 * place where an account's phone is kept in full; and one of a payment that was told, for whose payment keeps when it
 * was. The audit misses none that is older.
 */
const keptMs = 90 * dayMs;
const toldKeptMs = 180 * dayMs;

const free = '(attribute_not_exists(leaseUntil) OR leaseUntil < :underWay)';
const awaitsSending = '#state IN (:pending, :retry) AND nextAt <= :underWay';

/**
 * Takes an event that is due and not leased; a lease that ran out is a worker that died.
 * Throws for an event that does not exist: a message about nothing is an error that must be seen.
 */
export async function claimEvent(
  { client, name }: Table,
  id: string,
  { now, leaseUntil }: { readonly now: Date; readonly leaseUntil: Date },
): Promise<ClaimedEvent | undefined> {
  const update = assign({ underWay: now.toISOString(), leaseUntil: leaseUntil.toISOString() });
  const claimed = await conditionalWriteOnExisting(
    `Event ${id}`,
    client.send(
      new UpdateCommand({
        TableName: name,
        Key: eventKey(id),
        ...update,
        ConditionExpression: `${awaitsSending} AND ${free}`,
        ExpressionAttributeNames: { ...update.ExpressionAttributeNames, '#state': 'state' },
        ExpressionAttributeValues: {
          ...update.ExpressionAttributeValues,
          ':pending': 'PENDING',
          ':retry': 'RETRY',
        },
        // The item as it was tells whether a worker died with it.
        ReturnValues: 'ALL_OLD',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    ),
  );
  return claimed && toClaimedEvent(claimed.Attributes, leaseUntil);
}

/** Writes the outcome and lets the event go, unless the lease ran out and another worker has it by now. */
export async function finishEvent(
  table: Table,
  event: ClaimedEvent,
  outcome: DeliveryOutcome,
): ReturnType<Events['finish']> {
  const Update = finishing(table, event, outcome);
  if (outcome.state === 'PAUSED') {
    const finished = await transact<'lease_lost' | 'endpoint_resumed'>(table, [
      { write: { Update }, onConditionFailed: 'lease_lost' },
      { ...endpointIsPaused(table, endpointIdOf(event)), onConditionFailed: 'endpoint_resumed' },
    ]);
    return finished.ok ? 'finished' : finished.error;
  }
  const written = await conditionalWrite(table.client.send(new UpdateCommand(Update)));
  return written ? 'finished' : 'lease_lost';
}

function finishing({ name }: Table, event: ClaimedEvent, outcome: DeliveryOutcome) {
  const place = placeAfter(event, outcome);
  const set = {
    state: outcome.state,
    attempts: withAttempt(event.attempts, outcome.attempt).map(toAttemptItem),
    tries: event.tries + (outcome.counts ? 1 : 0),
    ...place,
  };
  const gone = ['workList', 'workDue'].filter((attribute) => !(attribute in place));
  const update = assign(set, [...gone, 'underWay', 'leaseUntil']);
  return {
    TableName: name,
    Key: eventKey(event.id),
    ...update,
    ConditionExpression: '#leaseUntil = :leaseUntil',
    ExpressionAttributeValues: {
      ...update.ExpressionAttributeValues,
      ':leaseUntil': event.leaseUntil.toISOString(),
    },
  };
}

/** Where the work index shows the event from now on: to the sweeper, to the operator, or nowhere. */
function placeAfter({ id, kind, createdAt }: ClaimedEvent, { state, nextAttempt, attempt }: DeliveryOutcome) {
  if (nextAttempt) {
    const nextAt = nextAttempt.at.toISOString();
    return { workList: sendingListOf(id), workDue: nextAttempt.sweepAt.toISOString(), nextAt };
  }
  const endsAfter = (ms: number) => ({ ttl: Math.floor((attempt.at.getTime() + ms) / 1000) });
  if (state === 'DELIVERED' || state === 'SUPERSEDED')
    return endsAfter(kind === 'payout' ? keptMs : toldKeptMs);
  const undeliverable = { workList: undeliverableListOf(id), workDue: createdAt.toISOString() };
  return state === 'DEAD' ? { ...undeliverable, ...endsAfter(keptMs) } : undeliverable;
}

/** As it was claimed, without the lease. */
export async function releaseEvent(
  { client, name }: Table,
  event: ClaimedEvent,
): Promise<'released' | 'lease_lost'> {
  const update = assign({ attempts: event.attempts.map(toAttemptItem) }, ['underWay', 'leaseUntil']);
  const released = await conditionalWrite(
    client.send(
      new UpdateCommand({
        TableName: name,
        Key: eventKey(event.id),
        ...update,
        ConditionExpression: '#leaseUntil = :leaseUntil',
        ExpressionAttributeValues: {
          ...update.ExpressionAttributeValues,
          ':leaseUntil': event.leaseUntil.toISOString(),
        },
      }),
    ),
  );
  return released ? 'released' : 'lease_lost';
}
