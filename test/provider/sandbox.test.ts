import { describe, expect, it } from 'vitest';
import { type PaymentId, toPaymentId } from '../../lib/ids.ts';
import { sandboxRail } from '../../lib/provider/sandbox-rail.ts';
import { aTransfer } from '../support/rail.ts';
import { aCard, aSandbox, sandboxSecret, sandboxUrl } from '../support/sandbox.ts';
import { ordersAt } from '../support/sandbox-orders.ts';

const bearer = { authorization: `Bearer ${sandboxSecret}` };

describe('sandbox authentication', () => {
  it.each([{}, { authorization: 'Bearer another' }, { authorization: sandboxSecret }])(
    'refuses a server without the secret: %j',
    async (headers) => {
      const { send } = await aSandbox();
      for (const path of ['books', 'acquirer/orders/payment-1', 'rail/transfers/payout-1']) {
        expect((await send(`${sandboxUrl}/${path}`, { headers })).status).toBe(401);
      }
    },
  );

  it.each([
    ['GET', 'nothing'],
    ['GET', 'acquirer'],
    ['PUT', 'acquirer/orders'],
    ['POST', 'statement'],
    ['GET', 'control/orders/sbx1'],
    ['GET', 'acquirer/orders/payment-1/capture'],
    ['POST', 'acquirer/orders/payment-1'],
    ['POST', 'acquirer/orders/payment-1/steal'],
    ['POST', 'acquirer/orders/payment-1/refund'],
    ['GET', 'rail/transfers'],
    ['POST', 'rail/transfers/payout-1'],
    ['POST', 'books'],
  ])('%s %s is not found', async (method, path) => {
    const { send } = await aSandbox();
    const answer = await send(`${sandboxUrl}/${path}`, { method, headers: bearer });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ error: 'not_found' });
  });

  it.each([
    ['acquirer/orders', ''],
    ['acquirer/orders', '{"paymentId":"payment-1"}'],
    ['acquirer/orders/payment-1/capture', '{"amountMinor":0}'],
    ['acquirer/orders/sbx1/cancel', ''],
    ['acquirer/orders/sbx1/refunds', '{"amountMinor":1}'],
    ['rail/transfers', '{"amountMinor":1.5}'],
  ])('%s refuses the body %j', async (path, body) => {
    const { send } = await aSandbox();
    const answer = await send(`${sandboxUrl}/${path}`, { method: 'POST', headers: bearer, body });
    expect(answer.status).toBe(422);
  });

  it('refuses an order whose return URL is not a web page', async () => {
    const { send } = await aSandbox();
    const order = {
      paymentId: 'payment-1',
      amountMinor: 100,
      currency: 'RUB',
      description: '',
      returnUrl: 'javascript:alert(1)',
      notifyUrl: 'https://shop.test/',
      steps: 'two',
    };
    const body = JSON.stringify(order);
    const answer = await send(`${sandboxUrl}/acquirer/orders`, { method: 'POST', headers: bearer, body });
    expect(answer.status).toBe(422);
  });
});

const one = toPaymentId('BillBillBillBill00Payment1');
const two = toPaymentId('BillBillBillBill00Payment2');
const three = toPaymentId('BillBillBillBill00Payment3');

describe('the books of the sandbox', () => {
  it('contain the amounts of each payment and transfer, and their totals', async () => {
    const sandbox = await aSandbox();
    const { open, refund } = ordersAt(sandbox.send, { steps: 'one' });
    const rail = sandboxRail({ url: sandboxUrl, secret: sandboxSecret, fetch: sandbox.send });
    const paid = async (id: PaymentId, amountMinor: bigint, currency: 'RUB' | 'KZT') => {
      const { pageUrl, known } = await open({ paymentId: id, amountMinor, currency });
      await sandbox.pay(pageUrl, aCard);
      return known;
    };
    await paid(one, 1000n, 'RUB');
    await refund(await paid(two, 2000n, 'RUB'));
    await paid(three, 3000n, 'KZT');
    const destination = { type: 'sbp', phone: '79161234567', bankId: undefined } as const;
    const [first, second] = [aTransfer(1), aTransfer(2)];
    await rail.send({ ...first, amountMinor: 500n, currency: 'RUB', destination });
    await rail.send({ ...second, amountMinor: 700n, currency: 'EUR', destination });

    const { acquirer: taken, rail: sent } = await sandbox.books();
    expect(taken.orders).toEqual([
      { paymentId: one, currency: 'RUB', captured: 1000, refunded: 0 },
      { paymentId: two, currency: 'RUB', captured: 2000, refunded: 2000 },
      { paymentId: three, currency: 'KZT', captured: 3000, refunded: 0 },
    ]);
    expect(taken.totals).toEqual([
      { currency: 'RUB', captured: 3000, refunded: 2000 },
      { currency: 'KZT', captured: 3000, refunded: 0 },
    ]);
    expect(sent.transfers).toEqual([
      { key: first.payoutId, currency: 'RUB', paidOut: 500 },
      { key: second.payoutId, currency: 'EUR', paidOut: 700 },
    ]);
    expect(sent.totals).toEqual([
      { currency: 'RUB', paidOut: 500 },
      { currency: 'EUR', paidOut: 700 },
    ]);
  });
});
