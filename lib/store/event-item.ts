import * as z from 'zod/mini';
import { notMade, withAttempt } from '../postback/attempts.ts';
import type { BillId, MerchantId, ShopId } from '../ids.ts';
import { type Attempt, eventStates, type PostbackEvent } from '../postback/event.ts';
import type { ClaimedEvent } from '../postback/ports.ts';
import { type AttributeOf, orAbsent } from './attributes.ts';
import { moment } from './moment.ts';
import { shardOf } from './shards.ts';
import { storedId } from './stored-id.ts';
import type { Table } from './table.ts';
import type { TransactionStep } from './transact.ts';

/** Event (outbox): read by id; on the work index until it needs no more sending. */
export const eventKey = (id: string) => ({ PK: `E#${id}`, SK: 'E' }) as const;
export const eventIdOf = (key: { readonly PK: string }): string => key.PK.slice('E#'.length);

/** Events that are to be sent; those that only the operator can have sent again lie on the second list. */
export const sendingList = (shard: string) => `W#PB#${shard}` as const;
export const undeliverableList = (shard: string) => `W#PBX#${shard}` as const;
export const sendingListOf = (id: string) => sendingList(shardOf(id));
export const undeliverableListOf = (id: string) => undeliverableList(shardOf(id));

/** A send that is lost right after the commit is made up for by the sweeper after this long. */
export const graceMs = 60_000;

const attempt = z.object({
  at: moment,
  outcome: orAbsent(z.string()),
  ms: orAbsent(z.number()),
  answer: orAbsent(z.string()),
} satisfies Record<AttributeOf<Attempt>, z.ZodMiniType>);

const item = z.object({
  id: z.string(),
  kind: z.enum(['payment', 'payout']),
  merchantId: storedId<MerchantId>(),
  shopId: orAbsent(storedId<ShopId>()),
  supersededByBill: orAbsent(storedId<BillId>()),
  status: z.string(),
  fields: z.array(z.tuple([z.string(), z.string()])),
  state: z.enum(eventStates),
  attempts: z.array(attempt),
  tries: z.number(),
  createdAt: moment,
  nextAt: moment,
  underWay: orAbsent(moment),
} satisfies Record<AttributeOf<PostbackEvent> | 'underWay', z.ZodMiniType>);

type Item = Omit<z.input<typeof item>, 'underWay'>;

/** An attempt as it lies in the list of its event. */
export const toAttemptItem = ({ at, ...rest }: Attempt): z.input<typeof attempt> => ({
  ...rest,
  at: at.toISOString(),
});

/** The item of a new event. The fields are a list because a map of the table does not keep their order. */
export function eventItem({
  fields,
  attempts,
  createdAt,
  nextAt,
  ...event
}: PostbackEvent): Item & ReturnType<typeof eventKey> {
  return {
    ...eventKey(event.id),
    ...event,
    fields: Object.entries(fields),
    attempts: attempts.map(toAttemptItem),
    createdAt: createdAt.toISOString(),
    nextAt: nextAt.toISOString(),
    ...onSendingList(event, nextAt),
  };
}

/** An event that was superseded before it was written is never sent. */
const onSendingList = ({ id, state }: Pick<PostbackEvent, 'id' | 'state'>, nextAt: Date) =>
  state === 'SUPERSEDED'
    ? {}
    : { workList: sendingListOf(id), workDue: new Date(nextAt.getTime() + graceMs).toISOString() };

/** The event as it stands; an attempt that is under way is the last and has no outcome yet. */
export function toEvent(raw: unknown): PostbackEvent {
  const { underWay, ...event } = parse(raw);
  return underWay ? { ...event, attempts: [...event.attempts, notMade(underWay, undefined)] } : event;
}

/** The event as a worker found it when it took it. An attempt that was still under way died with its worker. */
export function toClaimedEvent(raw: unknown, leaseUntil: Date): ClaimedEvent {
  const { underWay, ...event } = parse(raw);
  if (!underWay) return { ...event, leaseUntil };
  const attempts = withAttempt(event.attempts, notMade(underWay, 'interrupted'));
  return { ...event, attempts, leaseUntil };
}

function parse(raw: unknown): PostbackEvent & { readonly underWay: Date | undefined } {
  const { fields, ...event } = item.parse(raw);
  return { ...event, fields: Object.fromEntries(fields) };
}

/** The step that writes an event in the transaction which makes the state it reports: one event per final state. */
export const putEvent = ({ name }: Table, event: PostbackEvent): TransactionStep => ({
  write: {
    Put: { TableName: name, Item: eventItem(event), ConditionExpression: 'attribute_not_exists(PK)' },
  },
});
