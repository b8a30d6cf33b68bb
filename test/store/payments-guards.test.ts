import { describe, expect, it } from 'vitest';
import { duplicateCaptureEntry } from '../../lib/ledger/payment-postings.ts';
import type { Payment } from '../../lib/payment/payment.ts';
import { type PaymentHouse, paymentHouse, stateOf } from '../support/payment-house.ts';

/** Two payments of one bill: the second took it over while the acquirer could not be told to cancel the first. */
async function takenOver(steps: 'one' | 'two' = 'two') {
  const house = await paymentHouse({ steps });
  const form = house.form('000000p1');
  const first = await house.begun('p1');
  house.pass(15);
  house.line.cut = 'calls';
  await house.start(house.form('000000p2'));
  house.line.cut = undefined;
  return { house, form, displaced: await paymentOf(house, first.id), pay: first.pay };
}

async function paymentOf(house: PaymentHouse, id: string): Promise<Payment> {
  const payment = await house.payment(id);
  if (!payment) throw new Error('no such payment');
  return payment;
}

const refused = { ok: false, error: 'moved_meanwhile' };

describe('the store, asked by a handler that looked too early', () => {
  it('does not fence a bill for a payment that was displaced', async () => {
    const { house, displaced } = await takenOver();
    expect(await house.payments.fence(displaced)).toEqual(refused);
    expect(await stateOf(house)).toMatchObject({ bill: { fenced: false } });
  });

  it('does not let a bill go for a payment that was displaced', async () => {
    const { house, displaced } = await takenOver();
    const after: Payment = { ...displaced, status: 'FAIL', phase: 'DONE' };
    expect(await house.payments.failed(displaced, after, { releasesBill: true })).toEqual(refused);
    expect(await stateOf(house)).toMatchObject({ bill: { status: 'PROCESS', failures: 0 } });
  });

  it('does not start the same payment of a MULTI bill twice', async () => {
    const house = await paymentHouse({ bill: { type: 'MULTI' } });
    const { id } = await house.begun('p1');
    const hold = { bill: await house.bill(), now: house.now(), lockUntil: house.now() };
    expect(await house.payments.start(await paymentOf(house, id), hold)).toEqual({
      ok: false,
      error: 'payment_exists',
    });
  });

  it('does not book late money again that was refunded already', async () => {
    const house = await paymentHouse({ steps: 'one' });
    const { id, pay } = await house.begun('p1');
    const before = await paymentOf(house, id);
    const failed: Payment = { ...before, status: 'FAIL', phase: 'DONE' };
    await house.payments.failed(before, failed, { releasesBill: true });
    await pay();
    await house.notice(id);
    const again: Payment = { ...failed, phase: 'REFUNDING', receivedMinor: 10_050n };
    const entry = duplicateCaptureEntry(failed, 10_050n, house.now());
    expect(await house.payments.recordDuplicateCapture(failed, again, entry)).toEqual(refused);
    expect(await stateOf(house)).toMatchObject({ payments: { p1: 'FAIL/DONE' }, waiting: 0, charged: 0 });
  });
});

describe('a displaced payer', () => {
  it('who sends their form again is not led to a card page where they would pay for nothing', async () => {
    const { house, form, displaced } = await takenOver();
    expect(await house.start(form)).toEqual({ kind: 'pending', paymentId: displaced.id });
  });
});

describe('a card page that was left alone', () => {
  it('is no failed attempt of its payer', async () => {
    const house = await paymentHouse({ limits: { failuresPerTenMinutes: 1, failuresPerDay: 1 } });
    const { id } = await house.begun('p1');
    house.pass(60);
    await house.resolve(id);
    expect(await stateOf(house)).toMatchObject({ payments: { p1: 'FAIL/DONE' } });
    expect(await house.start(house.form('000000p2'))).toMatchObject({ kind: 'started' });
  });
});
