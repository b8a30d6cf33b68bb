import { describe, expect, it } from 'vitest';
import { toPaymentId, toRefundId } from '../../lib/ids.ts';
import type { Chargeback } from '../../lib/ledger/chargeback.ts';
import { reconcileDay } from '../../lib/reconciliation/reconcile-day.ts';
import type { Refund } from '../../lib/refund/refund.ts';
import { captured } from '../support/acquirer-views.ts';
import { billId, shopId } from '../support/builders.ts';
import { aChargeback } from '../support/chargebacks.ts';
import { aRefundedPart } from '../support/ended-refunds.ts';
import { aShop } from '../support/builders.ts';
import { date, entryOf, portsOn, type Sides } from '../support/reconciliation-sides.ts';

const paymentId = toPaymentId(`${billId}00Payment0`);
const noon = 12 * 60;
const oneDay = 24 * 60;
const at = (minutes: number) => new Date(Date.parse(`${date}T00:00:00.000Z`) + minutes * 60_000);

/** A refund of a part of the payment, of 10.00. */
const part = (number: number, traits: Partial<Refund> = {}): Refund =>
  aRefundedPart({
    id: toRefundId(`${paymentId}00000${number}`),
    paymentId,
    amount: { minor: 1_000n, currency: 'RUB' },
    debit: { minor: 1_000n, currency: 'RUB' },
    ...traits,
  });
const settled = ({ id, amount }: Refund, minutes: number) =>
  entryOf(id, 'REFUND_SETTLE', minutes, ['acquirer', amount.minor]);
const line = (minutes: number, traits: Partial<Sides['lines'][number]>): Sides['lines'][number] => ({
  kind: 'refund',
  provider: 'yookassa',
  reference: 'refund-1',
  ourId: undefined,
  orderReference: 'ref-0',
  amountMinor: 1_000n,
  feeMinor: undefined,
  currency: 'RUB',
  at: at(minutes),
  ...traits,
});
const lineOf = ({ id }: Refund, minutes: number, reference: string, attempt = 1) =>
  line(minutes, { ourId: `${id}.${attempt}`, reference });

type Day = Partial<Pick<Sides, 'lines' | 'entries' | 'refunds'>> & {
  readonly chargebacks?: readonly Chargeback[];
  /** What went back at the provider in all. */
  readonly refundedMinor?: bigint;
  readonly refundUrl?: string;
};

/** The day on which a payment of the day before was refunded. */
async function reconciled({ chargebacks = [], refundedMinor = 0n, refundUrl, ...day }: Day) {
  const stored = { id: paymentId, provider: 'yookassa', reference: 'ref-0', status: 'SUCCESS' } as const;
  const sides: Sides = {
    stored: [stored],
    refunds: [],
    lines: [],
    entries: [],
    held: true,
    failing: undefined,
    ...day,
  };
  const ports = portsOn(sides);
  const acquirers: typeof ports.acquirers = {
    named: (name) => {
      const acquirer = ports.acquirers.named(name);
      return (
        acquirer && {
          ...acquirer,
          look: async (reference) => ({ reference, paymentId, view: captured(10_000n, { refundedMinor }) }),
        }
      );
    },
  };
  const shop = aShop({
    id: shopId,
    refundUrl,
    refundUrlSince: refundUrl === undefined ? undefined : new Date(0),
  });
  const done = await reconcileDay(
    {
      ...ports,
      acquirers,
      chargebacks: { ofPayment: async () => chargebacks },
      shops: { find: async () => shop },
    },
    date,
  );
  if (!done.ok) throw new Error(done.error);
  const { differences, counts, accounts } = done.value;
  return {
    differences: differences.map(({ kind, about, why, subject, here }) =>
      [kind, about, why, subject?.slice(26) || 'payment', here?.state].filter((each) => each !== undefined),
    ),
    counts,
    gaps: accounts?.map(({ gaps }) => Object.entries(gaps).filter(([, minor]) => minor !== 0n)),
  };
}

describe('our own refunds', () => {
  const [first, second] = [part(1), part(2)];

  it('of one payment agree each with its own line, also where they are of one amount', async () => {
    const result = await reconciled({
      refunds: [first, second],
      entries: [settled(first, noon), settled(second, noon + 1)],
      lines: [lineOf(second, noon, 'refund-2'), lineOf(first, noon, 'refund-1')],
      refundedMinor: 2_000n,
    });
    expect(result).toMatchObject({ differences: [], counts: { matched: 2 }, gaps: [[]] });
  });

  it.each([
    ['a later', oneDay + noon],
    ['an earlier', noon - oneDay],
  ])('that were booked on %s day agree with it', async (_which, minutes) => {
    const given = {
      refunds: [first],
      entries: [settled(first, minutes)],
      lines: [lineOf(first, noon, 'refund-1')],
      refundedMinor: 1_000n,
    };
    expect(await reconciled(given)).toMatchObject({
      differences: [],
      counts: { onAnotherDay: 1 },
      gaps: [[['onAnotherDay', 1_000n]]],
    });
  });

  it('that were carried out under two attempts on two days went back twice, unless an item tells of it', async () => {
    const given = {
      refunds: [part(1, { call: first.call && { ...first.call, attempt: 2 } })],
      entries: [settled(first, oneDay + noon)],
      lines: [lineOf(first, noon, 'refund-1', 1)],
      refundedMinor: 2_000n,
    };
    expect((await reconciled(given)).differences).toEqual([
      ['missing_here', 'refund', 'another_reference', '000001'],
    ]);
    const loss = aChargeback({ paymentId, amount: { minor: 1_000n, currency: 'RUB' } });
    expect((await reconciled({ ...given, chargebacks: [loss] })).differences).toEqual([]);
  });

  it('without a line of the day are on another day, if that much has gone back there', async () => {
    const given = {
      refunds: [first, second],
      entries: [settled(first, noon), settled(second, noon - oneDay)],
    };
    expect(await reconciled({ ...given, refundedMinor: 2_000n })).toMatchObject({
      differences: [],
      counts: { onAnotherDay: 1 },
    });
    expect((await reconciled({ ...given, refundedMinor: 1_999n })).differences).toEqual([
      ['missing_there', 'refund', '000001', 'REFUND_SETTLE'],
    ]);
  });

  it('beside a chargeback that took the rest are on another day too', async () => {
    const loss = aChargeback({ paymentId, amount: { minor: 9_000n, currency: 'RUB' } });
    const given = { refunds: [first], entries: [settled(first, noon)], chargebacks: [loss] };
    expect((await reconciled({ ...given, refundedMinor: 10_000n })).differences).toEqual([]);
    expect((await reconciled({ ...given, refundedMinor: 9_000n })).differences).toHaveLength(1);
  });

  it.each([
    ['is under way here', { status: 'PROCESS', endedAt: undefined }],
    ['failed here', { status: 'FAIL', errorCode: 'refund_rejected' }],
  ] as const)('that succeeded there and %s are a difference of state', async (_where, traits) => {
    const refund = part(1, traits);
    const given = { refunds: [refund], lines: [lineOf(refund, noon, 'refund-1')], refundedMinor: 1_000n };
    expect((await reconciled(given)).differences).toEqual([['state', 'refund', '000001', traits.status]]);
    const loss = aChargeback({ paymentId, amount: { minor: 1_000n, currency: 'RUB' } });
    expect(await reconciled({ ...given, chargebacks: [loss] })).toMatchObject({
      differences: [],
      counts: { explained: 1 },
    });
  });

  it('made twice are told: the second has another reference', async () => {
    const given = {
      refunds: [first],
      entries: [settled(first, noon)],
      lines: [lineOf(first, noon, 'refund-1'), lineOf(first, noon, 'refund-2', 2)],
      refundedMinor: 2_000n,
    };
    expect((await reconciled(given)).differences).toEqual([
      ['missing_here', 'refund', 'another_reference', '000001'],
    ]);
  });

  it('that nobody has here, and those of another amount, are told', async () => {
    const lines = [lineOf(first, noon, 'refund-1')];
    expect((await reconciled({ lines, refundedMinor: 1_000n })).differences).toEqual([
      ['missing_here', 'refund', 'unknown_id', '000001'],
    ]);
    const less = [line(noon, { ourId: `${first.id}.1`, amountMinor: 900n })];
    const given = { refunds: [first], entries: [settled(first, noon)], lines: less, refundedMinor: 900n };
    expect((await reconciled(given)).differences).toEqual([['amount', 'refund', '000001', 'REFUND_SETTLE']]);
  });

  it('owe the shop a postback', async () => {
    const given = {
      refunds: [first],
      entries: [settled(first, noon)],
      lines: [lineOf(first, noon, 'refund-1')],
      refundedMinor: 1_000n,
    };
    const shown = await reconciled({ ...given, refundUrl: 'https://cafe.example/refunds' });
    expect(shown.differences).toEqual([['postback_missing', 'postback', '000001', 'SUCCESS']]);
  });
});

describe('a refund in the provider’s back office, beside our own', () => {
  const own = part(1);
  const beside = {
    refunds: [own],
    entries: [settled(own, noon)],
    lines: [lineOf(own, noon, 'refund-1'), line(noon + 60, { reference: 'refund-2', amountMinor: 500n })],
    refundedMinor: 1_500n,
  };

  it('was not asked for here, until an item tells of it', async () => {
    expect((await reconciled(beside)).differences).toEqual([
      ['missing_here', 'refund', 'not_asked_for', 'payment', 'SUCCESS'],
    ]);
  });

  it('is explained by the chargeback that two people decide', async () => {
    const amount = { minor: 500n, currency: 'RUB' } as const;
    for (const status of ['OPEN', 'CONFIRMED', 'DISMISSED'] as const)
      expect(
        await reconciled({ ...beside, chargebacks: [aChargeback({ paymentId, amount, status })] }),
      ).toMatchObject({ differences: [], counts: { explained: 1, matched: 1 } });
    const less = aChargeback({ paymentId, amount: { minor: 499n, currency: 'RUB' } });
    expect((await reconciled({ ...beside, chargebacks: [less] })).differences).toHaveLength(1);
  });
});
