import { describe, expect, it } from 'vitest';
import { anEmulator, aPaymentBody, aPayoutBody, rub } from '../../support/yookassa-emulator.ts';

const tooMany = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`key${index}`, 'value']));
const confirmation = aPaymentBody.confirmation;

/** The vendor's error body of a refused request. */
const refusal = (parameter: string) => ({
  status: 400,
  body: {
    type: 'error',
    id: expect.any(String),
    code: 'invalid_request',
    description: expect.any(String),
    parameter,
  },
});

describe('the YooKassa emulator refuses', () => {
  it.each<readonly [string, Readonly<Record<string, unknown>>, string]>([
    ['a payment without an amount', { amount: undefined }, 'amount'],
    ['an amount that is a number', { amount: { value: 100, currency: 'RUB' } }, 'amount.value'],
    ['an amount without kopecks', { amount: rub('100') }, 'amount.value'],
    ['an amount with three places', { amount: rub('100.000') }, 'amount.value'],
    ['an amount with a comma', { amount: rub('100,00') }, 'amount.value'],
    ['a negative amount', { amount: rub('-1.00') }, 'amount.value'],
    ['a currency that does not exist', { amount: { value: '1.00', currency: 'RUR' } }, 'amount.currency'],
    [
      'a currency other than the account’s',
      { amount: { value: '1.00', currency: 'USD' } },
      'amount.currency',
    ],
    ['less than a rouble', { amount: rub('0.99') }, 'amount.value'],
    [
      'a card payment above its limit',
      { amount: rub('350000.01'), payment_method_data: { type: 'bank_card' } },
      'amount.value',
    ],
    [
      'an SBP payment above its limit',
      { amount: rub('700000.01'), payment_method_data: { type: 'sbp' } },
      'amount.value',
    ],
    ['SBP in two steps', { capture: false, payment_method_data: { type: 'sbp' } }, 'capture'],
    [
      'SBP without a word about the steps',
      { capture: undefined, payment_method_data: { type: 'sbp' } },
      'capture',
    ],
    ['a method that does not exist', { payment_method_data: { type: 'barter' } }, 'payment_method_data.type'],
    [
      'a method that the shop does not have',
      { payment_method_data: { type: 'cash' } },
      'payment_method_data.type',
    ],
    ['a payment without a confirmation', { confirmation: undefined }, 'confirmation'],
    [
      'a confirmation of no known type',
      { confirmation: { ...confirmation, type: 'wish' } },
      'confirmation.type',
    ],
    [
      'a confirmation that the shop does not have',
      { confirmation: { type: 'embedded' } },
      'confirmation.type',
    ],
    ['a redirect without a return URL', { confirmation: { type: 'redirect' } }, 'confirmation.return_url'],
    [
      'a return URL that is none',
      { confirmation: { type: 'redirect', return_url: 'shop.example' } },
      'confirmation.return_url',
    ],
    [
      'a return URL of 2049 characters',
      { confirmation: { type: 'redirect', return_url: `https://shop.example/${'a'.repeat(2028)}` } },
      'confirmation.return_url',
    ],
    [
      'a locale that does not exist',
      { confirmation: { ...confirmation, locale: 'ru' } },
      'confirmation.locale',
    ],
    ['a description of 129 characters', { description: 'я'.repeat(129) }, 'description'],
    ['17 keys of metadata', { metadata: tooMany }, 'metadata'],
    [
      'a metadata key of 33 characters',
      { metadata: { ['k'.repeat(33)]: 'v' } },
      `metadata.${'k'.repeat(33)}`,
    ],
    ['a metadata value of 513 characters', { metadata: { key: 'v'.repeat(513) } }, 'metadata.key'],
    ['a metadata value that is a number', { metadata: { key: 1 } }, 'metadata.key'],
    ['a customer id of 201 characters', { merchant_customer_id: 'c'.repeat(201) }, 'merchant_customer_id'],
    ['a capture flag that is text', { capture: 'true' }, 'capture'],
    ['a payment token', { payment_token: 'token' }, 'payment_token'],
    ['a saved payment method', { payment_method_id: 'id' }, 'payment_method_id'],
    ['split payments', { transfers: [] }, 'transfers'],
  ])('%s', async (_what, change, parameter) => {
    const { post, world } = await anEmulator();
    expect(await post('/payments', { ...aPaymentBody, ...change })).toEqual(refusal(parameter));
    expect(world.state.payments.size).toBe(0);
  });

  it.each<readonly [string, Readonly<Record<string, unknown>>, string]>([
    ['saving a payment method', { save_payment_method: true }, 'save_payment_method'],
    [
      'card data of the shop’s own form',
      { payment_method_data: { type: 'bank_card', card: { number: '4111111111111111' } } },
      'payment_method_data.card',
    ],
  ])('%s, for which the shop has no right', async (_what, change, parameter) => {
    const { post } = await anEmulator();
    expect(await post('/payments', { ...aPaymentBody, ...change })).toMatchObject({
      status: 403,
      body: { code: 'forbidden', parameter },
    });
  });

  it.each<readonly [string, unknown, string]>([
    ['a body that is not JSON', '{"amount":', 'body'],
    ['a body that is a list', [], 'body'],
    ['a body that is text', '"text"', 'body'],
  ])('%s', async (_what, body, parameter) => {
    const { post } = await anEmulator();
    expect(await post('/payments', body)).toEqual(refusal(parameter));
  });

  it.each([
    ['without a key', ''],
    ['with a key of 65 characters', 'k'.repeat(65)],
    ['with a colon in the key', 'payment:1'],
    ['with a space in the key', 'payment 1'],
    ['with a slash in the key', 'payment/1'],
  ])('a POST %s', async (_what, key) => {
    const { post } = await anEmulator();
    expect(await post('/payments', aPaymentBody, { key })).toEqual(refusal('Idempotence-Key'));
  });

  it('nothing in a key of 64 letters, digits, hyphens, underscores, dots and pluses', async () => {
    const { post } = await anEmulator();
    const key = 'aZ0-_.+'.padEnd(64, 'x');
    expect((await post('/payments', aPaymentBody, { key })).status).toBe(200);
  });

  it.each([
    ['no credentials', { authorization: '' }],
    ['a bearer token', { authorization: 'Bearer token' }],
    ['an unknown shop', { authorization: `Basic ${btoa('1:test_key')}` }],
    ['credentials without a colon', { authorization: `Basic ${btoa('100500')}` }],
  ])('%s', async (_what, headers) => {
    const { call } = await anEmulator();
    expect(await call('GET', '/payments', undefined, { headers })).toMatchObject({
      status: 401,
      body: { type: 'error', code: 'invalid_credentials', parameter: 'Authorization' },
    });
  });

  it('the gateway’s credentials for payments, and the shop’s for payouts', async () => {
    const { call, shopId, secretKey, gatewayId, gatewaySecretKey } = await anEmulator();
    const asShop = { headers: { authorization: `Basic ${btoa(`${shopId}:${secretKey}`)}` } };
    const asGateway = { headers: { authorization: `Basic ${btoa(`${gatewayId}:${gatewaySecretKey}`)}` } };
    const forbidden = { status: 403, body: { type: 'error', code: 'forbidden' } };
    expect(await call('GET', '/payments', undefined, asGateway)).toMatchObject(forbidden);
    expect(await call('POST', '/payments', aPaymentBody, asGateway)).toMatchObject(forbidden);
    expect(await call('POST', '/payouts', aPayoutBody, asShop)).toMatchObject(forbidden);
    expect(await call('GET', '/sbp_banks', undefined, asShop)).toMatchObject(forbidden);
    const mixed = { headers: { authorization: `Basic ${btoa(`${shopId}:${gatewaySecretKey}`)}` } };
    expect((await call('GET', '/me', undefined, mixed)).status).toBe(401);
  });

  it.each(['application/x-www-form-urlencoded', 'text/plain', 'application/jsonp'])(
    'the content type %s',
    async (type) => {
      const { post, world } = await anEmulator();
      const answer = await post('/payments', aPaymentBody, { headers: { 'content-type': type } });
      expect(answer).toMatchObject({ status: 415, body: { type: 'error' } });
      expect(world.state.payments.size).toBe(0);
    },
  );

  it('nothing in a content type with a charset, nor in a cancel without a body', async () => {
    const { aPayment, payer, post, call } = await anEmulator();
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    expect((await post('/payments', aPaymentBody, { headers })).status).toBe(200);
    const id = await aPayment({ capture: false });
    payer.byCard(id);
    expect((await call('POST', `/payments/${id}/cancel`)).body.status).toBe('canceled');
  });

  it.each([
    ['PUT', '/payments'],
    ['DELETE', '/payments'],
    ['GET', '/payments/1da5c87d-0984-50e8-a7f3-8de646dd9ec9/cancel'],
    ['POST', '/payments/1da5c87d-0984-50e8-a7f3-8de646dd9ec9'],
    ['POST', '/me'],
  ])('the method of %s %s', async (method, path) => {
    const { call } = await anEmulator();
    expect(await call(method, path)).toMatchObject({ status: 405, body: { type: 'error' } });
  });

  it.each(['/payment', '/payments/', '/invoices'])('the path %s', async (path) => {
    const { get } = await anEmulator();
    expect(await get(path)).toMatchObject({ status: 404, body: { type: 'error', code: 'not_found' } });
  });

  const unknown = '1da5c87d-0984-50e8-a7f3-8de646dd9ec9';
  it.each([
    ['GET', `/payments/${unknown}`, 'payment_id'],
    ['POST', `/payments/${unknown}/capture`, 'payment_id'],
    ['POST', `/payments/${unknown}/cancel`, 'payment_id'],
    ['GET', `/refunds/${unknown}`, 'refund_id'],
    ['GET', `/payouts/po-${unknown}`, 'payout_id'],
  ])('%s %s of an object that does not exist', async (method, path, parameter) => {
    const { call } = await anEmulator();
    expect(await call(method, path, method === 'POST' ? {} : undefined)).toMatchObject({
      status: 404,
      body: { code: 'not_found', parameter },
    });
  });

  it.each([
    ['/payments/short', 'payment_id'],
    ['/refunds/short', 'refund_id'],
    ['/payouts/short', 'payout_id'],
  ])('%s as an id of the wrong length', async (path, parameter) => {
    const { get } = await anEmulator();
    expect(await get(path)).toEqual(refusal(parameter));
  });

  it('a capture or a cancel of what is not held, in each status', async () => {
    const { aPayment, payer, post, advance } = await anEmulator();
    const [pending, succeeded, canceled] = [await aPayment(), await aPayment(), await aPayment()];
    payer.byCard(succeeded);
    payer.byCard(canceled, '5555555555554600');
    for (const id of [pending, succeeded, canceled]) {
      for (const action of ['capture', 'cancel'])
        expect(await post(`/payments/${id}/${action}`)).toEqual(refusal('payment_id'));
    }
    const held = await aPayment({ capture: false });
    payer.byCard(held);
    advance(8 * 24 * 3_600_000);
    expect(await post(`/payments/${held}/capture`)).toEqual(refusal('payment_id'));
  });

  it.each([
    ['more than was authorized', rub('1000.01'), 'amount.value'],
    ['less than a rouble', rub('0.99'), 'amount.value'],
    ['in another currency', { value: '10.00', currency: 'USD' }, 'amount.currency'],
  ])('a capture of %s', async (_what, amount, parameter) => {
    const { aPayment, payer, post, get } = await anEmulator();
    const id = await aPayment({ capture: false });
    payer.byCard(id);
    expect(await post(`/payments/${id}/capture`, { amount })).toEqual(refusal(parameter));
    expect((await get(`/payments/${id}`)).body.status).toBe('waiting_for_capture');
  });

  it.each<readonly [string, Readonly<Record<string, unknown>>, string]>([
    ['a payout without a destination', { payout_destination_data: undefined }, 'payout_destination_data'],
    [
      'a destination of no known type',
      { payout_destination_data: { type: 'cash' } },
      'payout_destination_data.type',
    ],
    [
      'a phone number with a plus',
      { payout_destination_data: { type: 'sbp', phone: '+79000000000', bank_id: '100000000111' } },
      'payout_destination_data.phone',
    ],
    [
      'a bank id of eleven digits',
      { payout_destination_data: { type: 'sbp', phone: '79000000000', bank_id: '10000000011' } },
      'payout_destination_data.bank_id',
    ],
    [
      'a bank that does not take part in SBP',
      { payout_destination_data: { type: 'sbp', phone: '79000000000', bank_id: '999999999999' } },
      'payout_destination_data.bank_id',
    ],
    [
      'a card number of 15 digits',
      { payout_destination_data: { type: 'bank_card', card: { number: '411111111111111' } } },
      'payout_destination_data.card.number',
    ],
    [
      'a card number with spaces',
      { payout_destination_data: { type: 'bank_card', card: { number: '4111 1111 1111 1111' } } },
      'payout_destination_data.card.number',
    ],
    [
      'a wallet of ten digits',
      { payout_destination_data: { type: 'yoo_money', account_number: '4100161457' } },
      'payout_destination_data.account_number',
    ],
    ['a payout of less than a rouble', { amount: rub('0.50') }, 'amount.value'],
    ['a payout through SBP above its limit', { amount: rub('500000.01') }, 'amount.value'],
    [
      'a payout to a card above its limit',
      {
        amount: rub('150000.01'),
        payout_destination_data: { type: 'bank_card', card: { number: '5555555555554444' } },
      },
      'amount.value',
    ],
    ['a payout in another currency', { amount: { value: '10.00', currency: 'USD' } }, 'amount.currency'],
    ['a description of 129 characters', { description: 'd'.repeat(129) }, 'description'],
    ['a payout token', { payout_token: 'token' }, 'payout_token'],
    ['personal data that were not stored', { personal_data: [{ id: 'pd-1' }] }, 'personal_data'],
  ])('%s', async (_what, change, parameter) => {
    const { post, world } = await anEmulator();
    expect(await post('/payouts', { ...aPayoutBody, ...change })).toEqual(refusal(parameter));
    expect(world.state.payouts.size).toBe(0);
  });

  it('no field that it does not know, as the vendor', async () => {
    const { post } = await anEmulator();
    const body = { ...aPaymentBody, refundable: false, test: true, confirmation: { ...confirmation, x: 1 } };
    expect((await post('/payments', body)).status).toBe(200);
  });
});
