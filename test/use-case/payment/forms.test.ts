import { describe, expect, it } from 'vitest';
import { type BillId, newPaymentId, type PaymentId, toBillId, toPaymentId } from '../../../lib/ids.ts';
import type { PageSecrets } from '../../../lib/payment/page-secrets.ts';
import type { PayableBill } from '../../../lib/payment/open-bill.ts';
import { startPayment } from '../../../lib/payment/start-payment.ts';
import { billId, today } from '../../support/builders.ts';
import { itemsOf } from '../../support/items-of.ts';
import {
  ownBrowser,
  type PaymentHarness,
  paymentHarness,
  publicUrl,
  stateOf,
} from '../../support/payment-harness.ts';
import { payer } from '../../support/sandbox.ts';

const page = { language: 'en', publicUrl } as const;
const cardForm = ({ forms }: PayableBill): string =>
  forms.find(({ method }) => method === 'card')?.token ?? '';
const declinedCard = '4000000000000002';

describe('the form of the payment page', () => {
  it('starts one payment however often and fast it is sent', async () => {
    const harness = await paymentHarness();
    const opened = await harness.open();
    if (opened.kind !== 'payable') throw new Error(opened.kind);
    const sent = await Promise.all(Array.from({ length: 10 }, () => harness.start(cardForm(opened))));
    const again = await harness.start(cardForm(opened));
    expect(new Set([...sent, again].map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(again).toMatchObject({ kind: 'started' });
    expect(Object.values((await stateOf(harness)).payments)).toEqual(['PROCESS/AUTHORIZING']);
  });

  it('redirects to its own payment when that started between two reads', async () => {
    const harness = await paymentHarness();
    const token = harness.form('000000p1');
    const first: unknown[] = [];
    const bills = {
      async find(id: BillId) {
        first.push(await harness.start(token));
        return harness.bills.find(id);
      },
    };
    const sent = { billId, token, sourceIp: '198.51.100.8', browser: ownBrowser, ...page };
    expect(await startPayment({ ...harness, bills }, sent)).toEqual(first[0]);
    expect(first).toMatchObject([{ kind: 'started' }]);
  });

  it('starts one payment of a MULTI bill too', async () => {
    const harness = await paymentHarness({ bill: { type: 'MULTI' } });
    const form = harness.form('payment1');
    await Promise.all(Array.from({ length: 5 }, () => harness.start(form)));
    expect(Object.values((await stateOf(harness)).payments)).toEqual(['PROCESS/AUTHORIZING']);
  });

  it('redirects to the outcome when it is sent again after the payment is done', async () => {
    const harness = await paymentHarness();
    const form = harness.form('000000p1');
    const { id, pay } = await harness.begun('p1');
    await pay(declinedCard);
    await harness.resolve(id);
    expect(await harness.start(form)).toMatchObject({ kind: 'pending', paymentId: id });
    expect(Object.values((await stateOf(harness)).payments)).toEqual(['FAIL/DONE']);
  });

  it('that was signed before a rotation is accepted only while the old secret is', async () => {
    const harness = await paymentHarness();
    const sent = {
      billId,
      token: harness.form('payment1'),
      sourceIp: '198.51.100.8',
      browser: ownBrowser,
      ...page,
    };
    const [old] = await harness.pageSecrets();
    const rotated = (...secrets: readonly string[]) => ({
      ...harness,
      pageSecrets: async (): Promise<PageSecrets> => ['the new secret', ...secrets],
    });
    expect(await startPayment(rotated(), sent)).toEqual({ kind: 'stale_form' });
    expect(await startPayment(rotated(old), sent)).toMatchObject({ kind: 'started' });
  });

  it('without cookies is accepted twice from one network only: a copy from another is refused', async () => {
    const harness = await paymentHarness();
    const sent = (sourceIp: string) =>
      harness.start(harness.form('payment1'), { sourceIp, browser: undefined });
    const started = await sent('198.51.100.7');
    expect(started).toMatchObject({ kind: 'started' });
    expect((await sent('203.0.113.9')).kind).toBe('being_paid');
    expect(await sent('198.51.100.7')).toEqual(started);
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

  it('is stale when the price has changed since it was shown', async () => {
    const harness = await paymentHarness({ bill: { payerPaysCommission: true } });
    expect(await harness.open()).toMatchObject({
      kind: 'payable',
      chargeMinor: 10_251n,
      surchargeMinor: 201n,
    });
    expect(await harness.start(harness.form('payment1', 10_050n))).toEqual({ kind: 'stale_form' });
    expect((await stateOf(harness)).payments).toEqual({});
  });

  it('of another bill, forged or malformed starts no payment', async () => {
    const harness = await paymentHarness();
    const form = harness.form('payment1');
    const [nonce, charge, until, mac] = form.split('.');
    const bad = [
      harness.form('payment1', 10_050n, toBillId('AnotherBill12345')),
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

describe('the attempts of one network', () => {
  const limits = { failuresPerTenMinutes: 2, failuresPerDay: 3 };

  /** A payment whose card is declined. */
  async function fails(harness: PaymentHarness, name: string) {
    const { id, pay } = await harness.begun(name);
    await pay(declinedCard);
    await harness.resolve(id);
  }

  /** A payment whose payer presses Cancel on the card page. */
  async function cancels(harness: PaymentHarness, name: string) {
    const { id, pageUrl } = await harness.begun(name);
    await payer(harness.sandbox.send)(pageUrl, { do: 'abandon' });
    await harness.resolve(id);
  }

  it('that failed throttle it: by the limit per ten minutes, then per day', async () => {
    const harness = await paymentHarness({ limits });
    await fails(harness, 'p1');
    harness.pass(9);
    await fails(harness, 'p2');
    expect(await harness.start(harness.form('000000p3'))).toMatchObject({ kind: 'too_many_attempts' });
    expect(Object.keys((await stateOf(harness)).payments)).toEqual(['p1', 'p2']);

    harness.pass(1);
    await fails(harness, 'p3');
    harness.pass(10);
    expect(await harness.start(harness.form('000000p4'))).toMatchObject({ kind: 'too_many_attempts' });
    harness.pass(24 * 60);
    expect(await harness.start(harness.form('000000p5'))).toMatchObject({ kind: 'started' });
  });

  it('count while they are open, so that no more cards can be tried than may fail', async () => {
    const harness = await paymentHarness({ bill: { type: 'MULTI' }, limits: { openOnMultiBill: 5 } });
    const sent = Array.from({ length: 25 }, (_, at) =>
      harness.start(harness.form(String(at).padStart(8, 'p'))),
    );
    const kinds = (await Promise.all(sent)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'started').length).toBeLessThanOrEqual(5);
    expect(kinds.filter((kind) => kind !== 'started')).toContain('too_many_attempts');
    expect(Object.keys((await stateOf(harness)).payments).length).toBeLessThanOrEqual(5);
  });

  it('allow five open payments on one MULTI bill, and do not count for another network', async () => {
    const harness = await paymentHarness({ bill: { type: 'MULTI' }, limits: { openOnMultiBill: 5 } });
    for (const name of ['p1', 'p2', 'p3', 'p4', 'p5']) await harness.begun(name);
    harness.pass(59);
    expect(await harness.start(harness.form('000000p6'))).toMatchObject({ kind: 'too_many_attempts' });
    expect(await harness.start(harness.form('000000p7'), { sourceIp: '203.0.113.9' })).toMatchObject({
      kind: 'started',
    });
    harness.pass(1);
    expect(await harness.start(harness.form('000000p8'))).toMatchObject({ kind: 'started' });
  });

  it('that start concurrently never exceed the limit together', async () => {
    const limit = { attemptsPerTenMinutes: 4 };
    const harness = await paymentHarness({ bill: { type: 'MULTI' }, limits: limit });
    await harness.begun('p0');
    const sent = Array.from({ length: 12 }, (_, at) =>
      harness.start(harness.form(String(at).padStart(8, 'q'))),
    );
    await Promise.all(sent);
    const started = Object.keys((await stateOf(harness)).payments).length;
    expect(started).toBeGreaterThan(1);
    expect(started).toBeLessThanOrEqual(4);
    expect(Object.keys(await attemptsIn(harness))).toHaveLength(started);
  });

  it('are stored in one item of bounded size', async () => {
    const { attempts } = await paymentHarness();
    const p1 = newPaymentId(billId, 'Payment1');
    const p2 = newPaymentId(billId, 'Payment2');
    const p3 = newPaymentId(billId, 'Payment3');
    const enter = (paymentId: PaymentId, seen = {}) =>
      attempts.enter('a network', { paymentId, now: today, seen, most: 2 });
    await enter(p1);
    expect(await enter(p2)).toEqual({
      [p1]: { state: 'open', at: today },
      [p2]: { state: 'open', at: today },
    });
    expect(await enter(p3)).toBe('full');
    expect(await enter(p2)).toBe('known');
    const old = new Date(today.getTime() - 3600_000);
    expect(await enter(p3, { [p1]: { state: 'open', at: old } })).toEqual({
      [p2]: { state: 'open', at: today },
      [p3]: { state: 'open', at: today },
    });
  });

  it('are counted once, however often the payment is checked', async () => {
    const harness = await paymentHarness({ limits });
    const { id, pay } = await harness.begun('p1');
    await pay(declinedCard);
    await Promise.all(Array.from({ length: 10 }, () => harness.notice(id)));
    expect(await harness.start(harness.form('000000p2'))).toMatchObject({ kind: 'started' });
  });

  it('that the payer cancelled are no failures of the network or the bill', async () => {
    const harness = await paymentHarness({ limits: { ...limits, attemptsPerTenMinutes: 20 } });
    for (let at = 10; at < 22; at += 1) await cancels(harness, `${at}`);
    expect(await stateOf(harness)).toMatchObject({ bill: { status: 'FAIL', failures: 0 } });
    expect(await harness.open()).toMatchObject({ kind: 'payable', failedBefore: false });
    for (let at = 22; at < 30; at += 1) await cancels(harness, `${at}`);
    expect(await harness.start(harness.form('000000p1'))).toMatchObject({ kind: 'too_many_attempts' });
    harness.pass(10);
    expect(await harness.start(harness.form('000000p2'))).toMatchObject({ kind: 'started' });
  });

  it('that fail after an hour, when they have expired as open ones, still count', async () => {
    const harness = await paymentHarness({ limits });
    const { id, pay } = await harness.begun('p1');
    await pay(declinedCard);
    harness.pass(61);
    // The next start removes the expired open attempt and finds at the same time that its card was refused.
    await harness.begun('p2');
    await harness.resolve(id);
    expect(await attemptsIn(harness)).toMatchObject({ p1: { state: 'failed' } });
  });

  it('whose payment was never created are removed', async () => {
    const harness = await paymentHarness({ bill: { payerPaysCommission: true } });
    expect(await harness.start(harness.form('payment1', 10_050n))).toEqual({ kind: 'stale_form' });
    expect(await attemptsIn(harness)).toEqual({});
  });

  it('do not block another payer of the same bill', async () => {
    const harness = await paymentHarness({ limits });
    await fails(harness, 'p1');
    await fails(harness, 'p2');
    expect(await harness.start(harness.form('000000p3'), { sourceIp: '203.0.113.9' })).toMatchObject({
      kind: 'started',
    });
  });

  it('are shared by the addresses of one IPv6 network', async () => {
    const harness = await paymentHarness({ limits });
    for (const name of ['p1', 'p2']) {
      const form = harness.form(`000000${name}`);
      const sourceIp = `2001:db8::1:${name === 'p1' ? 1 : 2}`;
      const started = await harness.start(form, { sourceIp });
      if (started.kind !== 'started') throw new Error(started.kind);
      await harness.sandbox.pay(started.pageUrl, { number: declinedCard, expiry: '12/34', cvc: '123' });
      await harness.resolve(toPaymentId(`BillBillBillBill00000000${name}`));
    }
    expect(await harness.start(harness.form('000000p3'), { sourceIp: '2001:db8::ffff' })).toMatchObject({
      kind: 'too_many_attempts',
    });
    expect(await harness.start(harness.form('000000p3'), { sourceIp: '2001:db8:0:1::1' })).toMatchObject({
      kind: 'started',
    });
  });

  it('that succeed do not count: thirty payments may be made from one address', async () => {
    const harness = await paymentHarness({
      bill: { type: 'MULTI' },
      limits: { ...limits, attemptsPerTenMinutes: 2, openOnMultiBill: 1 },
    });
    for (let at = 10; at < 40; at += 1) {
      const { id, pay } = await harness.begun(`${at}`);
      await pay();
      await harness.resolve(id);
    }
    expect((await stateOf(harness)).entries).toHaveLength(30);
    expect(await attemptsIn(harness)).toEqual({});
  });

  it('store neither address nor card number', async () => {
    const harness = await paymentHarness({ limits });
    await fails(harness, 'p1');
    const everything = JSON.stringify(await itemsOf(harness.table));
    expect(everything).not.toContain('198.51.100');
    expect(everything).not.toContain(declinedCard);
  });
});

/** The stored attempts of the only network, by the last two characters of the payment ids. */
async function attemptsIn(harness: PaymentHarness) {
  const networks = (await itemsOf(harness.table)).filter(({ PK }) => PK.startsWith('RL#'));
  const attempts = networks.flatMap(({ open, failed }) =>
    [open, failed].flatMap((map) => Object.entries(map ?? {})),
  );
  return Object.fromEntries(attempts.map(([id, attempt]) => [id.slice(-2), attempt]));
}
