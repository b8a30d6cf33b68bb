import { describe, expect, it, onTestFinished } from 'vitest';
import { payBill, sbp } from '../../lib/cli/payer.ts';
import { aReceiver } from '../support/receiver.ts';
import { aShop } from '../support/yookassa-shop.ts';

/** A shop whose return page is this service's last page, and a payment of it at the emulator. */
async function aPayment(fields: object = {}) {
  const returned = await aReceiver((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      '<main data-page="hand-off" data-outcome="paid"><form method="post"><button></button></form></main>',
    );
  });
  onTestFinished(() => returned[Symbol.asyncDispose]());
  const shop = await aShop();
  const confirmation = { type: 'redirect', return_url: returned.url };
  const { id, page } = await shop.create({ confirmation, ...fields });
  return {
    status: async () => (await shop.get(id)).status,
    pay: (means: string) => payBill(new URL(page), means),
  };
}

describe('the scripted payer at the YooKassa emulator', () => {
  it.each([
    ['a card', '5555555555554444', {}],
    ['a card with 3-D Secure', '5555555555554477', {}],
    ['SBP', sbp, {}],
    ['SBP that the shop chose', sbp, { payment_method_data: { type: 'sbp' } }],
  ])('pays with %s', async (_means, means, fields) => {
    const { pay, status } = await aPayment(fields);
    expect(await pay(means)).toMatchObject({ status: 'SUCCESS', shopAnswered: 200 });
    expect(await status()).toBe('succeeded');
  });

  it('ends at the shop with a card that is refused', async () => {
    const { pay, status } = await aPayment();
    await pay('5555555555554592');
    expect(await status()).toBe('canceled');
  });

  it.each([
    ['a card where the shop chose SBP', '5555555555554444', 'sbp', 'pay with --sbp'],
    ['SBP where the shop chose cards', sbp, 'bank_card', 'pay with --card'],
  ])('says what to do instead of %s', async (_means, means, type, advice) => {
    const { pay, status } = await aPayment({ payment_method_data: { type } });
    await expect(pay(means)).rejects.toMatchObject({
      code: 'method_not_offered',
      message: expect.stringContaining(advice),
    });
    expect(await status()).toBe('pending');
  });

  it('says that the page refuses a card, and why', async () => {
    const { pay } = await aPayment();
    await expect(pay('4242424242424242')).rejects.toMatchObject({
      code: 'card_refused',
      message: expect.stringContaining('принимает только тестовые карты'),
    });
  });
});

describe('the scripted payer at the payment page', () => {
  it.each([
    [
      'says why',
      '<p role="status">The payment service refused to start the payment.</p>',
      'The page says: The payment service refused to start the payment.',
    ],
    ['says nothing', '', 'The payment page refused its own form: pay again.'],
  ])('ends with what a page says that did not start the payment: it %s', async (_page, note, sentence) => {
    const page = await aReceiver((_request, response) => {
      response.setHeader('content-type', 'text/html');
      const button = '<form method="post"><button name="method" value="card">Pay</button></form>';
      response.end(`<main data-page="payment" data-outcome="payable">${note}${button}</main>`);
    });
    onTestFinished(() => page[Symbol.asyncDispose]());
    await expect(payBill(new URL(page.url), '4111111111111111')).rejects.toThrow(sentence);
  });
});
