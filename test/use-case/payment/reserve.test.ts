import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { billIdOf } from '../../../lib/ids.ts';
import { setTerms } from '../../../lib/merchant/set-terms.ts';
import { resolveByHand } from '../../../lib/payment/resolve-by-hand.ts';
import { sweepPayments } from '../../../lib/payment/sweep-payments.ts';
import { balanceKey } from '../../../lib/store/balance-item.ts';
import { dynamoBalances } from '../../../lib/store/balances.ts';
import { dynamoMerchants } from '../../../lib/store/merchants.ts';
import { paymentKey } from '../../../lib/store/payment-item.ts';
import { dynamoTerms } from '../../../lib/store/terms.ts';
import { differencesIn } from '../../support/audit.ts';
import { merchantId } from '../../support/builders.ts';
import { itemsOf } from '../../support/items-of.ts';
import { type PaymentHarness, paymentHarness, stateOf } from '../../support/payment-harness.ts';
import { twoGaveTheirCard } from '../../support/payment-situations.ts';
import { payoutTerms } from '../../support/payouts.ts';

/** A tenth of the net amount for thirty days: 98.49 of 100.50 are the merchant's, and 9.84 of them are reserved. */
const terms = { reserveBasisPoints: 1_000, reserveDays: 30 };
const day = 24 * 60;
const reserving = (given: Parameters<typeof paymentHarness>[0] = {}) => paymentHarness({ terms, ...given });

const balanceIn = async ({ table }: PaymentHarness) => {
  const balances = await dynamoBalances(table).of(merchantId);
  const { available, reserved } = balances.find(({ currency }) => currency === 'RUB') ?? {};
  return { available, reserved };
};

/** A payment of a merchant with a reserve, settled. */
async function settled(given: Parameters<typeof reserving>[0] = {}, card?: string) {
  const harness = await reserving(given);
  const { id, pay } = await harness.begun('p1');
  await pay(card);
  await harness.resolve(id);
  return { harness, id };
}

const waiting = { available: 8_865n, reserved: 984n };
const released = { available: 9_849n, reserved: 0n };

describe('the capture of a payment of a merchant with a reserve', () => {
  it('makes the rest available and reserves the share until its days are over', async () => {
    const { harness, id } = await settled();
    expect(await balanceIn(harness)).toEqual(waiting);
    const releaseAt = new Date(harness.now().getTime() + 30 * day * 60_000);
    expect(await harness.payment(id)).toMatchObject({
      status: 'SUCCESS',
      phase: 'DONE',
      reserve: { minor: 984n, currency: 'RUB', releaseAt, released: false },
      nextCheck: releaseAt,
    });
  });

  it.each([
    ['less than was charged', '4000000000110009'],
    ['more than was charged', '4000000000110017'],
  ])('reserves from what was received: %s', async (_what, card) => {
    const { harness, id } = await settled({ steps: 'one' }, card);
    const { receivedMinor = 0n, feeMinor = 0n } = (await harness.payment(id)) ?? {};
    expect(receivedMinor).not.toBe(10_050n);
    const net = receivedMinor - feeMinor;
    const reserved = (net * 1_000n) / 10_000n;
    expect(await balanceIn(harness)).toEqual({ available: net - reserved, reserved });
  });

  it('may reserve all of it, in a balance that had no movement before', async () => {
    const { harness, id } = await settled({ terms: { reserveBasisPoints: 10_000, reserveDays: 1 } });
    expect(await balanceIn(harness)).toEqual({ available: 0n, reserved: 9_849n });
    harness.pass(day);
    await harness.check(id);
    expect(await balanceIn(harness)).toEqual(released);
    expect(await differencesIn(harness)).toEqual([]);
  });

  it('reserves in the currency that KZT settle in', async () => {
    const harness = await reserving({ bill: { amount: { minor: 10_000n, currency: 'KZT' } } });
    await harness.rates.set({
      from: 'KZT',
      to: 'RUB',
      numerator: 17n,
      denominator: 100n,
      setAt: harness.now(),
    });
    const { id, pay } = await harness.begun('p1', 10_000n);
    await pay();
    await harness.resolve(id);
    expect(await balanceIn(harness)).toEqual({ available: 1_500n, reserved: 166n });
    expect(await harness.payment(id)).toMatchObject({ reserve: { minor: 166n, currency: 'RUB' } });
  });

  it('follows the terms with which the payment started, and the next payment those of then', async () => {
    const harness = await paymentHarness({ bill: { type: 'MULTI' }, terms });
    const first = await harness.begun('p1');
    const own = {
      merchants: dynamoMerchants(harness.table),
      terms: dynamoTerms(harness.table, () => payoutTerms(terms)),
    };
    const changes = { reserveBasisPoints: 5_000, reserveDays: 1 };
    await setTerms(own, { merchantId, currency: 'RUB', changes });
    const second = await harness.begun('p2');
    await first.pay();
    await harness.resolve(first.id);
    expect(await balanceIn(harness)).toEqual(waiting);
    await second.pay();
    await harness.resolve(second.id);
    expect(await balanceIn(harness)).toEqual({ available: 8_865n + 4_925n, reserved: 984n + 4_924n });
  });

  it('reserves nothing where the merchant has none, and waits for nothing', async () => {
    const { harness, id } = await settled({ terms: {} });
    expect(await balanceIn(harness)).toEqual(released);
    const paid = await harness.payment(id);
    expect([paid?.reserve, paid?.reserveTerms, paid?.nextCheck]).toEqual([undefined, undefined, undefined]);
    expect(await stateOf(harness)).toMatchObject({ waiting: 0 });
  });

  it('reserves also when people resolve the payment as captured', async () => {
    const harness = await reserving();
    const { id, pay } = await harness.begun('p1');
    await pay();
    harness.line.cut = 'calls';
    harness.pass(61);
    const resolved = await resolveByHand(harness, {
      paymentId: id,
      phase: 'AUTHORIZING',
      outcome: 'captured',
      amountMinor: undefined,
      by: 'olga',
      approvedBy: 'petr',
      evidence: 'statement of the acquirer',
    });
    expect(resolved).toMatchObject({ ok: true });
    expect(await balanceIn(harness)).toEqual(waiting);
  });

  it('reserves nothing of a duplicate capture, which is refunded', async () => {
    const harness = await reserving({ steps: 'one' });
    const { first, second } = await twoGaveTheirCard(harness);
    await harness.resolve(second.id);
    await harness.resolve(first.id);
    expect(await stateOf(harness)).toMatchObject({
      entries: expect.arrayContaining(['DUPLICATE_CAPTURE p1', 'REFUND p1', 'CAPTURE p2']),
    });
    expect(await balanceIn(harness)).toEqual(waiting);
    const { status, reserve } = (await harness.payment(first.id)) ?? {};
    expect([status, reserve]).toEqual(['FAIL', undefined]);
  });
});

describe('the reserve of a payment', () => {
  it('is released when its days are over, by the sweep, without a query to the acquirer', async () => {
    const { harness, id } = await settled();
    harness.line.cut = 'calls';
    harness.pass(30 * day - 1);
    expect(await harness.sweep()).toEqual({ queued: 0, failed: 0 });
    expect(await balanceIn(harness)).toEqual(waiting);

    harness.pass(1);
    expect(await harness.sweep()).toEqual({ queued: 1, failed: 0 });

    expect(await balanceIn(harness)).toEqual(released);
    expect(await stateOf(harness)).toMatchObject({
      payments: { p1: 'SUCCESS/DONE' },
      entries: ['CAPTURE p1', 'RESERVE_RELEASE p1'],
      events: ['p1 SUCCESS PENDING'],
      waiting: 0,
    });
    expect(await harness.payment(id)).toMatchObject({ reserve: { released: true } });
    expect(await differencesIn(harness)).toEqual([]);
    expect([harness.alarms, harness.logged]).toEqual([[], []]);
  });

  it('is not released a second too early by a message that came too soon', async () => {
    const { harness, id } = await settled();
    harness.pass(30 * day - 1 / 60);
    await harness.check(id);
    expect(await balanceIn(harness)).toEqual(waiting);
    expect(await stateOf(harness)).toMatchObject({ entries: ['CAPTURE p1'], waiting: 1 });
  });

  it.each([0, 5])('is released once by workers at the same time (items held for %i ms)', async (lockMs) => {
    const { harness, id } = await settled({ lockMs });
    harness.pass(30 * day);
    await Promise.all(Array.from({ length: 5 }, () => harness.check(id)));
    expect(await balanceIn(harness)).toEqual(released);
    expect(await stateOf(harness)).toMatchObject({
      entries: ['CAPTURE p1', 'RESERVE_RELEASE p1'],
      waiting: 0,
    });
  });

  it('is released once however late and often its message comes', async () => {
    const { harness, id } = await settled();
    harness.pass(45 * day);
    for (const _ of [1, 2, 3]) {
      await harness.check(id);
      harness.pass(day);
    }
    expect(await balanceIn(harness)).toEqual(released);
    expect(await differencesIn(harness)).toEqual([]);
  });

  it('is released after a worker that could not reach the table', async () => {
    const { harness, id } = await settled();
    harness.pass(30 * day);
    const payments = { ...harness.payments };
    let calls = 0;
    Object.assign(harness.payments, {
      recordAfterCapture: (...given: Parameters<typeof payments.recordAfterCapture>) =>
        (calls += 1) === 1 ? Promise.reject(new Error('no table')) : payments.recordAfterCapture(...given),
    });
    expect(await harness.sweep()).toEqual({ queued: 1, failed: 1 });
    expect(await balanceIn(harness)).toEqual(waiting);
    harness.pass(5);
    expect(await harness.sweep()).toEqual({ queued: 1, failed: 0 });
    expect(await balanceIn(harness)).toEqual(released);
    expect((await harness.payment(id))?.reserve).toMatchObject({ released: true });
  });

  it('waits on a list of its own, so nobody takes its payment for an undecided one', async () => {
    const { harness } = await settled();
    harness.pass(30 * day);
    expect(await harness.payments.listUndecided()).toEqual([]);
    const items = await itemsOf(harness.table);
    expect(items.flatMap(({ SK, workList }) => (SK.startsWith('P#') ? [workList] : []))).toEqual([
      expect.stringMatching(/^W#PAID#/),
    ]);
  });

  it('is queued in a group of its own, and only while the queue is short, so that many delay no payer', async () => {
    const harness = await reserving({ bill: { type: 'MULTI' } });
    const first = await harness.begun('p1');
    await first.pay();
    await harness.resolve(first.id);
    harness.pass(30 * day);
    const open = await harness.begun('p2');
    harness.pass(1);
    const sent: string[] = [];
    Object.assign(harness.paymentQueue, {
      send: async (id: string, { group }: { readonly group: string }) =>
        void sent.push(`${id.slice(-2)} ${group}`),
      length: async () => 1_999,
    });
    expect(await sweepPayments(harness)).toEqual({ queued: 1 });
    Object.assign(harness.paymentQueue, { length: async () => 1_998 });
    harness.pass(5);
    expect(await sweepPayments(harness)).toEqual({ queued: 2 });
    expect(sent).toEqual([`p2 ${billIdOf(open.id)}`, `p2 ${billIdOf(open.id)}`, 'p1 captured']);
  });

  it('waits beside a fee that the acquirer tells later, each checked at its own time', async () => {
    const manners = { feeBasisPoints: 350, feeAfterMinutes: 30 };
    const { harness, id } = await settled({ manners });
    harness.pass(10);
    await harness.sweep();
    expect(await harness.payment(id)).toMatchObject({ afterCapture: { checks: 1 } });
    harness.pass(60);
    await harness.sweep();
    const { providerFeeMinor, nextCheck, reserve } = (await harness.payment(id)) ?? {};
    expect([providerFeeMinor, nextCheck]).toEqual([352n, reserve?.releaseAt]);
    harness.pass(30 * day - 70);
    await harness.sweep();
    expect(await balanceIn(harness)).toEqual(released);
    expect(await stateOf(harness)).toMatchObject({
      entries: ['CAPTURE p1', 'PROVIDER_FEE p1', 'RESERVE_RELEASE p1'],
      waiting: 0,
    });
    expect(await differencesIn(harness)).toEqual([]);
  });

  it('that is due together with a fee is released first, and both are posted once', async () => {
    const manners = { feeBasisPoints: 350, feeAfterMinutes: 30 };
    const { harness, id } = await settled({ manners, terms: { reserveBasisPoints: 1_000, reserveDays: 1 } });
    harness.pass(3 * day);
    await Promise.all([harness.check(id), harness.check(id)]);
    await harness.sweep();
    expect(await balanceIn(harness)).toEqual(released);
    const { entries, waiting: left } = await stateOf(harness);
    expect([entries.toSorted(), left]).toEqual([['CAPTURE p1', 'PROVIDER_FEE p1', 'RESERVE_RELEASE p1'], 0]);
    expect(await differencesIn(harness)).toEqual([]);
  });

  it('stays when the payment is refunded at the acquirer: the loss is debited from what is available', async () => {
    const { harness, id } = await settled();
    await harness.refundedElsewhere(id);
    await harness.notice(id);
    expect(harness.alarms).toEqual(['capture_undone p1']);
    expect(await balanceIn(harness)).toEqual(waiting);
    harness.pass(30 * day);
    await harness.sweep();
    expect(await balanceIn(harness)).toEqual(released);
  });
});

describe('what earlier versions stored', () => {
  it('has no reserve: their payments settle and are released nothing of', async () => {
    const harness = await reserving();
    const { id, pay } = await harness.begun('p1');
    await harness.table.client.send(
      new UpdateCommand({
        TableName: harness.table.name,
        Key: paymentKey(id),
        UpdateExpression: 'REMOVE reserveTerms',
      }),
    );
    await pay();
    await harness.resolve(id);
    expect(await balanceIn(harness)).toEqual(released);
    expect(await stateOf(harness)).toMatchObject({ entries: ['CAPTURE p1'], waiting: 0 });
    harness.pass(30 * day);
    await harness.check(id);
    expect(await differencesIn(harness)).toEqual([]);
  });

  it('has balances without the field, which a capture adds and a release empties', async () => {
    const harness = await reserving();
    const Item = { ...balanceKey(merchantId, 'RUB'), available: 500n, locked: 0n, held: 0n };
    await harness.table.client.send(new PutCommand({ TableName: harness.table.name, Item }));
    expect(await balanceIn(harness)).toEqual({ available: 500n, reserved: 0n });
    const { id, pay } = await harness.begun('p1');
    await pay();
    await harness.resolve(id);
    expect(await balanceIn(harness)).toEqual({ available: 500n + 8_865n, reserved: 984n });
    harness.pass(30 * day);
    await harness.check(id);
    expect(await balanceIn(harness)).toEqual({ available: 500n + 9_849n, reserved: 0n });
  });
});
