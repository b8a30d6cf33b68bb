import * as z from 'zod/mini';
import { notMade, withAttempt } from '../postback/attempts.ts';
import type { BillId, MerchantId, ShopId } from '../ids.ts';
import {
  type Attempt,
  eventKinds,
  eventStates,
  goesToRefundUrl,
  type PostbackEvent,
} from '../postback/event.ts';
import type { ClaimedEvent } from '../postback/ports.ts';
import { type AttributeOf, orAbsent } from './attributes.ts';
import { listed } from './list-index.ts';
import { moment } from './moment.ts';
import { shardOf } from './shards.ts';
import { storedId } from './stored-id.ts';
import type { Table } from './table.ts';
import type { TransactionStep } from './transact.ts';

/** Postback event (outbox): read by id; on the work index until it is delivered or superseded. */
export const eventKey = (id: string) => ({ PK: `E#${id}`, SK: 'E' }) as const;
export const eventIdOf = (key: { readonly PK: string }): string => key.PK.slice('E#'.length);

/** The list of events to send, and the list of those that only the operator can send again. */
export const sendingList = (shard: string) => `W#PB#${shard}` as const;
export const undeliverableList = (shard: string) => `W#PBX#${shard}` as const;
export const sendingListOf = (id: string) => sendingList(listShardOf(id));
export const undeliverableListOf = (id: string) => undeliverableList(listShardOf(id));

/**
 * Refunds and chargebacks are rare, so one shard lists their events. It is a shard of their own because a version from before
 * them cannot read one: its sweep, which does not know this shard, goes on with all others.
 */
export const refundShard = 'RF';
const listShardOf = (id: string): string => (goesToRefundUrl(id) ? refundShard : shardOf(id));

/** How long after it is due an event is queued by the sweeper, in case the message sent after the commit was lost. */
export const graceMs = 60_000;

const attempt = z.object({
  at: moment,
  outcome: orAbsent(z.string()),
  ms: orAbsent(z.number()),
  answer: orAbsent(z.string()),
} satisfies Record<AttributeOf<Attempt>, z.ZodMiniType>);

const item = z.object({
  id: z.string(),
  kind: z.enum(eventKinds),
  merchantId: storedId<MerchantId>(),
  shopId: orAbsent(storedId<ShopId>()),
  supersededByBill: orAbsent(storedId<BillId>()),
  sentAfter: orAbsent(z.string()),
  status: z.string(),
  fields: z.array(z.tuple([z.string(), z.string()])),
  sealedPhone: orAbsent(z.string()),
  extended: orAbsent(z.array(z.tuple([z.string(), z.string()]))),
  state: z.enum(eventStates),
  attempts: z.array(attempt),
  tries: z.number(),
  createdAt: moment,
  nextAt: moment,
  underWay: orAbsent(moment),
} satisfies Record<AttributeOf<PostbackEvent> | 'underWay', z.ZodMiniType>);

type Item = Omit<z.input<typeof item>, 'underWay'>;

/** An attempt as stored in its event. */
export const toAttemptItem = ({ at, ...rest }: Attempt): z.input<typeof attempt> => ({
  ...rest,
  at: at.toISOString(),
});

/** The item of a new event. Its fields are stored as a list, because a DynamoDB map does not preserve their order. */
export function eventItem({
  fields,
  extended,
  attempts,
  createdAt,
  nextAt,
  ...event
}: PostbackEvent): Item & ReturnType<typeof eventKey> & ReturnType<typeof listed> {
  return {
    ...eventKey(event.id),
    ...event,
    fields: Object.entries(fields),
    extended: extended && Object.entries(extended),
    attempts: attempts.map(toAttemptItem),
    createdAt: createdAt.toISOString(),
    nextAt: nextAt.toISOString(),
    ...onSendingList(event, nextAt),
    ...listed('event', { ...event, createdAt }),
  };
}

/** An event that is superseded when it is written is never sent. */
const onSendingList = ({ id, state }: Pick<PostbackEvent, 'id' | 'state'>, nextAt: Date) =>
  state === 'SUPERSEDED'
    ? {}
    : { workList: sendingListOf(id), workDue: new Date(nextAt.getTime() + graceMs).toISOString() };

/** Parses an event. An attempt in progress is the last one and has no outcome. */
export function toEvent(raw: unknown): PostbackEvent {
  const { underWay, ...event } = parse(raw);
  return underWay ? { ...event, attempts: [...event.attempts, notMade(underWay, undefined)] } : event;
}

/** Parses an event that a worker has leased. An attempt that was in progress is recorded as interrupted. */
export function toClaimedEvent(raw: unknown, leaseUntil: Date): ClaimedEvent {
  const { underWay, ...event } = parse(raw);
  if (!underWay) return { ...event, leaseUntil };
  const attempts = withAttempt(event.attempts, notMade(underWay, 'interrupted'));
  return { ...event, attempts, leaseUntil };
}

function parse(raw: unknown): PostbackEvent & { readonly underWay: Date | undefined } {
  const { fields, extended, ...event } = item.parse(raw);
  return {
    ...event,
    fields: Object.fromEntries(fields),
    extended: extended && Object.fromEntries(extended),
  };
}

/** The step that writes an event, for the transaction that writes the state it reports. One event per final state. */
export const putEvent = ({ name }: Table, event: PostbackEvent): TransactionStep => ({
  write: {
    Put: { TableName: name, Item: eventItem(event), ConditionExpression: 'attribute_not_exists(PK)' },
  },
});
