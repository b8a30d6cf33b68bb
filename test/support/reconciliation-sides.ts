import * as fc from 'fast-check';
import { isPaymentId, isPayoutId, newRefundId, toPaymentId, toPayoutId } from '../../lib/ids.ts';
import type { Account, Entry, EntryKind } from '../../lib/ledger/entry.ts';
import { sandboxAcquirer } from '../../lib/provider/sandbox-acquirer.ts';
import type { StatementLine } from '../../lib/provider-port.ts';
import { dayOf } from '../../lib/reconciliation/day.ts';
import type { Refund } from '../../lib/refund/refund.ts';
import type { ReconcilePorts } from '../../lib/reconciliation/ports.ts';
import { captured } from './acquirer-views.ts';
import { aPayment, billId, merchantId } from './builders.ts';
import { aPayout } from './payouts.ts';
import { aRefundedPart, refundTotals } from './ended-refunds.ts';
import { testRail } from './rail.ts';

export const date = '2026-11-21';
const day = dayOf(date, 'UTC');
const minutesIn = (minutes: number) => new Date(day.from.getTime() + minutes * 60_000);

const providers = ['sandbox', 'yookassa'] as const;
type Provider = (typeof providers)[number];
type Line = StatementLine & { readonly provider: Provider };

/** What both sides have, whatever it is. */
export type Sides = {
  readonly stored: readonly {
    readonly id: string;
    readonly provider: Provider;
    readonly reference: string | undefined;
    readonly status: 'SUCCESS' | 'FAIL';
  }[];
  /** Refunds of stored payments. */
  readonly refunds: readonly Refund[];
  readonly lines: readonly Line[];
  readonly entries: readonly Entry[];
  /** What the provider holds of each order when it is asked: all that was not refunded in part, or nothing. */
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
export const subject = fc.record({
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
  parts: fc.array(
    fc.record({
      entry: maybe(near),
      line: maybe(
        fc.record({ at: near, amount: fc.constantFrom(1_000n, 1_000n, 999n), isNamed: fc.boolean() }),
      ),
    }),
    { maxLength: 2 },
  ),
  after: maybe(fc.record({ at: near, kind: fc.constantFrom('CHARGEBACK', 'SURPLUS') })),
});
export type Subject = typeof subject extends fc.Arbitrary<infer T> ? T : never;

const partOf = (paymentId: string, number: number) =>
  newRefundId(toPaymentId(paymentId), () => `00000${number}`);

export const entryOf = (
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

export function sidesOf(
  subjects: readonly Subject[],
  { held, failing }: Pick<Sides, 'held' | 'failing'>,
): Sides {
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
    refunds: named.flatMap(({ id, isPayout, isStored, parts }) =>
      isPayout || !isStored
        ? []
        : parts.map(({ entry }, part) =>
            aRefundedPart({
              id: partOf(id, part),
              paymentId: toPaymentId(id),
              amount: { minor: 1_000n, currency: 'RUB' },
              debit: { minor: 1_000n, currency: 'RUB' },
              ...(entry === undefined && { status: 'PROCESS', endedAt: undefined }),
            }),
          ),
    ),
    lines: named.flatMap(
      ({ id, isPayout, provider, reference, line, isLineNamed, secondLine, refundLine, parts }) => {
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
          ...parts.flatMap((part, number) =>
            part.line && !isPayout
              ? [
                  {
                    ...refund,
                    reference: `part-${number}-of-${reference}`,
                    ourId: part.line.isNamed ? `${partOf(id, number)}.1` : undefined,
                    amountMinor: part.line.amount,
                    at: minutesIn(part.line.at),
                  },
                ]
              : [],
          ),
        ];
      },
    ),
    entries: named.flatMap(({ id, isPayout, entry, fee, refund, after, parts }) => {
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
        ...parts.flatMap((part, number) =>
          part.entry === undefined
            ? []
            : [entryOf(partOf(id, number), 'REFUND_SETTLE', part.entry, ['acquirer', 1_000n])],
        ),
        ...(after ? [entryOf(id, after.kind, after.at, ['acquirer', loss])] : []),
      ];
    }),
  };
}

/** Ports of a reconciliation in UTC that read these sides. */
export function portsOn({ stored, refunds, lines, entries, held, failing }: Sides): ReconcilePorts {
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
  /** What our own refunds took of an order. */
  const refundedOf = (reference: string): bigint => {
    const payment = stored.find((each) => each.reference === reference);
    return refundTotals(refunds.filter(({ paymentId }) => paymentId === payment?.id))?.refundedMinor ?? 0n;
  };
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
      view: captured(10_000n, { refundedMinor: held ? refundedOf(reference) : 10_000n }),
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
        refunds: refundTotals(refunds.filter(({ paymentId }) => paymentId === id)),
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
      refunds: async (ids) => refunds.filter(({ id }) => ids.includes(id)),
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

/** Days on which each side has whatever it has. */
export const sides = fc
  .tuple(
    fc.array(subject, { maxLength: 7 }),
    fc.record({ held: fc.boolean(), failing: fc.constantFrom(undefined, undefined, ...providers) }),
  )
  .map(([subjects, traits]) => sidesOf(subjects, traits));
