import { describe, expect, it } from 'vitest';
import { startPayment } from '../../lib/payment/start-payment.ts';
import { billId } from '../support/builders.ts';
import { itemsOf } from '../support/items-of.ts';
import { paymentHarness, publicUrl, stateOf } from '../support/payment-harness.ts';

const declinedCard = '4000000000000002';

describe('the form of the payment page', () => {
  it('starts one payment however often and however fast it is sent', async () => {
    const harness = await paymentHarness();
    const opened = await harness.open();
    if (opened.kind !== 'payable') throw new Error(opened.kind);
    const sent = await Promise.all(Array.from({ length: 10 }, () => harness.start(opened.token)));
    const again = await harness.start(opened.token);
    expect(new Set([...sent, again].map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(again).toMatchObject({ kind: 'started' });
    expect(Object.values((await stateOf(harness)).payments)).toEqual(['PROCESS/AUTHORIZING']);
  });

  it('leads to its own payment when that began between two reads', async () => {
    const harness = await paymentHarness();
    const token = harness.form('000000p1');
    const first: unknown[] = [];
    const bills = {
      async find(id: string) {
        first.push(await harness.start(token));
        return harness.bills.find(id);
      },
    };
    const sent = { billId, token, sourceIp: '198.51.100.8', publicUrl };
    expect(await startPayment({ ...harness, bills }, sent)).toEqual(first[0]);
    expect(first).toMatchObject([{ kind: 'started' }]);
  });

  it('starts one payment of a MULTI bill too', async () => {
    const harness = await paymentHarness({ bill: { type: 'MULTI' } });
    const form = harness.form('payment1');
    await Promise.all(Array.from({ length: 5 }, () => harness.start(form)));
    expect(Object.values((await stateOf(harness)).payments)).toEqual(['PROCESS/AUTHORIZING']);
  });

  it('leads to the outcome when it is sent again after the end', async () => {
    const harness = await paymentHarness();
    const form = harness.form('000000p1');
    const { id, pay } = await harness.begun('p1');
    await pay(declinedCard);
    await harness.resolve(id);
    expect(await harness.start(form)).toEqual({ kind: 'pending', paymentId: id });
    expect(Object.values((await stateOf(harness)).payments)).toEqual(['FAIL/DONE']);
  });

  it('is stale after half an hour', async () => {
    const harness = await paymentHarness();
    const form = harness.form('payment1');
    harness.pass(29.9);
    const fresh = harness.form('payment2');
    harness.pass(0.1);
    expect(await harness.start(form)).toEqual({ kind: 'stale_form' });
    expect(await harness.start(fresh)).toMatchObject({ kind: 'started' });
  });

  it('is stale when the price changed since it was shown', async () => {
    const harness = await paymentHarness({ bill: { payerPaysCommission: true } });
    expect(await harness.open()).toMatchObject({
      kind: 'payable',
      chargeMinor: 10_251n,
      surchargeMinor: 201n,
    });
    expect(await harness.start(harness.form('payment1', 10_050n))).toEqual({ kind: 'stale_form' });
    expect((await stateOf(harness)).payments).toEqual({});
  });

  it('of another bill, forged or garbled starts nothing', async () => {
    const harness = await paymentHarness();
    const form = harness.form('payment1');
    const [nonce, charge, until, mac] = form.split('.');
    const bad = [
      harness.form('payment1', 10_050n, 'AnotherBill12345'),
      `${nonce}.1.${until}.${mac}`,
      `payment2.${charge}.${until}.${mac}`,
      `${nonce}.${charge}.9999999999.${mac}`,
      `${nonce}.${charge}.${until}.${'0'.repeat(64)}`,
      `${form}\n`,
      ` ${form}`,
      form.toUpperCase(),
      '',
      'x'.repeat(100_000),
    ];
    for (const token of bad) expect(await harness.start(token)).toEqual({ kind: 'stale_form' });
    expect((await stateOf(harness)).payments).toEqual({});
  });
});

describe('the failed attempts of one payer', () => {
  const limits = { failuresPerTenMinutes: 2, failuresPerDay: 3 };

  /** The bill is paid with a card that is declined, from this address. */
  async function fails(harness: Awaited<ReturnType<typeof paymentHarness>>, name: string) {
    const { id, pay } = await harness.begun(name);
    await pay(declinedCard);
    await harness.resolve(id);
  }

  it('make them wait: for ten minutes, then for the day', async () => {
    const harness = await paymentHarness({ limits });
    await fails(harness, 'p1');
    await fails(harness, 'p2');
    expect(await harness.start(harness.form('000000p3'))).toEqual({ kind: 'too_many_attempts' });
    expect(Object.keys((await stateOf(harness)).payments)).toEqual(['p1', 'p2']);

    harness.pass(10);
    await fails(harness, 'p3');
    harness.pass(10);
    expect(await harness.start(harness.form('000000p4'))).toEqual({ kind: 'too_many_attempts' });
    harness.pass(24 * 60);
    expect(await harness.start(harness.form('000000p5'))).toMatchObject({ kind: 'started' });
  });

  it('are counted once, whoever asks about the payment', async () => {
    const harness = await paymentHarness({ limits });
    const { id, pay } = await harness.begun('p1');
    await pay(declinedCard);
    await Promise.all(Array.from({ length: 10 }, () => harness.notice(id)));
    expect(await harness.start(harness.form('000000p2'))).toMatchObject({ kind: 'started' });
  });

  it('do not keep another payer from the same bill', async () => {
    const harness = await paymentHarness({ limits });
    await fails(harness, 'p1');
    await fails(harness, 'p2');
    expect(await harness.start(harness.form('000000p3'), '203.0.113.9')).toMatchObject({ kind: 'started' });
  });

  it('are shared by the addresses of one IPv6 network', async () => {
    const harness = await paymentHarness({ limits });
    for (const name of ['p1', 'p2']) {
      const form = harness.form(`000000${name}`);
      const started = await harness.start(form, `2001:db8::1:${name === 'p1' ? 1 : 2}`);
      if (started.kind !== 'started') throw new Error(started.kind);
      await harness.sandbox.pay(started.pageUrl, { number: declinedCard, expiry: '12/34', cvc: '123' });
      await harness.resolve(`BillBillBillBill00000000${name}`);
    }
    expect(await harness.start(harness.form('000000p3'), '2001:db8::ffff')).toEqual({
      kind: 'too_many_attempts',
    });
    expect(await harness.start(harness.form('000000p3'), '2001:db8:0:1::1')).toMatchObject({
      kind: 'started',
    });
  });

  it('are not what succeeds: thirty bills may be paid from one address', async () => {
    const harness = await paymentHarness({ bill: { type: 'MULTI' }, limits });
    for (let at = 10; at < 40; at += 1) {
      const { id, pay } = await harness.begun(`${at}`);
      await pay();
      await harness.resolve(id);
    }
    expect((await stateOf(harness)).entries).toHaveLength(30);
  });

  it('keep neither address nor card', async () => {
    const harness = await paymentHarness({ limits });
    await fails(harness, 'p1');
    const everything = JSON.stringify(await itemsOf(harness.table));
    expect(everything).not.toContain('198.51.100');
    expect(everything).not.toContain(declinedCard);
  });
});
