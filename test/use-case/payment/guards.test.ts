import { describe, expect, it } from 'vitest';
import { toPaymentId } from '../../../lib/ids.ts';
import { duplicateCaptureEntry } from '../../../lib/payment/payment-postings.ts';
import type { Payment } from '../../../lib/payment/payment.ts';
import { aCall } from '../../support/builders.ts';
import { type PaymentHarness, paymentHarness, stateOf } from '../../support/payment-harness.ts';

/** Two payments of one bill: the second took it over while the first could not be cancelled at the acquirer. */
async function takenOver(steps: 'one' | 'two' = 'two') {
  const harness = await paymentHarness({ steps });
  const form = harness.form('000000p1');
  const first = await harness.begun('p1');
  harness.pass(15);
  harness.line.cut = 'calls';
  await harness.start(harness.form('000000p2'));
  harness.line.cut = undefined;
  return { harness, form, displaced: await paymentOf(harness, first.id), pay: first.pay };
}

async function paymentOf(harness: PaymentHarness, id: string): Promise<Payment> {
  const payment = await harness.payment(toPaymentId(id));
  if (!payment) throw new Error('no such payment');
  return payment;
}

const refused = { ok: false, error: 'moved_meanwhile' };

describe('the store, called with an outdated read', () => {
  it('does not fence a bill for a payment that was displaced', async () => {
    const { harness, displaced } = await takenOver();
    expect(await harness.payments.fence(displaced, aCall())).toEqual(refused);
    expect(await stateOf(harness)).toMatchObject({ bill: { fenced: false } });
  });

  it('does not release a bill for a payment that was displaced', async () => {
    const { harness, displaced } = await takenOver();
    const after: Payment = { ...displaced, status: 'FAIL', phase: 'DONE' };
    expect(
      await harness.payments.failed(displaced, after, {
        releasesBill: true,
        countsFailure: true,
        entries: [],
        event: undefined,
      }),
    ).toEqual(refused);
    expect(await stateOf(harness)).toMatchObject({ bill: { status: 'PROCESS', failures: 0 } });
  });

  it('does not start the same payment of a MULTI bill twice', async () => {
    const harness = await paymentHarness({ bill: { type: 'MULTI' } });
    const { id } = await harness.begun('p1');
    const hold = { bill: await harness.bill(), now: harness.now(), lockUntil: harness.now() };
    expect(await harness.payments.start(await paymentOf(harness, id), hold)).toEqual({
      ok: false,
      error: 'payment_exists',
    });
  });

  it('does not post late money again that was refunded already', async () => {
    const harness = await paymentHarness({ steps: 'one' });
    const { id, pay } = await harness.begun('p1');
    const before = await paymentOf(harness, id);
    const failed: Payment = { ...before, status: 'FAIL', phase: 'DONE' };
    await harness.payments.failed(before, failed, {
      releasesBill: true,
      countsFailure: true,
      entries: [],
      event: undefined,
    });
    await pay();
    await harness.notice(id);
    const again: Payment = { ...failed, phase: 'REFUNDING', receivedMinor: 10_050n };
    const entry = duplicateCaptureEntry(failed, 10_050n, harness.now());
    expect(await harness.payments.recordDuplicateCapture(failed, again, [entry])).toEqual(refused);
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'FAIL/DONE' }, waiting: 0, charged: 0 });
  });
});

describe('a displaced payer', () => {
  it('who sends their form again is not redirected to a card page', async () => {
    const { harness, form, displaced } = await takenOver();
    expect(await harness.start(form)).toMatchObject({ kind: 'pending', paymentId: displaced.id });
  });
});

describe('an abandoned card page', () => {
  it('does not count as a failed attempt of its payer', async () => {
    const harness = await paymentHarness({ limits: { failuresPerTenMinutes: 1, failuresPerDay: 1 } });
    const { id } = await harness.begun('p1');
    harness.pass(60);
    await harness.resolve(id);
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'FAIL/DONE' } });
    expect(await harness.start(harness.form('000000p2'))).toMatchObject({ kind: 'started' });
  });
});
