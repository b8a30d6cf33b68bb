import { describe, expect, it } from 'vitest';
import { ProviderBusy } from '../../../lib/provider-port.ts';
import { dynamoMerchants } from '../../../lib/store/merchants.ts';
import { toEvent } from '../../../lib/store/event-item.ts';
import { sweepRefunds } from '../../../lib/refund/sweep-refunds.ts';
import { merchantId } from '../../support/builders.ts';
import { itemsOf } from '../../support/items-of.ts';
import { noticed } from '../../support/payment-harness.ts';
import { made, refundHarness, type RefundHarness } from '../../support/refund-harness.ts';

const pendingCard = '4000000000110215';
const rejectedCard = '4000000000110223';
const emptyCard = '4000000000110231';
const merchantsMoney = { available: 9_849n, locked: 0n };

/** A refund of 40.00 that was created. */
async function created(given: Parameters<typeof refundHarness>[0] = {}) {
  const harness = await refundHarness(given);
  const { id } = made(await harness.part('40.00'));
  return { ...harness, id, step: (over = {}) => harness.carryOut(id, over) };
}
/** What its failure must leave behind: nothing. */
async function expectReleased(
  harness: Pick<RefundHarness, 'balance' | 'refundEntries' | 'totals' | 'refundedThere' | 'differences'>,
) {
  expect(await harness.balance()).toEqual(merchantsMoney);
  expect(await harness.refundEntries()).toEqual([
    ['REFUND_RELEASE', 'locked -4000', 'available 4000'],
    ['REFUND_RESERVE', 'available -4000', 'locked 4000'],
  ]);
  expect(await harness.totals()).toEqual({
    reservedMinor: 0n,
    grossMinor: 0n,
    feeMinor: 0n,
    refundedMinor: 0n,
  });
  expect(await harness.refundedThere()).toBe(0n);
  expect(await harness.differences()).toEqual([]);
}

describe('a refund is carried out', () => {
  it('and what it locked is settled, once', async () => {
    const { id, step, ...harness } = await created({ shop: { refundUrl: 'https://shop.example/refund' } });
    const refund = await step();
    expect(refund).toMatchObject({
      status: 'SUCCESS',
      endedAt: harness.now(),
      call: { attempt: 1, amountMinor: 4_000n },
    });
    expect([refund.receipt, refund.nextCheck]).toEqual([undefined, undefined]);
    expect(await harness.balance()).toEqual({ available: 5_849n, locked: 0n });
    expect(await harness.refundEntries()).toEqual([
      ['REFUND_RESERVE', 'available -4000', 'locked 4000'],
      ['REFUND_SETTLE', 'acquirer 4000', 'locked -4000'],
    ]);
    expect(await harness.totals()).toMatchObject({ reservedMinor: 4_000n, refundedMinor: 4_000n });
    expect(await harness.refundedThere()).toBe(4_000n);
    const events = (await itemsOf(harness.table)).filter(({ SK }) => SK === 'E').map(toEvent);
    expect(events.map(({ kind, status }) => [kind, status])).toContainEqual(['refund', 'SUCCESS']);
    expect(harness.queued).toContain(`rf.${id}.SUCCESS`);
    expect(await harness.differences()).toEqual([]);
    expect(harness.alarms).toEqual([]);

    await Promise.all([step(), step()]);
    expect(await harness.refundedThere()).toBe(4_000n);
    expect(await harness.refundEntries()).toHaveLength(2);
  });

  it('once by two workers', async () => {
    const { step, ...harness } = await created();
    const [one, other] = await Promise.all([step(), step()]);
    expect([one, other].map(({ status }) => status)).toContain('SUCCESS');
    expect(await harness.refundedThere()).toBe(4_000n);
    expect(await harness.balance()).toEqual({ available: 5_849n, locked: 0n });
  });

  it('although the merchant was banned meanwhile', async () => {
    const { step, table } = await created();
    await dynamoMerchants(table).setFlags(merchantId, { banned: true });
    expect((await step()).status).toBe('SUCCESS');
  });

  it('by the sweep, which defers what it queued', async () => {
    const { id, ...harness } = await created();
    const sent: string[] = [];
    const refundQueue = { send: async (each: string) => void sent.push(each), length: async () => 0 };
    expect(await sweepRefunds({ ...harness, refundQueue })).toEqual({ queued: 1 });
    expect(sent).toEqual([id]);
    expect(await sweepRefunds({ ...harness, refundQueue })).toEqual({ queued: 0 });
    harness.pass(6);
    const full = { ...refundQueue, length: async () => 2_000 };
    expect(await sweepRefunds({ ...harness, refundQueue: full })).toEqual({ queued: 0 });
    expect(await sweepRefunds({ ...harness, refundQueue })).toEqual({ queued: 1 });
  });

  it('is checked again later and later, and raises an alarm after a day', async () => {
    const { step, pass, ...harness } = await created();
    harness.line.cut = 'calls';
    const pauses: number[] = [];
    for (let check = 0; check < 6; check += 1) {
      const { nextCheck } = await step();
      pauses.push(((nextCheck?.getTime() ?? 0) - harness.now().getTime()) / 1000);
      pass((pauses.at(-1) ?? 0) / 60);
    }
    expect(pauses).toEqual([10, 30, 120, 600, 3600, 3600]);
    expect(harness.alarms).toEqual([]);
    pass(24 * 60);
    await step();
    expect(harness.alarms).toEqual(['refund_stuck 01']);
  });
});

describe('a refund that the acquirer has not decided', () => {
  it('is read until it has, and never sent again', async () => {
    const { step, pass, ...harness } = await created({ card: pendingCard });
    expect(await step()).toMatchObject({ status: 'PROCESS', call: { answer: 'pending', unanswered: 0 } });
    const calls: string[] = [];
    const { refund } = harness.acquirer;
    Object.assign(harness.acquirer, {
      refund: (...given: Parameters<typeof refund>) => (calls.push('refund'), refund(...given)),
    });
    for (let check = 0; check < 3; check += 1) {
      pass(60);
      await step();
    }
    expect((await step()).status).toBe('SUCCESS');
    expect(calls).toEqual([]);
    expect(await harness.refundedThere()).toBe(4_000n);
  });

  it('is read at once when a notification may be about it, and no chargeback is noticed', async () => {
    const { id, step, paymentId, ...harness } = await created({ card: pendingCard });
    await step();
    for (let notice = 0; notice < 3; notice += 1) await noticed(harness, paymentId);
    expect(await harness.refunds.find(id)).toMatchObject({ status: 'SUCCESS' });
    expect(await harness.chargebacks.ofPayment(paymentId)).toEqual([]);
    expect(harness.alarms).toEqual([]);
  });

  it('is read with few others at once, and not while the acquirer cannot be reached', async () => {
    const { paymentId, step, ...harness } = await created({ card: pendingCard });
    await step();
    for (let more = 0; more < 6; more += 1) await harness.carryOut(made(await harness.part('1.00')).id);
    let reads = 0;
    const { findRefund } = harness.acquirer;
    Object.assign(harness.acquirer, {
      findRefund: (...given: Parameters<typeof findRefund>) => ((reads += 1), findRefund(...given)),
    });
    await noticed(harness, paymentId);
    expect(reads).toBe(5);
    harness.line.cut = 'calls';
    await noticed(harness, paymentId).catch(() => undefined);
    expect(reads).toBe(6);
  });
});

describe('a refund whose answer was lost', () => {
  it('is sent again under its key, and made once', async () => {
    const { step, pass, line, ...harness } = await created();
    line.cut = 'answers';
    expect(await step()).toMatchObject({ status: 'PROCESS', call: { unanswered: 1 } });
    line.cut = undefined;
    pass(1);
    expect(await step()).toMatchObject({ status: 'SUCCESS', call: { attempt: 1 } });
    expect(await harness.refundedThere()).toBe(4_000n);
  });

  it('is only read once its key may be forgotten', async () => {
    const { step, pass, line, ...harness } = await created();
    line.cut = 'answers';
    await step();
    line.cut = undefined;
    line.fails = (call) => call === 'refund';
    pass(22 * 60);
    expect((await step()).status).toBe('SUCCESS');
    expect(await harness.refundedThere()).toBe(4_000n);
  });

  it('fails when the acquirer does not have it after 26 hours', async () => {
    const { step, pass, line, ...harness } = await created();
    line.cut = 'calls';
    await step();
    line.cut = undefined;
    line.fails = (call) => call === 'refund';
    pass(25 * 60);
    expect((await step()).status).toBe('PROCESS');
    pass(60);
    expect(await step()).toMatchObject({ status: 'FAIL', errorCode: 'refund_rejected', outcome: 'absent' });
    await expectReleased(harness);
  });

  it('does not fail by the refusal of a later call', async () => {
    const { id, step, pass, line, ...harness } = await created({ card: pendingCard });
    line.cut = 'answers';
    await step();
    line.cut = undefined;
    const rejected = { state: 'rejected', outcome: 'try_later', providerEmpty: false };
    const { refund } = harness.acquirer;
    Object.assign(harness.acquirer, { refund: async () => rejected });
    pass(1);
    expect(await step()).toMatchObject({ status: 'PROCESS', call: { answer: 'pending' } });
    Object.assign(harness.acquirer, { refund });
    for (let check = 0; check < 3; check += 1) {
      pass(60);
      await step();
    }
    expect((await harness.refunds.find(id))?.status).toBe('SUCCESS');
  });

  it('is not counted unanswered when the acquirer was too busy for it', async () => {
    const { step, ...harness } = await created();
    Object.assign(harness.acquirer, { refund: () => Promise.reject(new ProviderBusy(7_000)) });
    const refund = await step();
    expect(refund).toMatchObject({ status: 'PROCESS', call: { attempt: 1, unanswered: 0 } });
    expect(refund.nextCheck).toEqual(new Date(harness.now().getTime() + 7_000));
  });
});

describe('a refund that the acquirer rejects', () => {
  it('fails, and its debit is available again', async () => {
    const { step, id, ...harness } = await created({
      card: rejectedCard,
      shop: { refundUrl: 'https://shop.example/refund' },
    });
    expect(await step()).toMatchObject({
      status: 'FAIL',
      errorCode: 'refund_rejected',
      outcome: 'rejected_by_issuer',
    });
    await expectReleased(harness);
    expect(harness.queued).toContain(`rf.${id}.FAIL`);
    expect((await harness.part('98.49')).ok).toBe(true);
  });

  it('is attempted again under another key while our account there is empty', async () => {
    const { step, pass, ...harness } = await created({ card: emptyCard });
    const refund = await step();
    expect(refund).toMatchObject({ status: 'PROCESS', call: { attempt: 1, answer: 'empty', unanswered: 0 } });
    expect(refund.nextCheck).toEqual(new Date(harness.now().getTime() + 10 * 60_000));
    expect(harness.alarms).toEqual(['refund_waits 01']);
    expect(await step()).toEqual(refund);
    pass(10);
    expect(await step()).toMatchObject({ status: 'SUCCESS', call: { attempt: 2 } });
    expect(await harness.refundedThere()).toBe(4_000n);
  });

  it('fails after three days of an empty account', async () => {
    const { step, pass, ...harness } = await created();
    const empty = { state: 'rejected', outcome: 'insufficient_funds', providerEmpty: true };
    Object.assign(harness.acquirer, { refund: async () => empty });
    for (const minutes of [0, 10, 71 * 60]) {
      pass(minutes);
      expect((await step()).status).toBe('PROCESS');
    }
    pass(60);
    expect(await step()).toMatchObject({ status: 'FAIL', outcome: 'insufficient_funds' });
    await expectReleased(harness);
  });

  it('does not fail when another call was recorded meanwhile', async () => {
    const { step, id, ...harness } = await created();
    const rejected = { state: 'rejected', outcome: 'no', providerEmpty: false };
    const { refund } = harness.acquirer;
    Object.assign(harness.acquirer, {
      async refund() {
        Object.assign(harness.acquirer, { refund });
        await harness.carryOut(id);
        return rejected;
      },
    });
    expect((await step()).status).toBe('SUCCESS');
    expect(await harness.balance()).toEqual({ available: 5_849n, locked: 0n });
  });
});

it('a refund whose acquirer is gone waits for it', async () => {
  const { step, pass, ...harness } = await created();
  const deployed = { ...harness.acquirers };
  Object.assign(harness.acquirers, { named: () => undefined });
  expect(await step()).toMatchObject({ status: 'NEW', checks: 1 });
  expect(harness.logged.at(-1)?.[1]).toBe('refund_not_advanced');
  Object.assign(harness.acquirers, deployed);
  pass(1);
  expect((await step()).status).toBe('SUCCESS');
});
