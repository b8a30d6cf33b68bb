import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payBill } from '../../lib/cli/payer.ts';
import { balanceOf, cards, get, newBill, paid, post } from '../support/merchant-calls.ts';
import { aMerchantServer, isGenuine, md5Of, type MerchantServer } from '../support/merchant-server.ts';
import { sandboxBooks } from '../support/sandbox-books.ts';
import { type Operator, operatorAt } from '../support/stack-operator.ts';
import { type Stack, startStack } from '../support/stack.ts';

let server: MerchantServer;
let stack: Stack;
let operator: Operator;

beforeAll(async () => {
  server = await aMerchantServer();
  stack = await startStack({ urls: server.urls });
  operator = await operatorAt(stack);
}, 120_000);

afterAll(async () => {
  await operator.leave();
  await stack.stop();
  await server.close();
});

/** What the balance grew by, in minor units, and what `work` answered. */
async function credited<T>(currency: string, work: () => Promise<T>): Promise<readonly [number, T]> {
  const before = await balanceOf(stack.demo, currency);
  const answer = await work();
  const after = await balanceOf(stack.demo, currency);
  return [Math.round(Number(after.available) * 100 - Number(before.available) * 100), answer];
}

/** The postback with these fields; both its signatures are right. */
async function heard(about: Readonly<Record<string, string>>) {
  const postback = await server.postback('result', about);
  isGenuine(postback, stack.demo);
  return postback;
}

const movedFor = async (paymentId: string) =>
  (await sandboxBooks(stack)).orders.find((order) => order.paymentId === paymentId);

describe('the main job over HTTP', () => {
  it('creates a bill, takes its payment, books 98 % of it, and sends the shop a postback with valid signatures', async () => {
    const { demo } = stack;
    const custom = 'к\u0301 & "x"\r\n';
    const bill = await newBill(demo, { amount: '100.50', order_id: 'main', custom });
    expect(await get(demo, 'bill/status', { id: bill.billId })).toMatchObject({
      status: 200,
      body: { status: 'NEW', amount: 100.5, type: 'NORMAL', currency_in: 'RUB', active: true },
    });

    const [credit, journey] = await credited('RUB', () => payBill(bill.page, cards.pays));

    // 2 % of 100.50 is 2.01.
    expect(credit).toBe(9849);
    expect(journey).toMatchObject({ status: 'SUCCESS', sentTo: server.url('success'), shopAnswered: 200 });
    const SignatureValue = md5Of('100.50', 'main', demo.apiToken);
    expect(journey.fields).toMatchObject({
      InvId: 'main',
      OutSum: '100.50',
      CurrencyIn: 'RUB',
      SignatureValue,
    });
    const { paymentId } = journey;
    const postback = await heard({ InvId: 'main' });
    expect(postback.headers['webhook-id']).toBe(`pay.${paymentId}.SUCCESS`);
    expect(postback.fields).toEqual({
      InvId: 'main',
      OutSum: '100.50',
      Commission: '2.01',
      TrsId: paymentId,
      Status: 'SUCCESS',
      CurrencyIn: 'RUB',
      custom,
      SignatureValue,
    });
    expect(await get(demo, 'payment/status', { id: paymentId })).toMatchObject({
      status: 200,
      body: {
        success: true,
        bill_id: bill.billId,
        status: 'SUCCESS',
        amount: 100.5,
        amount_received: 100.5,
        from_card: '411111******1111',
      },
    });
    expect((await get(demo, 'bill/payments', { id: bill.billId })).body['data']).toHaveLength(1);
    expect(await movedFor(paymentId)).toMatchObject({ captured: 10050, refunded: 0 });
  });

  it('redirects a declined card to the Fail URL and the next card to the Success URL, with a postback for each', async () => {
    const bill = await newBill(stack.demo, { order_id: 'twice', amount: '300' });

    const first = await payBill(bill.page, cards.isDeclined);
    expect(first).toMatchObject({ status: 'FAIL', sentTo: server.url('fail') });
    const failed = await heard({ InvId: 'twice', Status: 'FAIL' });
    expect(failed.fields).toMatchObject({ OutSum: '300.00', TrsId: first.paymentId });
    expect((await get(stack.demo, 'bill/status', { id: bill.billId })).body).toMatchObject({
      status: 'FAIL',
    });
    const second = await payBill(bill.page, cards.asksFor3ds);

    expect(second).toMatchObject({ status: 'SUCCESS', sentTo: server.url('success') });
    expect((await heard({ InvId: 'twice', Status: 'SUCCESS' })).fields['TrsId']).toBe(second.paymentId);
    expect(await movedFor(first.paymentId)).toBeUndefined();
    await expect(payBill(bill.page, cards.pays)).rejects.toMatchObject({ code: 'paid' });
  });

  it.each([
    ['less', cards.paysLess, 'UNDERPAID', 900, 88_200],
    ['more', cards.paysMore, 'OVERPAID', 1100, 107_800],
  ])('books the received amount when the card held %s', async (orderId, card, status, received, credit) => {
    const [booked, journey] = await credited('RUB', () => paid(stack.demo, { order_id: orderId }, card));

    expect(booked).toBe(credit);
    expect(journey).toMatchObject({ status, sentTo: server.url('success') });
    const { fields } = await heard({ InvId: orderId });
    expect(fields).toMatchObject({ Status: status, OutSum: `${received}.00` });
    expect((await get(stack.demo, 'payment/status', { id: journey.paymentId })).body).toMatchObject({
      status,
      amount: 1000,
      amount_received: received,
    });
    expect(await movedFor(journey.paymentId)).toMatchObject({ captured: received * 100 });
  });

  it('gives the merchant the whole amount where the payer pays the fee', async () => {
    const asked = { amount: '10.01', currency_in: 'EUR', payer_pays_commission: '1', order_id: 'fee' };
    const [credit, { paymentId }] = await credited('EUR', () => paid(stack.demo, asked));

    // 2 % of 10.01 is 0.2002, rounded to 0.20.
    expect(credit).toBe(1001);
    expect((await heard({ InvId: 'fee' })).fields).toMatchObject({ OutSum: '10.01', Commission: '0.20' });
    expect(await movedFor(paymentId)).toMatchObject({ captured: 1021 });
  });

  it('refuses tenge without a rate, and settles them in roubles with one', async () => {
    const asked = { amount: '1000.01', currency_in: 'KZT', shop_id: stack.demo.shopId, order_id: 'tenge' };
    expect(await post(stack.demo, 'bill/create', asked)).toMatchObject({
      status: 403,
      body: { success: false, message: 'api:error.no_payout' },
    });

    await operator.json('rates set KZT RUB 0.17');
    const [credit] = await credited('RUB', () => paid(stack.demo, asked));

    // 1000.01 at 0.17 is 170.0017 roubles; 2 % of 170.00 is 3.40.
    expect(credit).toBe(16_660);
    const { fields } = await heard({ InvId: 'tenge' });
    expect(fields).toMatchObject({ CurrencyIn: 'KZT', OutSum: '1000.01', Commission: '20.00' });
  });

  it('takes any number of payments on a MULTI bill, and none while it is switched off', async () => {
    const bill = await newBill(stack.demo, { type: 'multi', amount: '5', order_id: 'many' });
    const pay = () => payBill(bill.page, cards.pays);
    const [credit] = await credited('RUB', () => Promise.all([pay(), pay(), pay()]));
    expect(credit).toBe(3 * 490);

    const off = await post(stack.demo, 'bill/toggle_activity', { id: bill.billId, active: '0' });

    expect(off.body).toMatchObject({ success: true, active: false, activity: 'false', status: 'SUCCESS' });
    await expect(pay()).rejects.toMatchObject({ code: 'switched_off' });
  });

  it('sends JSON to a shop that is set to it, signed over the exact bytes', async () => {
    await operator.json(`shop set ${stack.demo.shopId} --postback-format json`);
    const { paymentId } = await paid(stack.demo, { amount: '7', custom: '{"a":1}' });

    const { fields, headers } = await heard({ TrsId: paymentId });
    expect(headers['content-type']).toBe('application/json');
    expect(fields).toMatchObject({ InvId: '', OutSum: '7.00', Status: 'SUCCESS', custom: '{"a":1}' });
  });

  it('makes no call that its roles do not allow, and its books balance to the kopeck', async () => {
    expect(stack.refusals()).toEqual([]);
    expect(await operator.json('audit')).toMatchObject({ agrees: true, differences: [] });
  });
});
