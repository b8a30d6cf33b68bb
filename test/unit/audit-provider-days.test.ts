import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPaymentId, toPayoutId } from '../../lib/ids.ts';
import type { Entry } from '../../lib/ledger/entry.ts';
import { providerDaysStep, type ProviderDaysPorts } from '../../lib/operator/audit/provider-days.ts';
import type { DayAccount } from '../../lib/reconciliation/accounts.ts';
import { dayOf } from '../../lib/reconciliation/day.ts';
import { reconcileDay } from '../../lib/reconciliation/reconcile-day.ts';
import type { Summary } from '../../lib/reconciliation/reconciliation.ts';
import { toPayment } from '../../lib/store/payment-item.ts';
import { aPayment, billId, merchantId } from '../support/builders.ts';
import { aPayout } from '../support/payouts.ts';
import { date, entryOf, portsOn, sides } from '../support/reconciliation-sides.ts';

const paymentId = toPaymentId(`${billId}00Payment0`);
const payoutId = toPayoutId('GroupGroupGroupGroup01');
const noon = 12 * 60;

/** 100.00 captured with a fee of 3.50, 5.00 charged back; 100.00 paid out, which came back. */
const entries = [
  entryOf(paymentId, 'CAPTURE', noon, ['acquirer', -10_000n]),
  entryOf(paymentId, 'PROVIDER_FEE', noon + 1, ['acquirer', 350n]),
  entryOf(paymentId, 'CHARGEBACK', noon + 2, ['acquirer', 500n]),
  entryOf(payoutId, 'SETTLE', noon, ['clearing', 10_000n]),
  entryOf(payoutId, 'RETURN', noon + 1, ['clearing', -10_000n]),
];

const none = { onAnotherDay: 0n, explained: 0n, differing: 0n, feesDue: 0n, undecided: 0n };
const ofAcquirer: DayAccount = {
  role: 'acquirer',
  provider: 'yookassa',
  currency: 'RUB',
  stated: { payments: 10_000n, refunds: 0n, fees: 350n, payouts: 0n },
  journalMinor: 9_150n,
  gaps: { ...none, explained: -500n },
};
const ofRail: DayAccount = {
  role: 'rail',
  provider: 'sandbox',
  currency: 'RUB',
  stated: { payments: 0n, refunds: 0n, fees: 0n, payouts: 10_000n },
  journalMinor: 0n,
  gaps: { ...none, explained: -10_000n },
};

const summary = (traits: Partial<Summary> = {}): Summary => ({
  day: dayOf(date, 'UTC'),
  isOver: true,
  startedAt: new Date('2026-11-22T03:00:00.000Z'),
  endedAt: new Date('2026-11-22T03:01:00.000Z'),
  compared: [{ provider: 'yookassa', role: 'acquirer', incomplete: undefined }],
  totals: [],
  accounts: [ofAcquirer, ofRail],
  counts: { matched: 2, onAnotherDay: 0, explained: 2, foreign: 0, feesDue: 0, postbacks: 0 },
  differenceCount: 0,
  moreDifferences: 0,
  ...traits,
});

type Given = {
  readonly result?: Summary;
  readonly journal?: readonly Entry[];
  readonly acquirer?: string;
  /** What the reads of the journal return in turn; the last one from then on. */
  readonly reads?: readonly (readonly Entry[])[];
};

function portsOf({
  result = summary(),
  journal = entries,
  acquirer = 'yookassa',
  reads = [journal],
}: Given): ProviderDaysPorts {
  const left = [...reads];
  return {
    now: () => new Date('2026-11-22T05:00:00.000Z'),
    wait: async () => undefined,
    timeZone: 'UTC',
    reconciliations: { list: async ([of]) => (of === result.day.date ? [result] : []) },
    books: {
      journalOf: async ({ from, to }) => {
        const read = (left.length > 1 ? left.shift() : left[0]) ?? [];
        let since = from;
        return {
          until: async (at) => {
            const part = read.filter((entry) => entry.at >= since && entry.at < at && entry.at < to);
            since = at;
            return part;
          },
        };
      },
      payments: async (ids) => [aPayment({ id: paymentId, acquirer })].filter(({ id }) => ids.includes(id)),
      payouts: async (ids) =>
        [{ ...aPayout({ status: 'SUCCESS' }), id: payoutId, rail: undefined }].filter(({ id }) =>
          ids.includes(id),
        ),
    },
  };
}

const whole = { merchantId: undefined, since: undefined };
const always = { scope: whole, after: undefined, mayGoOn: () => true };
const audited = async (given: Given, ports = portsOf(given)) => providerDaysStep(ports).part(always);
const told = async (given: Given) =>
  (await audited(given)).differences.map(({ invariant, text }) => `${invariant}: ${text}`);

const acquirerTold = (now: string, then = '91.50', name = 'acquirer yookassa RUB') =>
  `acquirer_matches_reconciliation: the journal of 2026-11-21 has ${now} on the account ${name}, its reconciliation has ${then}`;

describe('the accounts of the providers on the last days', () => {
  it('are what their reconciliations say, fees, chargebacks and returns included', async () => {
    expect(await audited({})).toEqual({
      counts: { days_compared: 1, days_not_reconciled: 7 },
      differences: [],
      next: undefined,
    });
  });

  it.each([
    ['an entry was removed', { journal: entries.slice(1) }, [acquirerTold('-8.50')]],
    [
      'an entry was changed',
      { journal: entries.with(1, entryOf(paymentId, 'PROVIDER_FEE', noon, ['acquirer', 351n])) },
      [acquirerTold('91.49')],
    ],
    [
      'an entry was added later',
      { journal: [...entries, entryOf(paymentId, 'SURPLUS', noon, ['acquirer', -500n])] },
      [acquirerTold('96.50')],
    ],
    [
      'an entry tells of a payment that nobody has',
      { journal: [...entries, entryOf(`${billId}00Payment9`, 'CAPTURE', noon, ['acquirer', -1n])] },
      [acquirerTold('0.01', '0.00', 'acquirer unknown RUB')],
    ],
    [
      'a payment was moved to another provider',
      { acquirer: 'sandbox' },
      [acquirerTold('91.50', '0.00', 'acquirer sandbox RUB'), acquirerTold('0.00')],
    ],
    [
      'a return was removed',
      { journal: entries.slice(0, -1) },
      [
        'clearing_matches_reconciliation: the journal of 2026-11-21 has 100.00 on the account rail sandbox RUB, its reconciliation has 0.00',
      ],
    ],
  ])('differ where %s', async (_what, given, expected) => {
    expect(await told(given)).toEqual(expected);
  });

  it.each([
    ['has another statement', { stated: { ...ofAcquirer.stated, payments: 10_001n } }],
    ['has another fee', { stated: { ...ofAcquirer.stated, fees: 0n } }],
    ['explains too much', { gaps: { ...none, explained: -501n } }],
    ['counts differences without naming one', { gaps: { ...none, differing: -500n } }],
    ['is whole and left something undecided', { gaps: { ...none, undecided: -500n } }],
  ])('differ where the stored reconciliation %s', async (_what, changed) => {
    const { differences } = await audited({
      result: summary({ accounts: [{ ...ofAcquirer, ...changed }, ofRail] }),
    });
    expect(differences).toMatchObject([
      { invariant: 'acquirer_matches_reconciliation', about: 'day 2026-11-21 acquirer yookassa RUB' },
    ]);
  });

  it('agree where differences were named: the reconciliation has raised its own alarm', async () => {
    const accounts = [{ ...ofAcquirer, gaps: { ...none, differing: -500n } }, ofRail];
    expect(await told({ result: summary({ accounts, differenceCount: 1 }) })).toEqual([]);
  });

  it.each([
    ['was not over', { isOver: false }, 'days_not_reconciled'],
    ['was reconciled by an earlier version', { accounts: undefined }, 'days_not_reconciled'],
    [
      'was not compared whole',
      { compared: [{ provider: 'yookassa', role: 'acquirer', incomplete: 'statement_failed' }] } as const,
      'days_incomplete',
    ],
  ])('are not judged on a day that %s: it is counted', async (_what, traits, count) => {
    const { counts, differences } = await audited({ result: summary(traits), journal: [] });
    expect(differences).toEqual([]);
    expect(counts).toEqual(
      count === 'days_incomplete' ? { days_incomplete: 1, days_not_reconciled: 7 } : { [count]: 8 },
    );
  });

  it('are told as not compared where an item of the day cannot be read, and the audit goes on with the next day', async () => {
    const ports = portsOf({});
    const payments = async () => [toPayment({})];
    const { counts, differences } = await audited({}, { ...ports, books: { ...ports.books, payments } });
    expect(counts).toEqual({ days_not_compared: 1, days_not_reconciled: 7 });
    expect(differences).toMatchObject([{ invariant: 'items', about: 'day 2026-11-21' }]);
    const journalOf = () => Promise.reject(new Error('ThrottlingException'));
    await expect(audited({}, { ...ports, books: { ...ports.books, journalOf } })).rejects.toThrow(
      'Throttling',
    );
  });

  it('differ only if a second read shows the same: the index may lag, a run may replace the result', async () => {
    expect(await told({ reads: [entries.slice(1), entries] })).toEqual([]);
    expect(await told({ reads: [entries.slice(1), entries.slice(2), entries.slice(2)] })).toEqual([]);
  });

  it('are compared day by day, from the day where a part has ended, and not for one merchant', async () => {
    const step = providerDaysStep(portsOf({}));
    const first = await step.part({ ...always, mayGoOn: () => false });
    expect(first).toMatchObject({ next: '2026-11-15', counts: { days_not_reconciled: 1 } });
    const rest = await step.part({ ...always, after: first.next });
    expect(rest).toMatchObject({ next: undefined, counts: { days_compared: 1, days_not_reconciled: 6 } });
    const since = await step.part({
      ...always,
      scope: { ...whole, since: new Date('2026-11-20T10:00:00.000Z') },
    });
    expect(since.counts).toMatchObject({ days_compared: 1, days_not_reconciled: 1 });
    const ofMerchant = await step.part({ ...always, scope: { ...whole, merchantId } });
    expect(ofMerchant).toMatchObject({
      next: undefined,
      counts: {},
    });
  });

  it('agree with what the reconciliation finds of any day, and not with a journal that was changed since', async () => {
    const capture = entryOf(paymentId, 'CAPTURE', noon, ['acquirer', -1n]);
    await fc.assert(
      fc.asyncProperty(sides, async (given) => {
        const ports = portsOn({ ...given, failing: undefined });
        const done = await reconcileDay(ports, date);
        if (!done.ok) throw new Error(done.error);
        const { differences, ...result } = done.value;
        const stored = { ...result, differenceCount: differences.length };
        const reading = (read: ProviderDaysPorts['books']): ProviderDaysPorts => ({
          ...portsOf({ result: stored }),
          books: read,
        });
        expect((await audited({}, reading(ports.books))).differences).toEqual([]);
        const changed = portsOn({ ...given, entries: [...given.entries, capture], failing: undefined });
        expect((await audited({}, reading(changed.books))).differences).toHaveLength(1);
      }),
      { numRuns: 40 },
    );
  });
});
