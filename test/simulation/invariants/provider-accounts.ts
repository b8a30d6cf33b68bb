import { Tally } from './tally.ts';
import { toDecimal } from '../../../lib/money/money.ts';
import { addsUp, type DayAccount, statedMinor } from '../../../lib/reconciliation/accounts.ts';
import type { Reconciliation } from '../../../lib/reconciliation/reconciliation.ts';
import type { Violation } from '../harness/world.ts';
import type { Snapshot } from './records.ts';

/**
 * `acquirer_books` and `payout_provider_books`, for each provider and day, the provider's fees included: the statement that was compared is
 * what the provider's own books have of that day, the journal is what its entries have, and every kopeck between the two has a
 * cause. What is on another day of one side is on another day of the other, so that over all days nothing is.
 */
export function unlikeAccounts(snapshot: Snapshot, results: readonly Reconciliation[]): readonly Violation[] {
  const accounts = results.flatMap(({ day: { date }, accounts: own = [], differences }) =>
    own.map((account) => ({ ...account, date, isNamed: differences.length > 0 })),
  );
  const [stated, journal, shifted] = [new Tally(), new Tally(), new Tally()];
  for (const account of accounts) {
    stated.add(nameOf(account), statedMinor(account));
    journal.add(nameOf(account), account.journalMinor);
    shifted.add(nameOf({ ...account, date: 'all days' }), account.gaps.onAnotherDay);
  }
  return [
    ...accounts
      .filter((account) => !isWhole(account))
      .map((account) => violation(account, 'has gaps without a cause')),
    ...unlike(statedIn(snapshot), stated, 'the books of the provider'),
    ...unlike(journalIn(snapshot), journal, 'the entries'),
    ...unlike(new Tally(), shifted, 'the other days'),
  ];
}

type Named = Pick<DayAccount, 'role' | 'provider' | 'currency'> & { readonly date: string };
const nameOf = ({ date, role, provider, currency }: Named): string =>
  `${role} ${provider ?? 'unknown'} ${currency} ${date}`;

/** After recovery everything is decided and every fee is booked. */
const isWhole = (account: DayAccount & { readonly isNamed: boolean }): boolean =>
  addsUp(account) &&
  account.gaps.undecided === 0n &&
  account.gaps.feesDue === 0n &&
  (account.gaps.differing === 0n || account.isNamed);

/** Sums each provider's own books by day. */
function statedIn({ movements }: Snapshot): Tally {
  const books = new Tally();
  for (const { kind, provider, currency, amountMinor, feeMinor = 0n, at } of movements) {
    const role = kind === 'paid_out' ? 'rail' : 'acquirer';
    const minor = kind === 'refunded' ? -amountMinor : amountMinor - feeMinor;
    books.add(nameOf({ role, provider, currency, date: dateOf(at) }), minor);
  }
  return books;
}

/** Sums the lines of all entries by provider and day. */
function journalIn(snapshot: Snapshot): Tally {
  const providers = new Map<string, string | undefined>([
    ...snapshot.of('payment').map(({ payment: { id, acquirer } }) => [id, acquirer] as const),
    ...snapshot.of('refund').map(({ refund: { id, acquirer } }) => [id, acquirer] as const),
    ...snapshot.of('payout').map(({ payout: { id, rail } }) => [id, rail] as const),
  ]);
  const journal = new Tally();
  for (const { entry } of snapshot.of('entry'))
    for (const { account, currency, minor } of entry.lines) {
      if (account !== 'acquirer' && account !== 'clearing') continue;
      const role = account === 'acquirer' ? 'acquirer' : 'rail';
      const name = nameOf({ role, provider: providers.get(entry.about), currency, date: dateOf(entry.at) });
      journal.add(name, account === 'acquirer' ? -minor : minor);
    }
  return journal;
}

const dateOf = (at: Date): string => at.toISOString().slice(0, 10);

function unlike(expected: Tally, found: Tally, whose: string): readonly Violation[] {
  const names = [...new Set([...expected.names(), ...found.names()])];
  return names
    .filter((name) => expected.of(name) !== found.of(name))
    .map((name) => ({
      invariant: name.startsWith('rail') ? 'payout_provider_books' : 'acquirer_books',
      text: `${whose} have ${toDecimal(expected.of(name))} on ${name}, its reconciliation ${toDecimal(found.of(name))}`,
    }));
}

const violation = (account: DayAccount & Named, text: string): Violation => ({
  invariant: account.role === 'rail' ? 'payout_provider_books' : 'acquirer_books',
  text: `the account ${nameOf(account)} ${text}: ${JSON.stringify(account, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`,
});
