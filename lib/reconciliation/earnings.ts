import type { Entry } from '../ledger/entry.ts';
import { type BillCurrency, billCurrencies } from '../money/money.ts';
import { dateAfter, dayOf } from './day.ts';
import type { Books } from './ports.ts';

/** What the operator earned in one currency, in minor units. */
export type Earnings = {
  readonly currency: BillCurrency;
  /** The fees on captures. */
  readonly paymentFeesMinor: bigint;
  /** The fees on paid payouts. */
  readonly payoutFeesMinor: bigint;
  /** What acquirers kept of captures, as far as they have told it: a cost. */
  readonly providerFeesMinor: bigint;
  readonly earnedMinor: bigint;
};

type Ports = { readonly books: Pick<Books, 'journalOf'>; readonly timeZone: string };

/**
 * Returns what the journal posted to `fees` and `provider_fees` in a month (`2026-11`) of the time zone, for each currency that has any.
 * Nothing is exchanged: a fee is in the currency that it was posted in. The journal is read day by day.
 */
export async function earningsOf({ books, timeZone }: Ports, month: string): Promise<readonly Earnings[]> {
  const days = daysOf(month).map((date) => dayOf(date, timeZone));
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return [];
  const journal = await books.journalOf({ from: first.from, to: last.to });
  const sums = new Map<BillCurrency, Earnings>();
  for (const { to } of days) for (const entry of await journal.until(to)) addTo(sums, entry);
  return billCurrencies.flatMap((currency) => sums.get(currency) ?? []);
}

function daysOf(month: string): readonly string[] {
  const dates = Array.from({ length: 31 }, (_, days) => dateAfter(`${month}-01`, days));
  return dates.filter((date) => date.startsWith(month));
}

function addTo(sums: Map<BillCurrency, Earnings>, { kind, lines }: Entry): void {
  for (const { account, currency, minor } of lines) {
    if (account !== 'fees' && account !== 'provider_fees') continue;
    const sum = sums.get(currency) ?? noneIn(currency);
    const isOfPayout = kind === 'SETTLE';
    sums.set(currency, {
      currency,
      paymentFeesMinor: sum.paymentFeesMinor + (account === 'fees' && !isOfPayout ? minor : 0n),
      payoutFeesMinor: sum.payoutFeesMinor + (account === 'fees' && isOfPayout ? minor : 0n),
      providerFeesMinor: sum.providerFeesMinor - (account === 'provider_fees' ? minor : 0n),
      earnedMinor: sum.earnedMinor + minor,
    });
  }
}

const noneIn = (currency: BillCurrency): Earnings => ({
  currency,
  paymentFeesMinor: 0n,
  payoutFeesMinor: 0n,
  providerFeesMinor: 0n,
  earnedMinor: 0n,
});
