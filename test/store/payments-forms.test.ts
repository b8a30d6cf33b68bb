import { describe, expect, it } from 'vitest';
import { itemsOf } from '../support/items-of.ts';
import { paymentHouse, stateOf } from '../support/payment-house.ts';

const declinedCard = '4000000000000002';

describe('the form of the payment page', () => {
  it('starts one payment however often and however fast it is sent', async () => {
    const house = await paymentHouse();
    const opened = await house.open();
    if (opened.kind !== 'payable') throw new Error(opened.kind);
    const sent = await Promise.all(Array.from({ length: 10 }, () => house.start(opened.token)));
    const again = await house.start(opened.token);
    expect(new Set([...sent, again].map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(again).toMatchObject({ kind: 'started' });
    expect(Object.values((await stateOf(house)).payments)).toEqual(['PROCESS/AUTHORIZING']);
  });

  it('starts one payment of a MULTI bill too', async () => {
    const house = await paymentHouse({ bill: { type: 'MULTI' } });
    const form = house.form('payment1');
    await Promise.all(Array.from({ length: 5 }, () => house.start(form)));
    expect(Object.values((await stateOf(house)).payments)).toEqual(['PROCESS/AUTHORIZING']);
  });

  it('leads to the outcome when it is sent again after the end', async () => {
    const house = await paymentHouse();
    const form = house.form('000000p1');
    const { id, pay } = await house.begun('p1');
    await pay(declinedCard);
    await house.resolve(id);
    expect(await house.start(form)).toEqual({ kind: 'pending', paymentId: id });
    expect(Object.values((await stateOf(house)).payments)).toEqual(['FAIL/DONE']);
  });

  it('is stale after half an hour', async () => {
    const house = await paymentHouse();
    const form = house.form('payment1');
    house.pass(29.9);
    const fresh = house.form('payment2');
    house.pass(0.1);
    expect(await house.start(form)).toEqual({ kind: 'stale_form' });
    expect(await house.start(fresh)).toMatchObject({ kind: 'started' });
  });

  it('is stale when the price changed since it was shown', async () => {
    const house = await paymentHouse({ bill: { payerPaysCommission: true } });
    expect(await house.open()).toMatchObject({ kind: 'payable', chargeMinor: 10_251n, surchargeMinor: 201n });
    expect(await house.start(house.form('payment1', 10_050n))).toEqual({ kind: 'stale_form' });
    expect((await stateOf(house)).payments).toEqual({});
  });

  it('of another bill, forged or garbled starts nothing', async () => {
    const house = await paymentHouse();
    const form = house.form('payment1');
    const [nonce, charge, until, mac] = form.split('.');
    const bad = [
      house.form('payment1', 10_050n, 'AnotherBill12345'),
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
    for (const token of bad) expect(await house.start(token)).toEqual({ kind: 'stale_form' });
    expect((await stateOf(house)).payments).toEqual({});
  });
});

describe('the failed attempts of one payer', () => {
  const limits = { failuresPerTenMinutes: 2, failuresPerDay: 3 };

  /** The bill is paid with a card that is declined, from this address. */
  async function fails(house: Awaited<ReturnType<typeof paymentHouse>>, name: string) {
    const { id, pay } = await house.begun(name);
    await pay(declinedCard);
    await house.resolve(id);
  }

  it('make them wait: for ten minutes, then for the day', async () => {
    const house = await paymentHouse({ limits });
    await fails(house, 'p1');
    await fails(house, 'p2');
    expect(await house.start(house.form('000000p3'))).toEqual({ kind: 'too_many_attempts' });
    expect(Object.keys((await stateOf(house)).payments)).toEqual(['p1', 'p2']);

    house.pass(10);
    await fails(house, 'p3');
    house.pass(10);
    expect(await house.start(house.form('000000p4'))).toEqual({ kind: 'too_many_attempts' });
    house.pass(24 * 60);
    expect(await house.start(house.form('000000p5'))).toMatchObject({ kind: 'started' });
  });

  it('are counted once, whoever asks about the payment', async () => {
    const house = await paymentHouse({ limits });
    const { id, pay } = await house.begun('p1');
    await pay(declinedCard);
    await Promise.all(Array.from({ length: 10 }, () => house.notice(id)));
    expect(await house.start(house.form('000000p2'))).toMatchObject({ kind: 'started' });
  });

  it('do not keep another payer from the same bill', async () => {
    const house = await paymentHouse({ limits });
    await fails(house, 'p1');
    await fails(house, 'p2');
    expect(await house.start(house.form('000000p3'), '203.0.113.9')).toMatchObject({ kind: 'started' });
  });

  it('are shared by the addresses of one IPv6 network', async () => {
    const house = await paymentHouse({ limits });
    for (const name of ['p1', 'p2']) {
      const form = house.form(`000000${name}`);
      const started = await house.start(form, `2001:db8::1:${name === 'p1' ? 1 : 2}`);
      if (started.kind !== 'started') throw new Error(started.kind);
      await house.sandbox.pay(started.pageUrl, { number: declinedCard, expiry: '12/34', cvc: '123' });
      await house.resolve(`BillBillBillBill00000000${name}`);
    }
    expect(await house.start(house.form('000000p3'), '2001:db8::ffff')).toEqual({
      kind: 'too_many_attempts',
    });
    expect(await house.start(house.form('000000p3'), '2001:db8:0:1::1')).toMatchObject({ kind: 'started' });
  });

  it('are not what succeeds: thirty bills may be paid from one address', async () => {
    const house = await paymentHouse({ bill: { type: 'MULTI' }, limits });
    for (let at = 10; at < 40; at += 1) {
      const { id, pay } = await house.begun(`${at}`);
      await pay();
      await house.resolve(id);
    }
    expect((await stateOf(house)).entries).toHaveLength(30);
  });

  it('keep neither address nor card', async () => {
    const house = await paymentHouse({ limits });
    await fails(house, 'p1');
    const everything = JSON.stringify(await itemsOf(house.table));
    expect(everything).not.toContain('198.51.100');
    expect(everything).not.toContain(declinedCard);
  });
});
