import { newRefundId, toPaymentId, toPayoutId } from '../../../lib/ids.ts';
import type { Chargeback } from '../../../lib/ledger/chargeback.ts';
import type { Entry } from '../../../lib/ledger/entry.ts';
import type { AcquirerView } from '../../../lib/payment/acquirer.ts';
import { captureEntry } from '../../../lib/payment/payment-postings.ts';
import type { Payment } from '../../../lib/payment/payment.ts';
import type { PaidPayout, Payout } from '../../../lib/payout/payout.ts';
import { paymentEventId, type PostbackEvent } from '../../../lib/postback/event.ts';
import type { StatementLine } from '../../../lib/provider-port.ts';
import { refundSettleEntry } from '../../../lib/refund/refund-postings.ts';
import type { Refund } from '../../../lib/refund/refund.ts';
import { providerDaysStep } from '../../../lib/operator/audit/provider-days.ts';
import { addsUp, type DayAccount } from '../../../lib/reconciliation/accounts.ts';
import type { ReconcilePorts } from '../../../lib/reconciliation/ports.ts';
import { reconcileDay } from '../../../lib/reconciliation/reconcile-day.ts';
import { type Reconciliation, verdictOf } from '../../../lib/reconciliation/reconciliation.ts';
import { sandboxAcquirer } from '../../../lib/provider/sandbox-acquirer.ts';
import { dynamoBooks } from '../../../lib/store/books.ts';
import { dynamoJournal } from '../../../lib/store/journal.ts';
import { captured } from '../../support/acquirer-views.ts';
import { aCall, aPayment, aShop, billId, merchantId, today } from '../../support/builders.ts';
import { aChargeback } from '../../support/chargebacks.ts';
import { refundTotals } from '../../support/ended-refunds.ts';
import { aRefund } from '../../support/refunds.ts';
import { anEvent } from '../../support/postbacks.ts';
import { aPayout } from '../../support/payouts.ts';
import { testRail } from '../../support/rail.ts';
import type { World } from '../harness/world.ts';
import { aBill, open, payerOf, start } from './bill-scenarios.ts';
import { goodCard } from './scenario-steps.ts';

const date = '2026-11-21';
const received = 10_050n;
const idOf = (number: number) => toPaymentId(`${billId}00Payment${number.toString(36)}`);

/** What both sides have of a day, and what the provider answers when it is asked for one order. */
type Sides = {
  readonly payments: readonly Payment[];
  readonly payouts: readonly Payout[];
  readonly entries: readonly Entry[];
  readonly events: readonly PostbackEvent[];
  readonly lines: readonly StatementLine[];
  readonly transfers: readonly StatementLine[];
  readonly views: ReadonlyMap<string, AcquirerView>;
  readonly refunds?: readonly Refund[];
  readonly chargebacks?: readonly Chargeback[];
};

function portsOf(sides: Sides): ReconcilePorts {
  const acquirer = {
    ...sandboxAcquirer({
      url: 'https://sandbox.test',
      secret: 'unused',
      fetch: () => Promise.reject(new Error()),
    }),
    look: async (reference: string) => {
      const view = sides.views.get(reference);
      return (
        view && {
          reference,
          view,
          paymentId: sides.payments.find((each) => each.reference === reference)?.id,
        }
      );
    },
  };
  const rail = { ...testRail(), name: 'sandbox', get: async () => ({ state: 'unknown' }) as const };
  const within = (
    lines: readonly StatementLine[],
    { from, to }: { readonly from: Date; readonly to: Date },
  ) => lines.filter(({ at }) => at >= from && at < to);
  return {
    now: () => new Date('2026-11-22T04:00:00.000Z'),
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
            const read = sides.entries.filter((entry) => entry.at >= since && entry.at < at);
            since = at;
            return read;
          },
        };
      },
      payments: async (ids) => sides.payments.filter(({ id }) => ids.includes(id)),
      payouts: async (ids) => sides.payouts.filter(({ id }) => ids.includes(id)),
      refunds: async (ids) => sides.refunds?.filter(({ id }) => ids.includes(id)) ?? [],
      events: async (ids) => sides.events.filter(({ id }) => ids.includes(id)),
      providerFees: async () => [],
    },
    journal: { about: async (id) => sides.entries.filter(({ about }) => about === id) },
    chargebacks: {
      ofPayment: async (id) => sides.chargebacks?.filter(({ paymentId }) => paymentId === id) ?? [],
    },
    unknownPayments: { find: async () => undefined },
    shops: {
      find: async () =>
        aShop({
          resultUrl: 'https://shop.test/result',
          resultUrlSince: new Date('2026-11-01T00:00:00.000Z'),
        }),
    },
    merchants: { find: async () => undefined },
    reconciliations: {
      find: async () => undefined,
      list: async () => [],
      store: async () => ({ ok: true, value: undefined }),
    },
    sources: [
      {
        provider: 'sandbox',
        role: 'acquirer',
        tellsFees: true,
        statement: async (period) => within(sides.lines, period),
      },
      {
        provider: 'sandbox',
        role: 'rail',
        tellsFees: false,
        statement: async (period) => within(sides.transfers, period),
      },
    ],
    acquirers: { named: () => acquirer },
    rails: { named: () => rail },
  };
}

const paidPayment = (number: number, traits: Partial<Payment> = {}): Payment =>
  aPayment({
    id: idOf(number),
    reference: `ref-${number}`,
    status: 'SUCCESS',
    phase: 'DONE',
    receivedMinor: received,
    deliveredAt: today,
    ...traits,
  });

const lineOf = (number: number, traits: Partial<StatementLine> = {}): StatementLine => ({
  kind: 'payment',
  reference: `ref-${number}`,
  ourId: idOf(number),
  orderReference: `ref-${number}`,
  amountMinor: received,
  feeMinor: 350n,
  currency: 'RUB',
  at: today,
  ...traits,
});

const entryOf = (payment: Payment, at = today): Entry => captureEntry(payment, received, at);
const feeOf = (number: number, minor = 350n): Entry => ({
  about: idOf(number),
  kind: 'PROVIDER_FEE',
  merchantId,
  lines: [
    { account: 'acquirer', currency: 'RUB', minor },
    { account: 'provider_fees', currency: 'RUB', minor: -minor },
  ],
  at: today,
  adjustment: undefined,
});

const payoutId = (number: number) => toPayoutId(`GroupGroupGroupGroup0${number}`);
const settled = (number: number): Entry => ({
  about: payoutId(number),
  kind: 'SETTLE',
  merchantId,
  lines: [
    { account: 'locked', currency: 'RUB', minor: -received },
    { account: 'clearing', currency: 'RUB', minor: received },
  ],
  at: today,
  adjustment: undefined,
});
const paidPayout = (number: number): PaidPayout => ({
  ...aPayout({ status: 'SUCCESS' }),
  id: payoutId(number),
  rail: 'sandbox',
  reference: undefined,
  createdAt: today,
});
const transferOf = (number: number, reference = `transfer-${number}`): StatementLine => ({
  ...lineOf(number, { kind: 'payout', reference, ourId: payoutId(number), feeMinor: undefined }),
  orderReference: undefined,
});

/** A day with one difference of each kind, besides what agrees. */
function sidesWithDifferences(): Sides {
  const late = paidPayment(0, { createdAt: new Date('2026-11-21T23:59:00.000Z') });
  const payments = [
    late,
    ...[1, 2, 3, 4, 5, 6, 7].map((number) => paidPayment(number)),
    paidPayment(8, { status: 'PROCESS', phase: 'AUTHORIZING' }),
    paidPayment(9, { deliveredAt: undefined }),
  ];
  // Money came after these had failed: the provider holds that of 10 (a), and that of 11 (b) went back in its cabinet.
  const failed = [10, 11].map((number) => paidPayment(number, { status: 'FAIL', receivedMinor: undefined }));
  const waiting = anEvent({ id: paymentEventId(idOf(9), 'SUCCESS'), state: 'RETRY' });
  const settledPayments = payments.filter(({ id }) => id !== idOf(8) && id !== late.id);
  const views = payments.map(({ reference = '' }) => [reference, captured(received)] as const);
  return {
    payments: [...payments, ...failed],
    payouts: [1, 2].map(paidPayout),
    entries: [
      entryOf(late, new Date('2026-11-22T00:00:03.000Z')),
      ...settledPayments.map((payment) => entryOf(payment)),
      ...[0, 1, 2, 3, 4, 5, 6, 9].map((number) => feeOf(number)),
      feeOf(7, 351n),
      settled(1),
      settled(2),
    ],
    events: [waiting],
    lines: [
      lineOf(0, { at: new Date('2026-11-21T23:59:58.000Z') }),
      lineOf(1),
      // The provider's own view of the order has the full amount.
      lineOf(2, { amountMinor: received - 1n }),
      lineOf(3, { currency: 'KZT' }),
      // 4 is not on the statement, and the provider does not know it.
      lineOf(5, { reference: 'ref-other', orderReference: 'ref-other' }),
      lineOf(5),
      lineOf(6),
      lineOf(6, { kind: 'refund', reference: 'refund-6', ourId: undefined, feeMinor: undefined }),
      lineOf(7),
      lineOf(8),
      lineOf(9),
      lineOf(10),
      lineOf(11),
      lineOf(11, { kind: 'refund', reference: 'refund-11', ourId: undefined, feeMinor: undefined }),
      lineOf(0, { reference: 'ref-lost', orderReference: 'ref-lost', ourId: `${billId}00PaymentX` }),
      lineOf(0, { reference: 'theirs', orderReference: 'theirs', ourId: undefined }),
    ],
    // Both transfers of the first payout were paid; the second was not.
    transfers: [transferOf(1), transferOf(1, 'transfer-again')],
    views: new Map([
      ...views.filter(([reference]) => reference !== 'ref-4'),
      ['ref-6', captured(received, { refundedMinor: received })],
      ['ref-10', captured(received)],
      ['ref-11', captured(received, { refundedMinor: received })],
    ]),
  };
}

const expected = [
  'amount payment 2',
  'currency payment 3',
  'fee payment 7',
  'missing_here payment 5 another_reference',
  'missing_here payment X unknown_id',
  'missing_here payout 1 another_reference',
  'missing_here refund 6 not_asked_for',
  'missing_there payment 4 no_order',
  'missing_there payout 2 no_order',
  'postback_not_delivered postback 9',
  'state payment 8',
  'state payment a',
];

const shown = ({ differences }: Reconciliation): readonly string[] =>
  differences
    .map(({ kind, about, subject = '', why }) =>
      [kind, about, subject.slice(-1), why].filter(Boolean).join(' '),
    )
    .toSorted();

async function reconciled(ports: ReconcilePorts): Promise<Reconciliation> {
  const done = await reconcileDay(ports, date);
  if (!done.ok) throw new Error(done.error);
  return done.value;
}

/** By provider and currency. The order that is paid in KZT there and in RUB here is between two of them. */
const expectedAccounts = [
  'acquirer KZT payments 10050 refunds 0 fees 350 payouts 0 onAnotherDay 0 explained 0 differing -9700 feesDue 0 undecided 0 journal 0',
  'acquirer RUB payments 120599 refunds 20100 fees 4200 payouts 0 onAnotherDay -10050 explained 350 differing -9350 feesDue 0 undecided 0 journal 77249',
  'rail RUB payments 0 refunds 0 fees 0 payouts 20100 onAnotherDay 0 explained 0 differing 0 feesDue 0 undecided 0 journal 20100',
];

const accountShown = ({ role, currency, stated, gaps, journalMinor }: DayAccount): string =>
  [
    role,
    currency,
    ...Object.entries(stated).map(([total, minor]) => `${total} ${minor}`),
    ...Object.entries(gaps).map(([cause, minor]) => `${cause} ${minor}`),
    `journal ${journalMinor}`,
  ].join(' ');

/** Each kind of difference is found once, nothing else is, and the accounts name each kopeck between the two sides. */
export async function eachDifference(world: World): Promise<void> {
  const result = await reconciled(portsOf(sidesWithDifferences()));
  const found = shown(result);
  if (found.join() !== expected.join())
    world.violate('reconciled', `the differences are ${found.join(', ')}`);
  const accounts = result.accounts?.map(accountShown) ?? [];
  if (accounts.join() !== expectedAccounts.join() || !result.accounts?.every(addsUp))
    world.violate('reconciled', `the accounts are ${accounts.join('; ')}`);
  await anotherProvider(world);
  await twoOrdersElsewhere(world);
  await corrected(world);
}

/** A captured amount that was corrected before it was booked differs unless the correction of this very order makes it the booked one. */
async function corrected(world: World): Promise<void> {
  const payment = paidPayment(1);
  const correction = { reference: 'ref-1.1', ourId: undefined, feeMinor: undefined } as const;
  const sides = { ...sidesWithDifferences(), payments: [payment], payouts: [], transfers: [], events: [] };
  const cases = [
    [{ amountMinor: 1n }, 0],
    [{ amountMinor: 2n }, 1],
    [{ amountMinor: 1n, orderReference: 'ref-2' }, 1],
  ] as const;
  for (const [traits, expectedCount] of cases) {
    const lines = [lineOf(1, { amountMinor: received - 1n }), lineOf(1, { ...correction, ...traits })];
    const found = shown(
      await reconciled(portsOf({ ...sides, entries: [entryOf(payment), feeOf(1)], lines })),
    );
    if (found.filter((each) => each === 'amount payment 1').length !== expectedCount)
      world.violate('reconciled', `of a corrected amount the differences are ${found.join(', ')}`);
  }
}

/** Of two orders of a payment that was booked on another day, one is another order, also where nobody knows its reference. */
async function twoOrdersElsewhere(world: World): Promise<void> {
  const payment = paidPayment(1, { reference: undefined, createdAt: new Date('2026-11-19T12:00:00.000Z') });
  const lines = [lineOf(1), lineOf(1, { reference: 'ref-again', orderReference: 'ref-again' })];
  const entries = [entryOf(payment, new Date('2026-11-20T12:00:00.000Z')), feeOf(1)];
  const sides = { ...sidesWithDifferences(), payments: [payment], payouts: [], transfers: [], events: [] };
  const found = shown(await reconciled(portsOf({ ...sides, entries, lines })));
  if (found.filter((each) => each === 'missing_here payment 1 another_reference').length !== 1)
    world.violate('reconciled', `of two orders the differences are ${found.join(', ')}`);
}

/** Refunds of 10.00 each: what there is of them here and there, and what has gone back of the payment in all. */
function sidesWithRefunds(): Sides {
  const part = (payment: number, number: number, traits: Partial<Refund> = {}): Refund => ({
    ...aRefund({ status: 'SUCCESS', amount: { minor: 1_000n, currency: 'RUB' }, endedAt: today, ...traits }),
    id: newRefundId(idOf(payment), () => `00000${number}`),
    paymentId: idOf(payment),
  });
  const [same, again] = [part(1, 1), part(1, 2)];
  const failed = part(2, 3, { status: 'FAIL' });
  const [alone, beside] = [part(3, 4), part(3, 5)];
  const [known, unknown] = [part(4, 6), part(5, 7)];
  // It ended a day later under its second attempt, although the first was carried out too.
  const twice = part(6, 8, { call: aCall({ attempt: 2 }) });
  const aDayLater = new Date(today.getTime() + 24 * 3600_000);
  const succeeded = [same, again, alone, beside, known, unknown, twice];
  const [first, second, third, fourth, fifth, sixth] = [1, 2, 3, 4, 5, 6];
  const line = (payment: number, refund: Refund | undefined, reference: string) =>
    lineOf(payment, {
      kind: 'refund',
      reference,
      ourId: refund && `${refund.id}.1`,
      amountMinor: 1_000n,
      feeMinor: undefined,
    });
  const totals = (number: number) =>
    refundTotals([...succeeded, failed].filter(({ paymentId }) => paymentId === idOf(number)));
  const payments = [1, 2, 3, 4, 5, 6].map((number) => paidPayment(number, { refunds: totals(number) }));
  const back = (number: number, refundedMinor: bigint) =>
    [`ref-${number}`, captured(received, { refundedMinor })] as const;
  const told = (number: number): Chargeback =>
    aChargeback({ paymentId: idOf(number), amount: { minor: 1_000n, currency: 'RUB' } });
  return {
    payments,
    payouts: [],
    transfers: [],
    events: [],
    refunds: [...succeeded, failed],
    // What the provider did although it is FAIL here, and what it did in its back office, where two people know of it.
    chargebacks: [told(second), told(fourth)],
    entries: [
      ...payments.flatMap((payment) => entryOf(payment)),
      ...[1, 2, 3, 4, 5, 6].map((number) => feeOf(number)),
      ...succeeded.map((refund) => refundSettleEntry(refund, refund === twice ? aDayLater : today)),
    ],
    lines: [
      ...[1, 2, 3, 4, 5, 6].map((number) => lineOf(number)),
      line(first, again, 'refund-1'),
      line(first, same, 'refund-2'),
      line(second, failed, 'refund-3'),
      line(third, beside, 'refund-5'),
      line(fourth, known, 'refund-6'),
      line(fourth, undefined, 'refund-61'),
      line(fifth, unknown, 'refund-7'),
      line(sixth, twice, 'refund-8'),
      line(fifth, undefined, 'refund-71'),
    ],
    views: new Map([
      back(first, 2_000n),
      back(second, 1_000n),
      back(third, 1_000n),
      back(fourth, 2_000n),
      back(fifth, 2_000n),
      back(sixth, 2_000n),
    ]),
  };
}

/** Several refunds of one payment, and refunds in the provider's back office beside them. */
export async function refundsOfADay(world: World): Promise<void> {
  const sides = sidesWithRefunds();
  const result = await reconciled(portsOf(sides));
  const found = shown(result).join();
  const known =
    'missing_here refund 5 not_asked_for,missing_here refund 8 another_reference,missing_there refund 4';
  if (found !== known) world.violate('reconciled', `of refunds the differences are ${found}`);
  const told = await auditedDay(result, sides);
  if (told !== '') world.violate('reconciled', `the audit of a day with refunds tells of ${told}`);
}

/** What the audit finds on the account of a day whose result is `stored`, of such a journal. */
async function auditedDay(stored: Reconciliation, sides: Sides): Promise<string> {
  const { differences: named, ...result } = stored;
  const list = async ([of]: readonly string[]) =>
    of === date ? [{ ...result, differenceCount: named.length }] : [];
  const step = providerDaysStep({ ...portsOf(sides), reconciliations: { list } });
  const scope = { merchantId: undefined, since: undefined };
  const { differences } = await step.part({ scope, after: undefined, mayGoOn: () => true });
  return differences.map(({ about }) => about).join();
}

/** The audit finds a day whose journal, or whose stored reconciliation, was changed; and no other. */
export async function changedDays(world: World): Promise<void> {
  const sides = sidesWithDifferences();
  const stored = await reconciled(portsOf(sides));
  const { accounts: [kzt, rubles, rail] = [] } = stored;
  if (!kzt || !rubles || !rail) return world.violate('reconciled', 'there are no accounts of the day');
  const without = (kind: Entry['kind'], number: number) => ({
    ...sides,
    entries: sides.entries.filter((entry) => entry.kind !== kind || !entry.about.endsWith(String(number))),
  });
  const inRubles = (changes: Partial<DayAccount>): Reconciliation => ({
    ...stored,
    accounts: [kzt, { ...rubles, ...changes }, rail],
  });
  const [day, ofRubles] = [`day ${date}`, `day ${date} acquirer sandbox RUB`];
  const moved = sides.payments.map((each) =>
    each.id === idOf(1) ? { ...each, acquirer: 'yookassa' } : each,
  );
  const undecided = { ...rubles.gaps, undecided: rubles.gaps.differing, differing: 0n };
  const failed = { provider: 'sandbox', role: 'rail', incomplete: 'statement_failed' } as const;
  const cases = [
    [stored, sides, ''],
    [stored, without('PROVIDER_FEE', 1), ofRubles],
    [stored, without('SETTLE', 1), `${day} rail sandbox RUB`],
    [stored, { ...sides, payments: moved }, `${ofRubles},${day} acquirer yookassa RUB`],
    [inRubles({ stated: { ...rubles.stated, fees: 0n } }), sides, ofRubles],
    [inRubles({ gaps: undecided }), sides, ofRubles],
    [{ ...stored, differences: [] }, sides, `${day} acquirer sandbox KZT,${ofRubles}`],
    [{ ...stored, compared: [failed] }, without('SETTLE', 1), ''],
    [{ ...stored, isOver: false }, without('SETTLE', 1), ''],
  ] as const;
  for (const [result, read, found] of cases) {
    const told = await auditedDay(result, read);
    if (told !== found)
      world.violate('reconciled', `the audit tells of ${told || 'nothing'}, not of ${found || 'nothing'}`);
  }
}

/** A line of one provider is not taken for a payment that another provider has, though nobody knows its reference there. */
async function anotherProvider(world: World): Promise<void> {
  const payment = paidPayment(1, { acquirer: 'yookassa', reference: undefined });
  const sides = {
    ...sidesWithDifferences(),
    payments: [payment],
    entries: [entryOf(payment)],
    lines: [lineOf(1)],
  };
  const found = shown(await reconciled(portsOf({ ...sides, payouts: [], transfers: [], events: [] })));
  if (!found.includes('missing_here payment 1 another_reference'))
    world.violate('reconciled', `the differences are ${found.join(', ')}`);
}

/** A payment that was captured at 23:59:58 there and booked at 00:00:03 here is matched in the day, not looked up. */
export async function overMidnight(world: World): Promise<void> {
  const { counts } = await reconciled(portsOf(sidesWithDifferences()));
  if (counts.onAnotherDay !== 0)
    world.violate('reconciled', 'a payment over midnight agrees with another day alone');
}

/** A postback that a shop is owed and that does not exist is missing. */
export async function postbackNeverWritten(world: World): Promise<void> {
  const found = shown(await reconciled(portsOf({ ...sidesWithDifferences(), events: [] })));
  if (!found.includes('postback_missing postback 9'))
    world.violate('reconciled', `no postback is missing: ${found.join(', ')}`);
}

/** A statement of which one part cannot be read never agrees, and shows nothing as missing there. */
export async function partOfAStatement(world: World): Promise<void> {
  const ports = portsOf(sidesWithDifferences());
  const sources = ports.sources.map((source) => ({
    ...source,
    statement: async (period: Parameters<typeof source.statement>[0]) => {
      if (period.from.getTime() > today.getTime()) throw new Error('timeout');
      return source.statement(period);
    },
  }));
  const result = await reconciled({ ...ports, sources });
  if (verdictOf(result) !== 'incomplete')
    world.violate('reconciled', `a day without a part is ${verdictOf(result)}`);
  const missing = shown(result).filter((each) => each.startsWith('missing_there'));
  if (missing.length > 0) world.violate('reconciled', `of a statement without a part ${missing.join(', ')}`);
}

/** The journal of a day has the entries of a merchant whose money moved for the first time. */
export async function firstMovement(world: World): Promise<void> {
  const form = await open(world, await aBill(world));
  await world.pump(world.invoke('start', (ports) => start(ports, form)));
  await payerOf(world, form).pay(goodCard);
  await payerOf(world, form).comesBack().end();
  const entries = await dynamoJournal(world.table).about(form.paymentId);
  const period = {
    from: new Date(world.scheduler.clock - 3_600_000),
    to: new Date(world.scheduler.clock + 3_600_000),
  };
  const reader = await dynamoBooks(world.table).journalOf(period);
  const read = (await reader.until(period.to)).filter(({ about }) => about === form.paymentId);
  if (entries.length === 0 || read.length !== entries.length)
    world.violate('reconciled', `the day has ${read.length} of ${entries.length} entries of the payment`);
}
