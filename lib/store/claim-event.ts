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
 * How long a finished event is retained and may be replayed: 90 days when it is DEAD or a payout's, because a payout event
 * stores a phone number, sealed, longer than anything else; 180 days for a payment's delivered event, whose payment records
 * the delivery time. The audit does not expect older events.
 */
const retentionMs = 90 * dayMs;
const deliveredPaymentRetentionMs = 180 * dayMs;

const free = '(attribute_not_exists(leaseUntil) OR leaseUntil < :underWay)';
const awaitsSending = '#state IN (:pending, :retry) AND nextAt <= :underWay';

/**
 * Leases an event that is due. An expired lease belongs to a worker that crashed and is replaced.
 * Throws when the event does not exist: a message without an event is a defect.
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
        // The previous item shows whether an attempt was interrupted.
        ReturnValues: 'ALL_OLD',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    ),
  );
  return claimed && toClaimedEvent(claimed.Attributes, leaseUntil);
}

/** Writes the outcome and ends the lease; `lease_lost` when the lease expired and another worker took the event. */
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

/** The attributes that list the event from now on: for the sweeper, for the operator, or, with a TTL, not at all. */
function placeAfter({ id, kind, createdAt }: ClaimedEvent, { state, nextAttempt, attempt }: DeliveryOutcome) {
  if (nextAttempt) {
    const nextAt = nextAttempt.at.toISOString();
    return { workList: sendingListOf(id), workDue: nextAttempt.sweepAt.toISOString(), nextAt };
  }
  const endsAfter = (ms: number) => ({ ttl: Math.floor((attempt.at.getTime() + ms) / 1000) });
  if (state === 'DELIVERED' || state === 'SUPERSEDED')
    return endsAfter(kind === 'payout' ? retentionMs : deliveredPaymentRetentionMs);
  const undeliverable = { workList: undeliverableListOf(id), workDue: createdAt.toISOString() };
  return state === 'DEAD' ? { ...undeliverable, ...endsAfter(retentionMs) } : undeliverable;
}

/** Ends the lease without an outcome: the event is as it was claimed. */
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
