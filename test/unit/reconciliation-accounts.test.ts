import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPaymentId, isPayoutId, toPaymentId, toPayoutId } from '../../lib/ids.ts';
import type { Account, Entry, EntryKind } from '../../lib/ledger/entry.ts';
import type { StatementLine } from '../../lib/provider-port.ts';
import { addsUp, type DayAccount, statedMinor } from '../../lib/reconciliation/accounts.ts';
import { dateAfter, dayOf } from '../../lib/reconciliation/day.ts';
import type { ReconcilePorts } from '../../lib/reconciliation/ports.ts';
import { reconcileDay } from '../../lib/reconciliation/reconcile-day.ts';
import { isIncomplete, type Reconciliation } from '../../lib/reconciliation/reconciliation.ts';
import { captured } from '../support/acquirer-views.ts';
import { aPayment, billId, merchantId } from '../support/builders.ts';
import { aPayout } from '../support/payouts.ts';
import { testRail } from '../support/rail.ts';
import { sandboxAcquirer } from '../../lib/provider/sandbox-acquirer.ts';

const date = '2026-11-21';
const dates = [-2, -1, 0, 1, 2].map((days) => dateAfter(date, days));
const day = dayOf(date, 'UTC');
const minutesIn = (minutes: number) => new Date(day.from.getTime() + minutes * 60_000);

const providers = ['sandbox', 'yookassa'] as const;
type Provider = (typeof providers)[number];
type Line = StatementLine & { readonly provider: Provider };

/** What both sides have, whatever it is. */
type Sides = {
  readonly stored: readonly {
    readonly id: string;
    readonly provider: Provider;
    readonly reference: string | undefined;
    readonly status: 'SUCCESS' | 'FAIL';
  }[];
  readonly lines: readonly Line[];
  readonly entries: readonly Entry[];
  /** What the provider holds of each order when it is asked: all of it, or nothing. */
  readonly held: boolean;
  readonly failing: Provider | undefined;
};

const near = fc.oneof(
  fc.integer({ min: -40, max: 40 }),
  fc.integer({ min: -24 * 60, max: 47 * 60 }),
  fc.integer({ min: 24 * 60 - 40, max: 24 * 60 + 40 }),
);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const amount = fc.constantFrom(10_000n, 10_000n, 9_999n);

/** A payment or a payout: its line, its entries, and what came after them, each of which may be missing or unlike. */
const subject = fc.record({
  isPayout: fc.boolean(),
  provider: fc.constantFrom(...providers),
  isStored: fc.constantFrom(true, true, true, false),
  hasReference: fc.boolean(),
  isPaid: fc.boolean(),
  entry: maybe(fc.record({ at: near, amount })),
  line: maybe(
    fc.record({
      at: near,
      amount,
      currency: fc.constantFrom('RUB', 'RUB', 'RUB', 'USD'),
      provider: maybe(fc.constantFrom(...providers)),
      fee: maybe(fc.constantFrom(0n, 350n, 351n)),
    }),
  ),
  isLineNamed: fc.constantFrom(true, true, true, false),
  secondLine: maybe(near),
  fee: maybe(near),
  refund: maybe(near),
  refundLine: maybe(fc.record({ at: near, isNamed: fc.boolean() })),
  after: maybe(fc.record({ at: near, kind: fc.constantFrom('CHARGEBACK', 'SURPLUS') })),
});
type Subject = typeof subject extends fc.Arbitrary<infer T> ? T : never;

const entryOf = (
  about: string,
  kind: EntryKind,
  at: number,
  [account, minor]: readonly [Account, bigint],
): Entry => ({
  about,
  kind,
  merchantId,
  lines: [
    { account, currency: 'RUB', minor },
    { account: 'correction', currency: 'RUB', minor: -minor },
  ],
  at: minutesIn(at),
  adjustment: undefined,
});

function sidesOf(subjects: readonly Subject[], { held, failing }: Pick<Sides, 'held' | 'failing'>): Sides {
  const named = subjects.map((each, number) => ({
    ...each,
    id: each.isPayout
      ? toPayoutId(`GroupGroupGroupGroup0${number}`)
      : toPaymentId(`${billId}00Payment${number}`),
    reference: `ref-${number}`,
  }));
  return {
    held,
    failing,
    stored: named
      .filter(({ isStored }) => isStored)
      .map(({ id, provider, reference, hasReference, isPaid }) => ({
        id,
        provider,
        reference: hasReference ? reference : undefined,
        status: isPaid ? 'SUCCESS' : 'FAIL',
      })),
    lines: named.flatMap(
      ({ id, isPayout, provider, reference, line, isLineNamed, secondLine, refundLine }) => {
        if (!line) return [];
        const first: Line = {
          kind: isPayout ? 'payout' : 'payment',
          provider: line.provider ?? provider,
          reference,
          ourId: isLineNamed ? id : undefined,
          orderReference: isPayout ? undefined : reference,
          amountMinor: line.amount,
          feeMinor: isPayout ? undefined : line.fee,
          currency: line.currency,
          at: minutesIn(line.at),
        };
        const second = { ...first, reference: `${reference}-again`, orderReference: `${reference}-again` };
        const refund: Line = {
          ...first,
          kind: 'refund',
          reference: `refund-of-${reference}`,
          ourId: refundLine?.isNamed ? `${id}.refund.1` : undefined,
          feeMinor: undefined,
        };
        return [
          first,
          ...(secondLine === undefined ? [] : [{ ...second, at: minutesIn(secondLine) }]),
          ...(refundLine && !isPayout ? [{ ...refund, at: minutesIn(refundLine.at) }] : []),
        ];
      },
    ),
    entries: named.flatMap(({ id, isPayout, entry, fee, refund, after }) => {
      if (isPayout)
        return [
          ...(entry ? [entryOf(id, 'SETTLE', entry.at, ['clearing', entry.amount])] : []),
          ...(after ? [entryOf(id, 'RETURN', after.at, ['clearing', -10_000n])] : []),
        ];
      const loss = after?.kind === 'CHARGEBACK' ? 500n : -500n;
      return [
        ...(entry ? [entryOf(id, 'CAPTURE', entry.at, ['acquirer', -entry.amount])] : []),
        ...(fee === undefined ? [] : [entryOf(id, 'PROVIDER_FEE', fee, ['acquirer', 350n])]),
        ...(refund === undefined ? [] : [entryOf(id, 'REFUND', refund, ['acquirer', 10_000n])]),
        ...(after ? [entryOf(id, after.kind, after.at, ['acquirer', loss])] : []),
      ];
    }),
  };
}

function portsOf({ stored, lines, entries, held, failing }: Sides): ReconcilePorts {
  const of = (role: 'acquirer' | 'rail') =>
    providers.map((provider) => ({
      provider,
      role,
      tellsFees: role === 'acquirer',
      statement: async ({ from, to }: { readonly from: Date; readonly to: Date }) => {
        if (provider === failing) throw new Error('timeout');
        return lines.filter(
          (line) =>
            line.provider === provider &&
            (line.kind === 'payout') === (role === 'rail') &&
            line.at >= from &&
            line.at < to,
        );
      },
    }));
  const acquirer = (name: string) => ({
    ...sandboxAcquirer({
      url: 'https://sandbox.test',
      secret: 'unused',
      fetch: () => Promise.reject(new Error()),
    }),
    name,
    look: async (reference: string) => ({
      reference,
      paymentId: stored.find((each) => each.reference === reference)?.id,
      view: captured(10_000n, { refundedMinor: held ? 0n : 10_000n }),
    }),
  });
  const payments = stored
    .filter(({ id }) => isPaymentId(id))
    .map(({ id, provider, ...traits }) =>
      aPayment({
        ...traits,
        id: toPaymentId(id),
        acquirer: provider,
        phase: 'DONE',
        receivedMinor: 10_000n,
        createdAt: minutesIn(-3000),
      }),
    );
  const payouts = stored
    .filter(({ id }) => isPayoutId(id))
    .map(({ id, provider, reference, status }) => ({
      ...aPayout({ status }),
      id: toPayoutId(id),
      rail: provider,
      reference,
      createdAt: minutesIn(-3000),
    }));
  return {
    now: () => new Date('2026-12-01T00:00:00.000Z'),
    wait: async () => undefined,
    remainingMs: () => Number.POSITIVE_INFINITY,
    timeZone: 'UTC',
    log: () => undefined,
    alarm: () => undefined,
    books: {
      journalOf: async ({ from }) => {
        let since = from;
        return {
          until: async (at) => {
            const read = entries.filter((entry) => entry.at >= since && entry.at < at);
            since = at;
            return read;
          },
        };
      },
      payments: async (ids) => payments.filter(({ id }) => ids.includes(id)),
      payouts: async (ids) => payouts.filter(({ id }) => ids.includes(id)),
      events: async () => [],
      providerFees: async (ids) =>
        entries.filter(({ kind, about }) => kind === 'PROVIDER_FEE' && ids.some((id) => id === about)),
    },
    journal: { about: async (id) => entries.filter(({ about }) => about === id) },
    chargebacks: { ofPayment: async () => [] },
    unknownPayments: { find: async () => undefined },
    shops: { find: async () => undefined },
    merchants: { find: async () => undefined },
    reconciliations: {
      find: async () => undefined,
      list: async () => [],
      store: async () => ({ ok: true, value: undefined }),
    },
    sources: [...of('acquirer'), ...of('rail')],
    acquirers: { named: (name = 'sandbox') => acquirer(name) },
    rails: {
      named: (name) => ({
        ...testRail(),
        name,
        get: async () => ({ state: held ? 'paid' : 'unknown' }),
      }),
    },
  };
}

async function reconciled(sides: Sides, of: string): Promise<Reconciliation> {
  const done = await reconcileDay(portsOf(sides), of);
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
    const provider = stored.find(({ id }) => id === about)?.provider;
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

const sides = fc
  .tuple(
    fc.array(subject, { maxLength: 7 }),
    fc.record({ held: fc.boolean(), failing: fc.constantFrom(undefined, undefined, ...providers) }),
  )
  .map(([subjects, traits]) => sidesOf(subjects, traits));

describe('the accounts of a day', () => {
  it('add up to the kopeck whatever each side has: the journal is the statement, with what was named', async () => {
    await fc.assert(
      fc.asyncProperty(sides, async (given) => {
        const result = await reconciled(given, date);
        expect(accountsOf(result).filter((account) => !addsUp(account))).toEqual([]);
        const undecided = accountsOf(result).filter(({ gaps }) => gaps.undecided !== 0n);
        if (!isIncomplete(result)) expect(undecided).toEqual([]);
      }),
      { numRuns: 400 },
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
