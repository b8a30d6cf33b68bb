import * as z from 'zod/mini';
import { type AccountId, type GroupId, groupIdOf, type MerchantId, type PayoutId } from '../ids.ts';
import { commissionPayers } from '../merchant/terms.ts';
import { accountTypes, shownMask } from '../payout/destination.ts';
import {
  type Decision,
  type PaidPayout,
  type Payout,
  payoutCurrencies,
  payoutKinds,
  verdicts,
} from '../payout/payout.ts';
import { railAnswers, type RailCall, railCallNames } from '../payout/rail-calls.ts';
import { type AttributeOf, orAbsent } from './attributes.ts';
import { listed } from './list-index.ts';
import { minor } from './minor.ts';
import { moment } from './moment.ts';
import { shardOf } from './shards.ts';
import { storedId } from './stored-id.ts';

/** Payout: read by its id, which begins with the group's id; on a work list until it is final. */
export function payoutKey(id: PayoutId) {
  const groupId = groupIdOf(id);
  return { PK: groupPartition(groupId), SK: `PO#${id.slice(groupId.length)}` } as const;
}
export const groupPartition = (groupId: GroupId) => `G#${groupId}` as const;
export const payoutIdFrom = ({ PK, SK }: { readonly PK: string; readonly SK: string }): PayoutId =>
  storedId<PayoutId>().parse(`${PK.slice('G#'.length)}${SK.slice('PO#'.length)}`);

export const dispatchList = (shard: string) => `W#PO#${shard}` as const;
/** The lists of payouts that wait for a person. They are short and read whole. */
export const moderationList = 'W#MOD';
export const errorList = 'W#ERR';

const mask = z.pipe(z.string(), z.transform(shownMask));
const decision = z.object({
  verdict: z.enum(verdicts),
  id: orAbsent(z.string()),
  by: z.string(),
  approvedBy: orAbsent(z.string()),
  reason: orAbsent(z.string()),
  at: moment,
} satisfies Record<AttributeOf<Decision>, z.ZodMiniType>);

const railCall = z.object({
  call: z.enum(railCallNames),
  key: z.string(),
  answer: z.enum(railAnswers),
  reference: orAbsent(z.string()),
  reason: orAbsent(z.string()),
  times: z.number(),
  firstAt: moment,
  lastAt: moment,
} satisfies Record<AttributeOf<RailCall>, z.ZodMiniType>);

const anyPayout = {
  id: storedId<PayoutId>(),
  groupId: storedId<GroupId>(),
  merchantId: storedId<MerchantId>(),
  kind: z.enum(payoutKinds),
  accountId: orAbsent(storedId<AccountId>()),
  isAuto: z.boolean(),
  amountMinor: minor,
  currency: z.enum(payoutCurrencies),
  commissionMinor: minor,
  commissionPayer: z.enum(commissionPayers),
  accountType: z.enum(accountTypes),
  mask,
  accountHash: z.string(),
  numberHash: orAbsent(z.string()),
  orderId: orAbsent(z.string()),
  possibleDuplicate: z.boolean(),
  limitDay: z.string(),
  limitMonth: z.string(),
  createdAt: moment,
  revision: z.number(),
  decisions: z.array(decision),
  providerKey: orAbsent(z.string()),
  attempt: orAbsent(z.number()),
  firstCallAt: orAbsent(moment),
  lastCallAt: orAbsent(moment),
  attemptOver: orAbsent(z.literal(true)),
  rail: orAbsent(z.string()),
  notTaken: orAbsent(z.literal(true)),
  accepted: orAbsent(z.literal(true)),
  reference: orAbsent(z.string()),
  railCalls: z._default(z.array(railCall), []),
  reason: orAbsent(z.string()),
  sentAt: orAbsent(moment),
  checks: z.number(),
} satisfies Record<Exclude<AttributeOf<PaidPayout>, 'status'>, z.ZodMiniType>;

type Attributes = { readonly [name in keyof typeof anyPayout]: z.input<(typeof anyPayout)[name]> };

const withDestination = { ...anyPayout, destination: z.object({ sealed: z.string() }) };
const dispatched = { ...withDestination, dueAt: moment };
const inProcess = { ...dispatched, status: z.literal('PROCESS') };

/** An unfinished payout has its destination, a sent one also the time it was sent. */
const item = z.discriminatedUnion('status', [
  z.object({ ...withDestination, status: z.literal('MODERATING') }),
  z.object({ ...dispatched, status: z.literal('NEW') }),
  z.discriminatedUnion('phase', [
    z.object({ ...inProcess, phase: z.literal('QUEUED') }),
    z.object({ ...inProcess, phase: z.literal('SENT'), sentAt: moment }),
  ]),
  z.object({ ...withDestination, status: z.literal('ERROR') }),
  z.object({ ...anyPayout, status: z.literal('SUCCESS') }),
  z.object({ ...anyPayout, status: z.enum(['FAIL', 'DECLINED']) }),
]);

/** Parses a payout. */
export function toPayout(raw: unknown): Payout {
  const { amountMinor, currency, ...payout } = item.parse(raw);
  return { ...payout, amount: { minor: amountMinor, currency } };
}

/** The item of a payout, with its lists. Its merchant's balance orders the creation of payouts, so one shard of LIST is enough. */
export function payoutItem(payout: Payout) {
  const { amount, ...others } = payout;
  const attributes: Attributes = {
    ...others,
    amountMinor: amount.minor,
    currency: amount.currency,
    createdAt: payout.createdAt.toISOString(),
    sentAt: payout.sentAt?.toISOString(),
    firstCallAt: payout.firstCallAt?.toISOString(),
    lastCallAt: payout.lastCallAt?.toISOString(),
    railCalls: payout.railCalls.map(({ firstAt, lastAt, ...call }) => ({
      ...call,
      firstAt: firstAt.toISOString(),
      lastAt: lastAt.toISOString(),
    })),
    decisions: payout.decisions.map(({ at, ...said }) => ({ ...said, at: at.toISOString() })),
  };
  return {
    ...payoutKey(payout.id),
    ...others,
    ...attributes,
    ...workListOf(payout),
    ...listed('payout', payout),
  };
}

/** The attributes of its work list: the moderator's, the dispatcher's, the operator's or none. */
function workListOf(payout: Payout) {
  switch (payout.status) {
    case 'MODERATING':
      return { workList: moderationList, workDue: payout.createdAt.toISOString() };
    case 'ERROR':
      return { workList: errorList, workDue: payout.createdAt.toISOString() };
    case 'NEW':
    case 'PROCESS': {
      const dueAt = payout.dueAt.toISOString();
      return { dueAt, workList: dispatchList(shardOf(payout.id)), workDue: dueAt };
    }
    case 'SUCCESS':
    case 'FAIL':
    case 'DECLINED':
      return {};
  }
}
