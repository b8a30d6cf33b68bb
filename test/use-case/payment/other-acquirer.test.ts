import { describe, expect, it } from 'vitest';
import { toPaymentId } from '../../../lib/ids.ts';
import { acquirersOf } from '../../../lib/payment/acquirers.ts';
import {
  noticed,
  type PaymentHarness,
  paymentHarness,
  stateOf,
  switchAcquirer,
} from '../../support/payment-harness.ts';
import { twoPaidAtTwoAcquirers } from '../../support/payment-situations.ts';

const pendingCaptureCard = '4000000000110082';

async function swept(harness: PaymentHarness, hours: number) {
  for (let hour = 0; hour < hours; hour += 1) {
    harness.pass(60);
    await harness.sweep();
  }
}

describe('a payment', () => {
  it('stores the acquirer that it was sent to', async () => {
    const harness = await paymentHarness();
    const { id } = await harness.begun('p1');
    expect(await harness.payment(id)).toMatchObject({ acquirer: 'sandbox' });
  });

  it('does not start when no acquirer is configured, so the bill is not held', async () => {
    const harness = await paymentHarness();
    Object.assign(harness.acquirers, acquirersOf([], {}));
    expect(await harness.open()).toMatchObject({ kind: 'payable', forms: [] });
    expect(await harness.start(harness.form('000000p1'))).toEqual({ kind: 'stale_form' });
    expect(await stateOf(harness)).toMatchObject({ bill: { status: 'NEW' }, payments: {}, waiting: 0 });
  });

  it('stored before the acquirer was recorded is checked as usual', async () => {
    const harness = await paymentHarness();
    const { id, pay } = await harness.begun('p1');
    await pay();
    const stored = { ...harness.payments };
    Object.assign(harness.payments, {
      async findWithBill(of: string) {
        const found = await stored.findWithBill(toPaymentId(of));
        return found && { ...found, payment: { ...found.payment, acquirer: undefined } };
      },
    });
    await harness.resolve(id);
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'SUCCESS/DONE' } });
  });
});

describe('a payment that was sent to another acquirer', () => {
  it.each([
    ['AUTHORIZING', undefined],
    ['CAPTURING', pendingCaptureCard],
  ])('and is %s stays unchanged, whatever happens', async (phase, card) => {
    const harness = await paymentHarness();
    const { id, pay } = await harness.begun('p1');
    if (card !== undefined) {
      await pay(card);
      await harness.resolve(id);
    }
    const { calls } = await switchAcquirer(harness);
    const before = await stateOf(harness);
    harness.pass(120);

    await expect(harness.resolve(id)).rejects.toMatchObject({ name: 'PaymentAtOtherAcquirer' });
    expect(await harness.comesBack(id)).toMatchObject({ kind: 'waiting' });
    expect(await noticed(harness, id)).toBe('accepted');
    // The other acquirer is asked about the reference that it named, and has no such order.
    expect(calls.splice(0)).toEqual([expect.stringMatching(/^GET orders\//)]);
    expect(await harness.sweep()).toEqual({ queued: 1, failed: 0 });

    expect(before.payments).toEqual({ p1: `PROCESS/${phase}` });
    expect(await stateOf(harness)).toEqual(before);
    expect(calls).toEqual([]);
    expect(harness.logged).toEqual([
      ['info', 'notification_ignored', expect.anything()],
      ['error', 'payment_not_resolved', { error: 'PaymentAtOtherAcquirer', payment: id }],
    ]);
  });

  it('raises an alarm at each check once it is a day old', async () => {
    const harness = await paymentHarness();
    await harness.begun('p1');
    await switchAcquirer(harness);
    harness.pass(23 * 60);
    await swept(harness, 1);
    expect(harness.alarms).toEqual([]);
    await swept(harness, 2);
    expect(harness.alarms).toEqual(['payment_stuck p1', 'payment_stuck p1']);
  });

  it('holds its bill for its fifteen minutes: other visitors wait and open no card page', async () => {
    const harness = await paymentHarness();
    const form = harness.form('000000p1');
    const { id } = await harness.begun('p1');
    const { calls } = await switchAcquirer(harness);
    const pending = { kind: 'pending', paymentId: id };
    expect(await harness.open()).toMatchObject(pending);
    expect(await harness.start(harness.form('000000p2'))).toMatchObject(pending);
    expect(await harness.start(form)).toMatchObject(pending);
    expect(calls).toEqual([]);
  });

  it('whose capture was requested holds its bill until it is resolved', async () => {
    const harness = await paymentHarness();
    const { id, pay } = await harness.begun('p1');
    await pay(pendingCaptureCard);
    await harness.resolve(id);
    await switchAcquirer(harness);
    harness.pass(600);
    expect(await harness.start(harness.form('000000p2'))).toMatchObject({ kind: 'pending', paymentId: id });
  });

  it('loses its bill after fifteen minutes but stays on the work list beside the paid one', async () => {
    const harness = await paymentHarness({ steps: 'one' });
    const { next } = await twoPaidAtTwoAcquirers(harness);
    await swept(harness, 1);
    harness.pass(24 * 60);
    await swept(harness, 1);

    expect(await stateOf(harness)).toMatchObject({
      bill: { status: 'SUCCESS', paidBy: 'p2' },
      payments: { p1: 'PROCESS/AUTHORIZING', p2: 'SUCCESS/DONE' },
      entries: ['CAPTURE p2'],
      waiting: 1,
    });
    expect(next.calls.filter((call) => call.includes('p1'))).toEqual([]);
    expect(harness.alarms).toEqual(['payment_stuck p1']);
  });

  it('is resolved as usual when its acquirer is back: a duplicate capture is refunded', async () => {
    const harness = await paymentHarness({ steps: 'one' });
    const { next } = await twoPaidAtTwoAcquirers(harness);
    await swept(harness, 1);
    next.back();
    await swept(harness, 2);

    expect(await stateOf(harness)).toMatchObject({
      bill: { paidBy: 'p2' },
      payments: { p1: 'FAIL/DONE', p2: 'SUCCESS/DONE' },
      entries: ['DUPLICATE_CAPTURE p1', 'REFUND p1', 'CAPTURE p2'],
      charged: 0,
      waiting: 0,
    });
  });

  it('and is done is not reopened by a notification of the configured acquirer', async () => {
    const harness = await paymentHarness();
    const { id, pay } = await harness.begun('p1');
    await pay('4000000000000002');
    await harness.resolve(id);
    const { calls } = await switchAcquirer(harness);
    expect(await noticed(harness, id)).toBe('accepted');
    // Only the reference is looked up, which this acquirer does not have.
    expect([calls, harness.alarms]).toEqual([[expect.stringMatching(/^GET orders\//)], []]);
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'FAIL/DONE' } });
  });
});
