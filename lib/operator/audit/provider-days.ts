import { Defect } from '../../defect.ts';
import { isPayoutId, isRefundId, paymentIdOfRefund } from '../../ids.ts';
import type { Entry } from '../../ledger/entry.ts';
import { toDecimal } from '../../money/money.ts';
import { localTime } from '../../payout/calendar.ts';
import { addsUp, type DayAccount, statedMinor } from '../../reconciliation/accounts.ts';
import { dateAfter, isWithin, partsOf, type Period } from '../../reconciliation/day.ts';
import { inBatches } from '../../reconciliation/in-parallel.ts';
import { paymentOf } from '../../reconciliation/movement.ts';
import type { Books } from '../../reconciliation/ports.ts';
import {
  countOf,
  isIncomplete,
  type Reconciliations,
  type Summary,
} from '../../reconciliation/reconciliation.ts';
import type { Difference, Invariant } from './records.ts';
import { confirmPauseMs } from './records-step.ts';
import type { AuditScope } from './source.ts';
import type { AuditStep } from './steps.ts';

export type ProviderDaysPorts = {
  readonly now: () => Date;
  readonly wait: (ms: number) => Promise<void>;
  /** Of the environment's record, whose days were reconciled. */
  readonly timeZone: string;
  readonly books: Pick<Books, 'journalOf' | 'payments' | 'payouts'>;
  readonly reconciliations: Pick<Reconciliations, 'list'>;
};

/** A day is reconciled again for a week; the day before that week was compared for the last time. */
const comparedDays = 8;

/**
 * Compares what the journal posted to the accounts of the providers on each of the last days with the reconciliation of that day, a
 * day at a time. A day without a whole reconciliation is counted, and is no difference. The accounts have no share of one merchant,
 * so the audit of a merchant leaves them out.
 */
export const providerDaysStep = (ports: ProviderDaysPorts): AuditStep => ({
  name: 'provider_days',
  async part({ scope, after, mayGoOn }) {
    const dates = datesOf(ports, scope).filter((date) => after === undefined || date >= after);
    const counts: Partial<Record<DayState, number>> = {};
    const differences: Difference[] = [];
    for (const [at, date] of dates.entries()) {
      if (at > 0 && !mayGoOn()) return { counts, differences, next: date };
      const day = await confirmedDay(ports, date);
      counts[day.state] = (counts[day.state] ?? 0) + 1;
      differences.push(...day.differences);
    }
    return { counts, differences, next: undefined };
  },
});

function datesOf({ now, timeZone }: ProviderDaysPorts, { merchantId, since }: AuditScope): readonly string[] {
  if (merchantId !== undefined) return [];
  const today = localTime(now(), timeZone).day;
  const first = since ? localTime(since, timeZone).day : '';
  return Array.from({ length: comparedDays }, (_, at) => dateAfter(today, at - comparedDays)).filter(
    (date) => date >= first,
  );
}

type DayState = 'days_compared' | 'days_not_reconciled' | 'days_incomplete' | 'days_not_compared';
type CheckedDay = { readonly state: DayState; readonly differences: readonly Difference[] };

/** The journal is read from an index, which may lag, and a run may replace the result meanwhile: what two reads show counts. */
async function confirmedDay(ports: ProviderDaysPorts, date: string): Promise<CheckedDay> {
  const first = await readableDay(ports, date);
  if (first.differences.length === 0) return first;
  await ports.wait(confirmPauseMs);
  const second = await readableDay(ports, date);
  const before = new Set(first.differences.map(({ text }) => text));
  return { ...second, differences: second.differences.filter(({ text }) => before.has(text)) };
}

/** An item that cannot be read makes its day a difference: the audit goes on. */
async function readableDay(ports: ProviderDaysPorts, date: string): Promise<CheckedDay> {
  try {
    return await checkDay(ports, date);
  } catch (error) {
    const isUnreadable = error instanceof Defect || (error instanceof Error && 'issues' in error);
    if (!isUnreadable) throw error;
    const text = `the accounts of ${date} cannot be compared: an entry, a payment or a payout of it, or its reconciliation, cannot be read`;
    return {
      state: 'days_not_compared',
      differences: [{ invariant: 'items', about: `day ${date}`, text }],
    };
  }
}

async function checkDay(ports: ProviderDaysPorts, date: string): Promise<CheckedDay> {
  const [result] = await ports.reconciliations.list([date]);
  if (!result?.isOver || !result.accounts) return { state: 'days_not_reconciled', differences: [] };
  if (isIncomplete(result)) return { state: 'days_incomplete', differences: [] };
  const journal = await journalSums(ports, result.day);
  return {
    state: 'days_compared',
    differences: [
      ...unequal(result, result.accounts, journal),
      ...result.accounts.flatMap(unexplained(result)),
    ],
  };
}

/** Sums the day per provider and currency from the lines of its entries alone. */
async function journalSums({ books }: ProviderDaysPorts, day: Period): Promise<ReadonlyMap<string, bigint>> {
  const sums = new Map<string, bigint>();
  const reader = await books.journalOf(day);
  for (const { to } of partsOf(day)) {
    const entries = (await reader.until(to)).filter(
      ({ at, lines }) => isWithin(day, at) && lines.some(({ account }) => isOfProvider(account)),
    );
    const providers = await providersOf(books, entries);
    for (const { about, lines } of entries) {
      for (const { account, currency, minor } of lines) {
        if (!isOfProvider(account)) continue;
        const name = nameOf({ ...roles[account], provider: providers.get(about), currency });
        sums.set(name, (sums.get(name) ?? 0n) + roles[account].sign * minor);
      }
    }
  }
  return sums;
}

/** The accounts of the journal that a provider's statement tells of, and the sign with which the reconciliation sums them. */
const roles = {
  acquirer: { role: 'acquirer', sign: -1n },
  clearing: { role: 'rail', sign: 1n },
} as const;
const isOfProvider = (account: string): account is keyof typeof roles => Object.hasOwn(roles, account);

const batchSize = 100;

/** Returns who has each payment and payout. Those of earlier versions name nobody and went to the sandbox. */
async function providersOf(
  books: ProviderDaysPorts['books'],
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(entries.map(({ about }) => about))];
  const providers = new Map<string, string>();
  const paymentIds = [...new Set(ids.flatMap((id) => paymentOf(id) ?? []))];
  for (const batch of inBatches(paymentIds, batchSize))
    for (const { id, acquirer = 'sandbox' } of await books.payments(batch)) providers.set(id, acquirer);
  // A refund is at the acquirer of its payment.
  for (const id of ids.filter(isRefundId)) {
    const acquirer = providers.get(paymentIdOfRefund(id));
    if (acquirer !== undefined) providers.set(id, acquirer);
  }
  for (const batch of inBatches(ids.filter(isPayoutId), batchSize))
    for (const { id, rail = 'sandbox' } of await books.payouts(batch)) providers.set(id, rail);
  return providers;
}

const nameOf = ({ role, provider, currency }: Pick<DayAccount, 'role' | 'provider' | 'currency'>): string =>
  `${role} ${provider ?? 'unknown'} ${currency}`;

/** Accounts of which the journal has another total than the reconciliation read. */
function unequal(
  { day }: Summary,
  accounts: readonly DayAccount[],
  journal: ReadonlyMap<string, bigint>,
): readonly Difference[] {
  const read = new Map(accounts.map((each) => [nameOf(each), each.journalMinor]));
  const names = [...new Set([...journal.keys(), ...read.keys()])].toSorted();
  return names.flatMap((name) => {
    const [now, then] = [journal.get(name) ?? 0n, read.get(name) ?? 0n];
    if (now === then) return [];
    const text = `the journal of ${day.date} has ${toDecimal(now)} on the account ${name}, its reconciliation has ${toDecimal(then)}`;
    return [differenceOf(day.date, name, text)];
  });
}

/** An account whose statement does not lead to its journal by what the reconciliation has named. */
const unexplained =
  (result: Summary) =>
  (account: DayAccount): readonly Difference[] => {
    const name = nameOf(account);
    const { differing, undecided } = account.gaps;
    const isNamed = (differing === 0n || countOf(result) > 0) && undecided === 0n;
    if (addsUp(account) && isNamed) return [];
    const text = `the reconciliation of ${result.day.date} does not lead from the statement, ${toDecimal(statedMinor(account))}, to the journal, ${toDecimal(account.journalMinor)}, of the account ${name}`;
    return [differenceOf(result.day.date, name, text)];
  };

function differenceOf(date: string, name: string, text: string): Difference {
  const invariant: Invariant = name.startsWith('acquirer ')
    ? 'acquirer_matches_reconciliation'
    : 'clearing_matches_reconciliation';
  return { invariant, about: `day ${date} ${name}`, text };
}
