import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addsUp, type DayAccount, statedMinor } from '../../lib/reconciliation/accounts.ts';
import { dateAfter, dayOf } from '../../lib/reconciliation/day.ts';
import { paymentOf } from '../../lib/reconciliation/movement.ts';
import { reconcileDay } from '../../lib/reconciliation/reconcile-day.ts';
import { isIncomplete, type Reconciliation } from '../../lib/reconciliation/reconciliation.ts';
import { billId } from '../support/builders.ts';
import {
  date,
  entryOf,
  portsOn,
  type Sides,
  sides,
  sidesOf,
  subject,
  type Subject,
} from '../support/reconciliation-sides.ts';

const dates = [-2, -1, 0, 1, 2].map((days) => dateAfter(date, days));

async function reconciled(given: Sides, of: string): Promise<Reconciliation> {
  const done = await reconcileDay(portsOn(given), of);
  if (!done.ok) throw new Error(done.error);
  return done.value;
}

const nameOf = ({ role, provider, currency }: Pick<DayAccount, 'role' | 'provider' | 'currency'>) =>
  `${role} ${provider ?? 'unknown'} ${currency}`;

/** The sums of the items that are not zero, by name. */
function sums<T>(items: readonly T[], of: (item: T) => readonly [string, bigint]): Record<string, bigint> {
  const totals: Record<string, bigint> = {};
  for (const item of items) {
    const [name, minor] = of(item);
    totals[name] = (totals[name] ?? 0n) + minor;
  }
  return Object.fromEntries(Object.entries(totals).filter(([, minor]) => minor !== 0n));
}

/** What the journal has of a day per provider: summed from its lines alone. */
const journalOf = ({ entries, stored }: Sides, of: string) => {
  const { from, to } = dayOf(of, 'UTC');
  const lines = entries
    .filter(({ at }) => at >= from && at < to)
    .flatMap(({ about, lines: own }) => own.map((line) => ({ about, ...line })))
    .filter(({ account }) => account === 'acquirer' || account === 'clearing');
  return sums(lines, ({ about, account, currency, minor }) => {
    const provider = stored.find(({ id }) => id === (paymentOf(about) ?? about))?.provider;
    const role = account === 'acquirer' ? 'acquirer' : 'rail';
    return [nameOf({ role, provider, currency }), account === 'acquirer' ? -minor : minor];
  });
};

/** What the statement has of our orders and transfers. */
const statementOf = ({ lines }: Sides, of: string) => {
  const { from, to } = dayOf(of, 'UTC');
  const own = lines.filter(({ at, ourId }) => at >= from && at < to && ourId !== undefined);
  return sums(own, ({ kind, provider, currency, amountMinor, feeMinor }) => [
    nameOf({ role: kind === 'payout' ? 'rail' : 'acquirer', provider, currency }),
    kind === 'refund' ? -amountMinor : amountMinor - (kind === 'payment' ? (feeMinor ?? 0n) : 0n),
  ]);
};

const accountsOf = ({ accounts }: Reconciliation): readonly DayAccount[] => accounts ?? [];

describe('the accounts of a day', () => {
  it('add up to the kopeck whatever each side has: the journal is the statement, with what was named', async () => {
    await fc.assert(
      fc.asyncProperty(sides, async (given) => {
        const result = await reconciled(given, date);
        expect(accountsOf(result).filter((account) => !addsUp(account))).toEqual([]);
        const undecided = accountsOf(result).filter(({ gaps }) => gaps.undecided !== 0n);
        if (!isIncomplete(result)) expect(undecided).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('have the journal’s own total of each provider, chargebacks and fees included', async () => {
    await fc.assert(
      fc.asyncProperty(sides, async (given) => {
        const result = await reconciled(given, date);
        expect(sums(accountsOf(result), (each) => [nameOf(each), each.journalMinor])).toEqual(
          journalOf(given, date),
        );
      }),
    );
  });

  it('have the statement’s own total of what is ours, where each line carries our id', async () => {
    await fc.assert(
      fc.asyncProperty(sides, async (all) => {
        const lines = all.lines.filter(({ kind, ourId }) => kind !== 'refund' || ourId !== undefined);
        const given = { ...all, lines, failing: undefined };
        const result = await reconciled(given, date);
        expect(sums(accountsOf(result), (each) => [nameOf(each), statedMinor(each)])).toEqual(
          statementOf(given, date),
        );
      }),
    );
  });

  it('differ by other days alone where both sides have the same, and over all days by nothing', async () => {
    const same = subject.map(
      (each): Subject => ({
        ...each,
        isStored: true,
        hasReference: true,
        isPaid: true,
        entry: { at: each.entry?.at ?? 0, amount: 10_000n },
        line: {
          at: each.line?.at ?? 0,
          amount: 10_000n,
          currency: 'RUB',
          provider: undefined,
          fee: each.fee === undefined ? 0n : 350n,
        },
        isLineNamed: true,
        secondLine: undefined,
        refund: undefined,
        refundLine: undefined,
        parts: each.parts.map(({ entry, line }) => ({
          entry: entry ?? 0,
          line: { at: line?.at ?? 0, amount: 1_000n, isNamed: true },
        })),
        after: undefined,
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(same, { maxLength: 7 }), async (subjects) => {
        const given = sidesOf(subjects, { held: true, failing: undefined });
        const results = [];
        for (const each of dates) results.push(await reconciled(given, each));
        const accounts = results.flatMap(accountsOf);
        for (const { gaps } of accounts)
          expect(gaps).toMatchObject({ explained: 0n, differing: 0n, feesDue: 0n, undecided: 0n });
        expect(sums(accounts, (each) => [nameOf(each), each.gaps.onAnotherDay])).toEqual({});
      }),
    );
  });
});

describe('a captured amount that was corrected before it was booked', () => {
  /** In minutes of the day: captured with 110.00 there, corrected to 100.00, and booked with its fee here. */
  const corrected = (
    [captured, changed, booked]: readonly [number, number, number],
    traits: Partial<Sides['lines'][number]> = {},
  ): Sides => {
    const at = (minutes: number) => new Date(dayOf(date, 'UTC').from.getTime() + minutes * 60_000);
    const whole = sidesOf([], { held: true, failing: undefined });
    const id = `${billId}00Payment1`;
    const reference = 'ref-1';
    const payment = {
      kind: 'payment',
      provider: 'sandbox',
      reference,
      ourId: id,
      orderReference: reference,
      amountMinor: 11_000n,
      feeMinor: 350n,
      currency: 'RUB',
      at: at(captured),
    } as const;
    const correction = {
      ...payment,
      reference: 'ref-1.1',
      ourId: undefined,
      amountMinor: -1_000n,
      feeMinor: undefined,
      at: at(changed),
    };
    return {
      ...whole,
      stored: [{ id, provider: 'sandbox', reference, status: 'SUCCESS' }],
      lines: [payment, { ...correction, ...traits }],
      entries: [
        entryOf(id, 'CAPTURE', booked, ['acquirer', -10_000n]),
        entryOf(id, 'PROVIDER_FEE', booked, ['acquirer', 350n]),
      ],
    };
  };
  const named = (results: readonly Reconciliation[]) =>
    results.flatMap(({ differences }) => differences.map(({ kind }) => kind));

  it('agrees with the statement: its line and the correction’s are the entry', async () => {
    const result = await reconciled(corrected([600, 601, 602]), date);
    expect(named([result])).toEqual([]);
    expect(accountsOf(result)).toMatchObject([
      {
        stated: { payments: 10_000n, fees: 350n },
        journalMinor: 9_650n,
        gaps: { onAnotherDay: 0n, explained: 0n, differing: 0n, feesDue: 0n, undecided: 0n },
      },
    ]);
  });

  it.each([
    [-20, -10, 10],
    [-10, -5, 5],
    [-5, 5, 10],
    [-600, -500, 500],
  ] as const)(
    'agrees also over midnight: captured at %i, corrected at %i, booked at %i',
    async (...times) => {
      const given = corrected(times);
      const results = [];
      for (const each of dates) results.push(await reconciled(given, each));
      const accounts = results.flatMap(accountsOf);
      expect(named(results)).toEqual([]);
      expect(accounts.filter((account) => !addsUp(account))).toEqual([]);
      for (const cause of ['onAnotherDay', 'explained', 'differing', 'undecided'] as const)
        expect([cause, sums(accounts, (each) => [cause, each.gaps[cause]])]).toEqual([cause, {}]);
    },
  );

  it.each([
    ['of another amount', { amountMinor: -999n }],
    ['of another order', { orderReference: 'ref-2' }],
    ['in another currency', { currency: 'USD' }],
    ['at another provider', { provider: 'yookassa' }],
  ] as const)('differs where the correction is %s', async (_, traits) => {
    const result = await reconciled(corrected([600, 601, 602], traits), date);
    expect(named([result])).toEqual(['amount']);
  });
});
