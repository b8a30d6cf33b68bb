import { askAboutPayment } from '../../../lib/payment/ask-about-payment.ts';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import type { PaymentId } from '../../../lib/ids.ts';
import type { AcquirerView } from '../../../lib/payment/acquirer.ts';
import { knownOrderOf } from '../../../lib/payment/start-order.ts';
import { resolveByHand } from '../../../lib/payment/resolve-by-hand.ts';
import { ProviderBusy } from '../../../lib/provider-port.ts';
import { paymentKey } from '../../../lib/store/payment-item.ts';
import type { SandboxManners } from '../../../lib/sandbox/manners.ts';
import { differencesIn } from '../../support/audit.ts';
import { type PaymentHarness, paymentHarness, stateOf } from '../../support/payment-harness.ts';
import { twoGaveTheirCard } from '../../support/payment-situations.ts';

const hour = 60;
/** 3.5 %: 3.52 of 100.50. */
const feeBasisPoints = 350;

type Given = Omit<NonNullable<Parameters<typeof paymentHarness>[0]>, 'manners'>;

/** A payment that its payer paid, at an acquirer with fees. */
async function paid(manners: Partial<SandboxManners>, given: Given = {}) {
  const harness = await paymentHarness({ ...given, manners: { feeBasisPoints, ...manners } });
  const { id, pay } = await harness.begun('p1');
  await pay();
  await harness.resolve(id);
  expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'SUCCESS/DONE' } });
  return { harness, id, asked: queriesOf(harness) };
}

/** Counts the queries of the acquirer about orders from now on. */
function queriesOf({ line }: PaymentHarness) {
  const asked = { count: 0 };
  line.fails = (call) => {
    if (call === 'get') asked.count += 1;
    return false;
  };
  return asked;
}

/** Runs the sweep after these minutes. */
async function sweptAfter(harness: PaymentHarness, minutes: number) {
  harness.pass(minutes);
  return harness.sweep();
}

/** What the acquirer tells as its fee from now on. */
function tells({ acquirer }: PaymentHarness, feeMinor: bigint | undefined) {
  const { get } = acquirer;
  Object.assign(acquirer, {
    get: async (...given: Parameters<typeof get>) => {
      const view = await get(...given);
      return view.state === 'captured' ? { ...view, feeMinor } : view;
    },
  });
}

/** The order as the acquirer shows it from now on. */
function sees({ acquirer }: PaymentHarness, view: AcquirerView) {
  Object.assign(acquirer, { get: async () => view });
}

const afterCaptureOf = async (harness: PaymentHarness, id: PaymentId) =>
  (await harness.payment(id))?.afterCapture;

const linesOf = async (harness: PaymentHarness, account: string) =>
  (await stateOf(harness)).lines.flatMap((line) => (line.account === account ? [line] : []));

describe('a fee that the acquirer tells with the capture', () => {
  it('is posted with it, and the payment waits for nothing', async () => {
    const { harness, id } = await paid({});
    expect(await stateOf(harness)).toMatchObject({ entries: ['CAPTURE p1', 'PROVIDER_FEE p1'], waiting: 0 });
    expect(await linesOf(harness, 'provider_fees')).toEqual([
      { account: 'provider_fees', currency: 'RUB', minor: -352n },
    ]);
    expect(await harness.payment(id)).toMatchObject({ providerFeeMinor: 352n });
    expect(await afterCaptureOf(harness, id)).toBeUndefined();
    expect(await differencesIn(harness)).toEqual([]);
  });

  it('does not change what the merchant gets', async () => {
    const { harness } = await paid({});
    expect(await harness.available()).toMatchObject({ RUB: 9_849n });
  });

  it('is in the currency of the charge, also when that is exchanged', async () => {
    const harness = await paymentHarness({
      manners: { feeBasisPoints },
      bill: { amount: { minor: 10_050n, currency: 'KZT' } },
    });
    const rate = { from: 'KZT', to: 'RUB', setAt: harness.now() } as const;
    await harness.rates.set({ ...rate, numerator: 17n, denominator: 100n });
    const { id, pay } = await harness.begun('p1');
    await pay();
    await harness.resolve(id);
    expect(await linesOf(harness, 'provider_fees')).toEqual([
      { account: 'provider_fees', currency: 'KZT', minor: -352n },
    ]);
    expect(await differencesIn(harness)).toEqual([]);
  });

  it('counts on what was captured, of a part as well', async () => {
    const harness = await paymentHarness({ manners: { feeBasisPoints } });
    const { id, pay } = await harness.begun('p1');
    await pay('4000000000110009');
    await harness.resolve(id);
    expect(await harness.payment(id)).toMatchObject({ status: 'UNDERPAID', providerFeeMinor: 317n });
  });
});

describe('a fee that the acquirer tells later', () => {
  it('is posted once, by the first check that finds it', async () => {
    const { harness, id, asked } = await paid({ feeAfterMinutes: 90 });
    expect(await stateOf(harness)).toMatchObject({ entries: ['CAPTURE p1'], waiting: 1 });
    for (const [minutes, checks] of [
      [9, 0],
      [1, 1],
      [59, 1],
      [1, 2],
    ] as const) {
      await sweptAfter(harness, minutes);
      expect(await afterCaptureOf(harness, id)).toMatchObject({ fee: 'due', checks });
    }
    await sweptAfter(harness, 6 * hour);
    expect(await stateOf(harness)).toMatchObject({ entries: ['CAPTURE p1', 'PROVIDER_FEE p1'], waiting: 0 });
    expect(await harness.payment(id)).toMatchObject({ providerFeeMinor: 352n, status: 'SUCCESS' });
    expect(asked.count).toBe(3);
    expect(await sweptAfter(harness, 72 * hour)).toEqual({ queued: 0, failed: 0 });
    expect(await differencesIn(harness)).toEqual([]);
  });

  it('is asked for five times in four days, and then left to the reconciliation', async () => {
    const { harness, id, asked } = await paid({ feeAfterMinutes: 1_000_000 });
    for (const minutes of [10, hour, 6 * hour, 24 * hour]) {
      await sweptAfter(harness, minutes);
      expect(await afterCaptureOf(harness, id)).toMatchObject({ fee: 'due' });
    }
    await sweptAfter(harness, 72 * hour);
    expect(asked.count).toBe(5);
    expect(await afterCaptureOf(harness, id)).toBeUndefined();
    expect(await stateOf(harness)).toMatchObject({ entries: ['CAPTURE p1'], waiting: 0 });
    expect(await differencesIn(harness)).toEqual([]);
  });

  it('is posted once by checks that run at the same time', async () => {
    const { harness, id } = await paid({ feeAfterMinutes: 5 });
    harness.pass(10);
    await Promise.all([harness.check(id), harness.check(id), harness.check(id)]);
    expect(await stateOf(harness)).toMatchObject({ entries: ['CAPTURE p1', 'PROVIDER_FEE p1'], waiting: 0 });
    expect(await differencesIn(harness)).toEqual([]);
  });

  it('is not asked for before it is due, whatever message comes', async () => {
    const { harness, id, asked } = await paid({ feeAfterMinutes: 5 });
    harness.pass(9);
    await harness.check(id);
    expect(asked.count).toBe(0);
  });

  it('is posted beside a refund that was made at the acquirer meanwhile', async () => {
    const { harness, id } = await paid({ feeAfterMinutes: 5 });
    await harness.refundedElsewhere(id);
    harness.pass(10);
    await Promise.all([harness.notice(id), harness.check(id)]);
    expect(await stateOf(harness)).toMatchObject({ entries: ['CAPTURE p1', 'PROVIDER_FEE p1'], waiting: 0 });
    expect(harness.alarms).toEqual(['capture_undone p1']);
    expect(await differencesIn(harness)).toEqual([]);
  });

  it.each([
    ['larger than the capture', 10_051n],
    ['less than nothing', -1n],
  ])('is not believed when it is %s', async (_what, feeMinor) => {
    const { harness, id } = await paid({ feeAfterMinutes: 5 });
    tells(harness, feeMinor);
    await sweptAfter(harness, 10);
    expect(await stateOf(harness)).toMatchObject({ entries: ['CAPTURE p1'], waiting: 1 });
    expect(await afterCaptureOf(harness, id)).toMatchObject({ fee: 'due', checks: 1 });
  });

  it.each([
    ['the whole capture', 10_050n, ['CAPTURE p1', 'PROVIDER_FEE p1']],
    ['nothing, which has no entry', 0n, ['CAPTURE p1']],
  ])('may be %s', async (_what, feeMinor, entries) => {
    const { harness, id } = await paid({ feeAfterMinutes: 5 });
    tells(harness, feeMinor);
    await sweptAfter(harness, 10);
    expect(await stateOf(harness)).toMatchObject({ entries, waiting: 0 });
    expect(await harness.payment(id)).toMatchObject({ providerFeeMinor: feeMinor });
    expect(await differencesIn(harness)).toEqual([]);
  });

  it('is not changed by another amount, or none, that is told after it', async () => {
    const { harness, id } = await paid({});
    for (const feeMinor of [400n, undefined]) {
      tells(harness, feeMinor);
      await harness.notice(id);
      await harness.check(id);
    }
    expect(await harness.payment(id)).toMatchObject({ providerFeeMinor: 352n });
    expect(await linesOf(harness, 'provider_fees')).toHaveLength(1);
  });
});

describe('a check after the capture that the acquirer does not answer', () => {
  it('counts like one that told nothing, and is logged', async () => {
    const { harness, id } = await paid({ feeAfterMinutes: 5 });
    harness.line.cut = 'calls';
    await sweptAfter(harness, 10);
    expect(await afterCaptureOf(harness, id)).toMatchObject({ fee: 'due', checks: 1 });
    expect(harness.logged).toEqual([['error', 'after_capture_not_checked', { error: 'Error', payment: id }]]);
    harness.line.cut = undefined;
    await sweptAfter(harness, hour);
    expect(await stateOf(harness)).toMatchObject({ entries: ['CAPTURE p1', 'PROVIDER_FEE p1'], waiting: 0 });
  });

  it('is deferred by the pause of an acquirer that is busy, and does not count', async () => {
    const { harness, id } = await paid({ feeAfterMinutes: 5 });
    Object.assign(harness.acquirer, {
      get: () => {
        throw new ProviderBusy(30 * 60_000);
      },
    });
    await sweptAfter(harness, 10);
    expect(await harness.payment(id)).toMatchObject({
      afterCapture: { fee: 'due', checks: 0 },
      nextCheck: new Date(harness.now().getTime() + 30 * 60_000),
    });
  });
});

describe('the fee on a payment that is refunded', () => {
  it('is posted with the duplicate capture, and not returned', async () => {
    const harness = await paymentHarness({ steps: 'one', manners: { feeBasisPoints, steps: 'one' } });
    const { first, second } = await twoGaveTheirCard(harness);
    await harness.resolve(second.id);
    await harness.resolve(first.id);
    expect(await stateOf(harness)).toMatchObject({
      payments: { p1: 'FAIL/DONE', p2: 'SUCCESS/DONE' },
      entries: ['DUPLICATE_CAPTURE p1', 'PROVIDER_FEE p1', 'REFUND p1', 'CAPTURE p2', 'PROVIDER_FEE p2'],
      waiting: 0,
    });
    expect(await differencesIn(harness)).toEqual([]);
  });

  it('is asked for when it was not told at the capture', async () => {
    const manners = { feeBasisPoints, steps: 'one', feeAfterMinutes: 5 } as const;
    const harness = await paymentHarness({ steps: 'one', manners });
    const { first, second } = await twoGaveTheirCard(harness);
    await harness.resolve(second.id);
    await harness.resolve(first.id);
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'FAIL/DONE' }, waiting: 2 });
    await sweptAfter(harness, 10);
    const { entries, waiting } = await stateOf(harness);
    expect(entries).toEqual(expect.arrayContaining(['REFUND p1', 'PROVIDER_FEE p1', 'PROVIDER_FEE p2']));
    expect(waiting).toBe(0);
    expect(harness.alarms).toEqual(['duplicate_capture p1']);
    expect(await differencesIn(harness)).toEqual([]);
  });
});

it('the fee that is told while the capture is being refunded is posted with the refund, and waited for no longer', async () => {
  const { harness, first } = await refundWithoutAnAnswer();
  expect(await afterCaptureOf(harness, first.id)).toMatchObject({ fee: 'due' });

  harness.line.fails = () => false;
  harness.pass(10);
  await harness.resolve(first.id);
  const { entries, payments } = await stateOf(harness);
  expect(payments).toMatchObject({ p1: 'FAIL/DONE' });
  expect(entries).toEqual(['DUPLICATE_CAPTURE p1', 'PROVIDER_FEE p1', 'REFUND p1', 'CAPTURE p2']);
  expect(await afterCaptureOf(harness, first.id)).toBeUndefined();
  expect(await differencesIn(harness)).toEqual([]);
});

it('the fee on a capture that an earlier version is refunding is posted with its refund', async () => {
  const { harness, first } = await refundWithoutAnAnswer();
  expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'PROCESS/REFUNDING' } });
  const { client, name: TableName } = harness.table;
  const Key = paymentKey(first.id);
  await client.send(new UpdateCommand({ TableName, Key, UpdateExpression: 'REMOVE afterCapture' }));

  harness.line.fails = () => false;
  harness.pass(10);
  await harness.resolve(first.id);
  const { entries, payments } = await stateOf(harness);
  expect(payments).toMatchObject({ p1: 'FAIL/DONE' });
  expect(entries).toEqual(['DUPLICATE_CAPTURE p1', 'PROVIDER_FEE p1', 'REFUND p1', 'CAPTURE p2']);
  expect(await harness.payment(first.id)).toMatchObject({ providerFeeMinor: 352n });
});

it('the fee on a late capture that was refunded before it was seen is asked for, not the late query again', async () => {
  const manners = { feeBasisPoints, failureIsFinal: false };
  const harness = await paymentHarness({ manners });
  const { id, pay } = await harness.begun('p1');
  await pay('4000000000000002');
  await harness.resolve(id);
  expect(await harness.payment(id)).toMatchObject({ status: 'FAIL', lateQuery: 'day' });
  sees(harness, { state: 'authorised', amountMinor: 10_050n });
  harness.line.fails = (call) => call === 'cancel';
  await sweptAfter(harness, 24 * hour);
  expect(await harness.payment(id)).toMatchObject({ phase: 'VOIDING' });

  const back = {
    state: 'captured',
    amountMinor: 10_050n,
    refundedMinor: 10_050n,
    receipt: undefined,
  } as const;
  sees(harness, { ...back, feeMinor: undefined });
  await sweptAfter(harness, 5);
  const { status, phase, lateQuery, afterCapture } = (await harness.payment(id)) ?? {};
  expect([status, phase, lateQuery, afterCapture?.fee]).toEqual(['FAIL', 'DONE', undefined, 'due']);
  // Its money has come and gone: a person has nothing to ask, and does not take the place of the fee's check.
  expect(await askAboutPayment(harness, { paymentId: id })).toEqual({ ok: false, error: 'payment_is_final' });

  sees(harness, { ...back, feeMinor: 352n });
  await sweptAfter(harness, 10);
  expect(await stateOf(harness)).toMatchObject({ entries: ['PROVIDER_FEE p1'], waiting: 0 });
  expect(await differencesIn(harness)).toEqual([]);
});

it.each([
  ['at once', 0, 0],
  ['later', 5, 1],
])(
  'the fee on a capture that was refunded at the acquirer before it was seen is told %s, and posted',
  async (_when, feeAfterMinutes, waiting) => {
    const manners = { feeBasisPoints, steps: 'one', failureIsFinal: false, feeAfterMinutes } as const;
    const harness = await paymentHarness({ steps: 'one', manners });
    const { id, pay } = await harness.begun('p1');
    await pay();
    const { orders } = (await harness.sandbox.books()).acquirer;
    expect(orders).toHaveLength(1);
    const payment = await harness.payment(id);
    if (!payment) throw new Error('there is no payment');
    const call = { key: 'back-office', refundId: 'back-office', amountMinor: 10_050n, receipt: undefined };
    await harness.acquirer.refund(knownOrderOf(payment), call);

    await harness.resolve(id);
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'FAIL/DONE' }, waiting });
    await sweptAfter(harness, 10);
    expect(await stateOf(harness)).toMatchObject({ entries: ['PROVIDER_FEE p1'], charged: 0, waiting: 0 });
    expect(await harness.payment(id)).toMatchObject({ providerFeeMinor: 352n });
    expect(await differencesIn(harness)).toEqual([]);
  },
);

it('the fee on a payment that people settle by hand is asked for afterwards', async () => {
  const harness = await paymentHarness({ manners: { feeBasisPoints, steps: 'one' }, steps: 'one' });
  const { id, pay } = await harness.begun('p1');
  await pay();
  harness.pass(hour);
  harness.line.cut = 'calls';
  const settled = await resolveByHand(harness, {
    paymentId: id,
    phase: 'AUTHORIZING',
    outcome: 'captured',
    amountMinor: undefined,
    by: 'olga',
    approvedBy: 'petr',
    evidence: 'statement, line 4',
  });
  expect(settled).toMatchObject({ ok: true, value: { status: 'SUCCESS', phase: 'DONE' } });
  harness.line.cut = undefined;
  expect(await stateOf(harness)).toMatchObject({ entries: ['CAPTURE p1'], waiting: 1 });
  await sweptAfter(harness, 10);
  expect(await stateOf(harness)).toMatchObject({ entries: ['CAPTURE p1', 'PROVIDER_FEE p1'], waiting: 0 });
});

describe('a paid payment', () => {
  it('of an acquirer that tells no fees is never checked again', async () => {
    const { harness, id, asked } = await paid({ feeBasisPoints: 0 });
    expect(await stateOf(harness)).toMatchObject({ entries: ['CAPTURE p1'], waiting: 0 });
    expect(await sweptAfter(harness, 24 * hour)).toEqual({ queued: 0, failed: 0 });
    await harness.check(id);
    expect(asked.count).toBe(0);
  });

  it('that waits for its fee is not among the undecided ones', async () => {
    const { harness } = await paid({ feeAfterMinutes: 5 });
    expect(await harness.payments.listUndecided()).toEqual([]);
  });

  it('keeps the time of its check when a worker that found it open is late', async () => {
    const harness = await paymentHarness({ manners: { feeBasisPoints, feeAfterMinutes: 5 } });
    const { id, pay } = await harness.begun('p1');
    const open = await harness.payment(id);
    await pay();
    await harness.resolve(id);
    const settled = await harness.payment(id);
    expect(open && (await harness.payments.postponeCheck(open, harness.now()))).toBe(false);
    expect(await harness.payment(id)).toEqual(settled);
  });
});

/** Two payers gave their card, the second has paid the bill, and the refund of the first capture is not answered. The fee is told later. */
async function refundWithoutAnAnswer() {
  const manners = { feeBasisPoints, steps: 'one', feeAfterMinutes: 5 } as const;
  const harness = await paymentHarness({ steps: 'one', manners });
  const { first, second } = await twoGaveTheirCard(harness);
  await harness.resolve(second.id);
  harness.line.fails = (call) => call === 'refund';
  await harness.resolve(first.id).catch(() => undefined);
  return { harness, first };
}
