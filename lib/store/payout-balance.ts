import * as z from 'zod/mini';
import { sum } from '../money/money.ts';
import type { LimitUsage, PayoutRule, PeriodReservation } from '../payout/limits.ts';
import type { Payout } from '../payout/payout.ts';
import { debitMinor, sentMinor } from '../payout/payout.ts';
import type { NewPayouts } from '../payout/ports.ts';
import { balanceKey, listedBalance, setListed } from './balance-item.ts';
import { minor } from './minor.ts';
import type { Table } from './table.ts';
import type { TransactionStep } from './transact.ts';

const counted = z._default(minor, 0n);
const item = z.object({
  available: counted,
  limDay: z.optional(z.string()),
  limDayTotal: counted,
  limMonth: z.optional(z.string()),
  limMonthTotal: counted,
  ruleDay: z.optional(z.string()),
  ruleDayTotal: counted,
  knownDay: z.optional(z.string()),
  knownDayTotal: counted,
});

type PayoutBalance = { readonly availableMinor: bigint; readonly usage: LimitUsage };

/** Parses what a payout needs of a balance. A merchant without any movement has no item, which reads as zero. */
export function toPayoutBalance(raw: unknown): PayoutBalance {
  const { available, ...limits } = item.parse(raw ?? {});
  const { limDay: day, limDayTotal: dayTotal, limMonth: month, limMonthTotal: monthTotal } = limits;
  const byRule = {
    auto_approve_up_to: { day: limits.ruleDay, total: limits.ruleDayTotal },
    auto_approve_known_accounts: { day: limits.knownDay, total: limits.knownDayTotal },
  };
  return { availableMinor: available, usage: { day, dayTotal, month, monthTotal, byRule } };
}

type Clause = {
  readonly set: string;
  readonly condition: string;
  readonly values: Readonly<Record<string, unknown>>;
};

const updateOf = (
  { name: TableName }: Table,
  { merchantId, amount }: Pick<Payout, 'merchantId' | 'amount'>,
  clauses: readonly Clause[],
) => ({
  Update: {
    TableName,
    Key: balanceKey(merchantId, amount.currency),
    UpdateExpression: `SET ${[...clauses.map(({ set }) => set), setListed].join(', ')}`,
    ConditionExpression: clauses.map(({ condition }) => condition).join(' AND '),
    ExpressionAttributeValues: Object.assign({ ...listedBalance }, ...clauses.map(({ values }) => values)),
  },
});

/** The attributes of a running total: its period and its sum. */
type Names = { readonly period: string; readonly total: string };
const day: Names = { period: 'limDay', total: 'limDayTotal' };
const month: Names = { period: 'limMonth', total: 'limMonthTotal' };
const ruleTotals: Readonly<Record<PayoutRule, Names>> = {
  auto_approve_up_to: { period: 'ruleDay', total: 'ruleDayTotal' },
  auto_approve_known_accounts: { period: 'knownDay', total: 'knownDayTotal' },
};

/** Adds to a total. The current period must have room; an earlier period is replaced by the new one. */
function takeLimit({ period, total }: Names, share: PeriodReservation): Clause {
  const values = { [`:${period}`]: share.period, ':amount': share.amountMinor };
  return share.running
    ? {
        set: `${total} = ${total} + :amount`,
        condition: `${period} = :${period} AND ${total} <= :${total}`,
        values: { ...values, [`:${total}`]: share.room },
      }
    : {
        set: `${period} = :${period}, ${total} = :amount`,
        condition: `(attribute_not_exists(${period}) OR ${period} < :${period})`,
        values,
      };
}

/** RESERVE: moves `available` to `locked` and `held`, and adds the sum of the parts to the limits and to a rule's daily total. */
export function reserve(
  table: Table,
  { payouts, reservation, ruleUse }: NewPayouts,
): TransactionStep<'moved_meanwhile'> {
  const total = (of: (payout: Payout) => bigint) => totalOf(payouts, of);
  const money: Clause = {
    set: 'available = available - :debit, locked = if_not_exists(locked, :zero) + :sent, held = if_not_exists(held, :zero) + :fee',
    condition: 'available >= :debit',
    values: {
      ':debit': total(debitMinor),
      ':sent': total(sentMinor),
      ':fee': total(({ commissionMinor }) => commissionMinor),
      ':zero': 0,
    },
  };
  const clauses = [
    money,
    takeLimit(day, reservation.day),
    takeLimit(month, reservation.month),
    ...(ruleUse ? [takeLimit(ruleTotals[ruleUse.rule], ruleUse.share)] : []),
  ];
  return { write: updateOf(table, payouts[0], clauses), onConditionFailed: 'moved_meanwhile' };
}

const totalOf = (payouts: readonly Payout[], of: (payout: Payout) => bigint): bigint => sum(payouts.map(of));

const fromReserve = (payouts: readonly Payout[], set: string): Clause => ({
  set: `${set}locked = locked - :sent, held = held - :fee`,
  condition: 'locked >= :sent AND held >= :fee',
  values: {
    ':sent': totalOf(payouts, sentMinor),
    ':fee': totalOf(payouts, ({ commissionMinor }) => commissionMinor),
  },
});

/** SETTLE: removes what was reserved. */
export const settle = (table: Table, payout: Payout): TransactionStep => ({
  write: updateOf(table, payout, [fromReserve([payout], '')]),
});

/** Subtracts an amount from the total of its period. Only for the current period: an earlier one no longer counts. */
const returnLimit = ({ period, total }: Names, amountMinor: bigint, taken: string): Clause => ({
  set: `${total} = ${total} - :amount`,
  condition: `${period} = :${period}`,
  values: { [`:${period}`]: taken, ':amount': amountMinor },
});

/** RELEASE: makes what was reserved for payouts of one group available again. `usage` is the balance's as read. */
export function release(
  table: Table,
  payouts: readonly [Payout, ...Payout[]],
  usage: LimitUsage | undefined,
): TransactionStep<'balance_moved'> {
  const money = fromReserve(payouts, 'available = available + :debit, ');
  const amountMinor = totalOf(payouts, ({ amount }) => amount.minor);
  // The payouts of a group were created together, so they count against the same day and month.
  const [{ limitDay, limitMonth }] = payouts;
  const clauses = [
    { ...money, values: { ...money.values, ':debit': totalOf(payouts, debitMinor) } },
    ...(usage?.day === limitDay ? [returnLimit(day, amountMinor, limitDay)] : []),
    ...(usage?.month === limitMonth ? [returnLimit(month, amountMinor, limitMonth)] : []),
  ];
  return { write: updateOf(table, payouts[0], clauses), onConditionFailed: 'balance_moved' };
}

/** RETURN: credits the merchant with what was paid out. */
export const creditReturn = (table: Table, payout: Payout): TransactionStep => {
  const values = { ':sent': sentMinor(payout) };
  const set = 'available = available + :sent';
  return { write: updateOf(table, payout, [{ set, condition: 'attribute_exists(PK)', values }]) };
};
