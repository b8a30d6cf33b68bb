import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { commissionPayers } from '../merchant/terms.ts';
import { accountTypes } from '../payout/destination.ts';
import { type Payout, payoutCurrencies, payoutKinds, verdicts } from '../payout/payout.ts';
import { groupIdLength } from '../payout/payout-id.ts';
import { payoutPhases, payoutStatuses } from '../payout/states.ts';

/** Payout: found by its id, which begins with its group's; on a work index until it is final. */
export const payoutKey = (id: string) =>
  ({ PK: groupPartition(id.slice(0, groupIdLength)), SK: `PO#${id.slice(groupIdLength)}` }) as const;
export const groupPartition = (groupId: string) => `G#${groupId}` as const;
export const payoutIdFrom = ({ PK, SK }: { readonly PK: string; readonly SK: string }): string =>
  `${PK.slice('G#'.length)}${SK.slice('PO#'.length)}`;

/** Spreads the dispatcher's list over 64 keys, so that it never meets the limit of one partition. */
export const payoutShards = Array.from({ length: 64 }, (_, shard) => shard.toString().padStart(2, '0'));
export const dispatchList = (shard: string) => `W#PO#${shard}` as const;
/** What waits for a person is rare and is read whole. */
export const moderationList = 'W#MOD';
export const errorList = 'W#ERR';

const sealed = z.object({ sealed: z.string(), context: z.record(z.string(), z.string()) });
const ruling = z.object({
  verdict: z.enum(verdicts),
  by: z.string(),
  reason: z.optional(z.string()),
  at: z.coerce.date(),
});
const minor = z.coerce.bigint();

const item = z.object({
  id: z.string(),
  groupId: z.string(),
  merchantId: z.string(),
  kind: z.enum(payoutKinds),
  isAuto: z.boolean(),
  status: z.enum(payoutStatuses),
  phase: z.optional(z.enum(payoutPhases)),
  amountMinor: minor,
  currency: z.enum(payoutCurrencies),
  commissionMinor: minor,
  commissionPayer: z.enum(commissionPayers),
  accountType: z.enum(accountTypes),
  mask: z.string(),
  accountHash: z.string(),
  destination: z.optional(sealed),
  orderId: z.optional(z.string()),
  twin: z.boolean(),
  limitDay: z.string(),
  limitMonth: z.string(),
  createdAt: z.coerce.date(),
  revision: z.number(),
  rulings: z.array(ruling),
  providerKey: z.optional(z.string()),
  reference: z.optional(z.string()),
  reason: z.optional(z.string()),
  sentAt: z.optional(z.coerce.date()),
  checks: z.number(),
  dueAt: z.optional(z.coerce.date()),
});

export function toPayout(raw: unknown): Payout {
  const { amountMinor, currency, ...payout } = item.parse(raw);
  return { ...payout, amount: { minor: amountMinor, currency } };
}

export function payoutItem({ amount, ...payout }: Payout): Record<string, unknown> {
  const flat = { ...payout, amountMinor: amount.minor, currency: amount.currency };
  return { ...payoutKey(payout.id), ...plain(flat), ...placeOf(payout) };
}

/** Whose work it is: the moderator's, the dispatcher's, the operator's, nobody's. */
function placeOf({ id, status, dueAt, createdAt }: Omit<Payout, 'amount'>): Record<string, string> {
  if (status === 'MODERATING') return { workList: moderationList, workDue: createdAt.toISOString() };
  if (status === 'ERROR') return { workList: errorList, workDue: createdAt.toISOString() };
  return dueAt ? { workList: dispatchList(shardOf(id)), workDue: dueAt.toISOString() } : {};
}

const shardOf = (id: string): string =>
  (createHash('sha256').update(id).digest().readUInt8(0) % 64).toString().padStart(2, '0');

/** Dates as text, nothing undefined, at every depth. */
function plain(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const told = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(told.map(([name, each]) => [name, plainValue(each)]));
}

function plainValue(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(plainValue);
  return typeof value === 'object' && value !== null ? plain({ ...value }) : value;
}
