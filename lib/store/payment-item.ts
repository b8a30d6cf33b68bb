import * as z from 'zod/mini';
import { billStatuses, billTypes } from '../bill/bill.ts';
import type { BillId } from '../ids.ts';
import { balanceCurrencies, billCurrencies } from '../money/money.ts';
import { billIdOf, handOutcomes, type Payment, paymentPhases } from '../payment/payment.ts';
import { billPartition } from './bill-item.ts';
import { minor } from './minor.ts';
import { moment } from './moment.ts';
import { shardOf } from './shards.ts';
import { storedId } from './stored-id.ts';

/** Payment: in its bill's partition; on the work index until it is final. */
export const paymentPrefix = 'P#';
export const paymentKey = (id: string) =>
  ({ PK: billPartition(billIdOf(id)), SK: `${paymentPrefix}${id}` }) as const;
export const paymentIdOfKey = ({ SK }: { readonly SK: string }): string => SK.slice(paymentPrefix.length);

export const paymentList = (shard: string) => `W#PAY#${shard}` as const;

const decision = z.object({
  verdict: z.enum(handOutcomes),
  id: z.optional(z.string()),
  by: z.string(),
  approvedBy: z.optional(z.string()),
  reason: z.string(),
  at: moment,
});

const item = z.object({
  id: z.string(),
  billId: storedId<BillId>(),
  billType: z.enum(billTypes),
  merchantId: z.string(),
  shopId: z.string(),
  status: z.enum(billStatuses).check(z.refine((status) => status !== 'NEW')),
  phase: z.enum(paymentPhases),
  acquirer: z.optional(z.string()),
  amountMinor: minor,
  currency: z.enum(billCurrencies),
  surchargeMinor: minor,
  payerPaysCommission: z.boolean(),
  fee: z.object({ bps: z.number(), fixedMinor: minor, minimumMinor: minor }),
  settlement: z.object({ currency: z.enum(balanceCurrencies), numerator: minor, denominator: minor }),
  receivedMinor: z.optional(minor),
  feeMinor: z.optional(minor),
  fromCard: z.optional(z.string()),
  outcome: z.optional(z.string()),
  browserHash: z.optional(z.string()),
  cardPage: z.optional(z.string()),
  askedAt: z.optional(moment),
  payerHash: z.optional(z.string()),
  orderId: z.optional(z.string()),
  custom: z.optional(z.string()),
  createdAt: moment,
  deliveredAt: z.optional(moment),
  checks: z.number(),
  nextCheck: z.optional(moment),
  decisions: z.optional(z.array(decision)),
});

/** Decisions as they are stored; absent while there are none. */
export const storedDecisions = ({ decisions }: Pick<Payment, 'decisions'>) =>
  decisions?.map(({ at, ...said }) => ({ ...said, at: at.toISOString() }));

/** What a payment that is over has no more. */
export const waitingAttributes = ['workList', 'workDue', 'nextCheck'];

/**
 * Whatever still waits for the acquirer lies on the work index, by when the sweep should queue it: at its next check, or
 * later while it is in the queue.
 */
export function onWorkList({ id, phase }: Pick<Payment, 'id' | 'phase'>, nextCheck: Date) {
  if (phase === 'DONE') return {};
  const at = nextCheck.toISOString();
  return { workList: paymentList(shardOf(id)), workDue: at, nextCheck: at };
}

export function paymentItem(
  { amount, createdAt, deliveredAt, askedAt, ...payment }: Payment,
  nextCheck: Date,
) {
  return {
    ...paymentKey(payment.id),
    ...payment,
    amountMinor: amount.minor,
    currency: amount.currency,
    createdAt: createdAt.toISOString(),
    deliveredAt: deliveredAt?.toISOString(),
    askedAt: askedAt?.toISOString(),
    decisions: storedDecisions(payment),
    ...onWorkList(payment, nextCheck),
  };
}

export function toPayment(raw: unknown): Payment {
  const { amountMinor, currency, status, ...payment } = item.parse(raw);
  if (status === 'NEW') throw new Error('A payment is never NEW');
  return { ...payment, status, amount: { minor: amountMinor, currency } };
}
