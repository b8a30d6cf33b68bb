import { describe, expect, it } from 'vitest';
import { anEmulator, aPaymentBody, aPayoutBody, rub } from '../../support/yookassa-emulator.ts';

/** The headers that published clients of the real API send, besides authorization and key. */
const clients = [
  {
    client: 'axios',
    headers: {
      accept: 'application/json, text/plain, */*',
      'content-type': 'application/json;charset=utf-8',
      'user-agent': 'axios/0.21.4',
    },
  },
  {
    client: 'requests',
    headers: {
      accept: '*/*',
      'accept-encoding': 'gzip, deflate',
      'content-type': 'application/json',
      'user-agent': 'python-requests/2.32.0',
      'ym-user-agent': 'Linux/6.1 Python/3.11 YooKassa.Python/3.13.0',
    },
  },
  {
    client: 'curl of PHP',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'ym-user-agent': 'Linux/6.1 PHP/8.3 YooKassa.PHP/3.8.0',
    },
  },
];

describe('the YooKassa emulator serves clients of the real API', () => {
  it.each(clients)('with the headers of $client', async ({ headers }) => {
    const { call, payer, post } = await anEmulator();
    const keyed = { headers };
    const created = await post('/payments', { ...aPaymentBody, capture: false }, keyed);
    const id = created.body.id ?? '';
    payer.byCard(id);
    expect((await post(`/payments/${id}/cancel`, {}, keyed)).body.status).toBe('canceled');
    expect((await call('GET', `/payments/${id}`, undefined, { headers })).status).toBe(200);
  });

  it.each([
    ['unencoded', 'created_at.gte=2021-01-27T13:58:02.977Z'],
    ['with encoded colons', 'created_at.gte=2021-01-27T13%3A58%3A02.977Z'],
    ['with an offset', 'created_at.gte=2021-01-27T16%3A58%3A02.977%2B03%3A00'],
    ['with microseconds', 'created_at.gte=2021-01-27T13%3A58%3A02.977123%2B00%3A00'],
    ['without a fraction', 'created_at.gte=2021-01-27T13%3A58%3A02Z'],
    ['with parameters that it does not know', 'created_at.gte=2021-01-27T13:58:02Z&sort=asc'],
  ])('with a time %s', async (_how, query) => {
    const { aPayment, get } = await anEmulator();
    const id = await aPayment();
    expect(await get(`/payments?${query}&limit=100`)).toMatchObject({
      status: 200,
      body: { items: [{ id }] },
    });
  });

  it('that send null for what they leave out', async () => {
    const { post } = await anEmulator();
    const { status } = await post('/payouts', { ...aPayoutBody, payout_token: null, deal: null });
    expect(status).toBe(200);
    const metadata = { order: null };
    const { body } = await post('/payments', { ...aPaymentBody, description: null, receipt: null, metadata });
    expect(body).toMatchObject({ status: 'pending', metadata });
    expect(await post('/payments', { ...aPaymentBody, amount: null })).toMatchObject({
      status: 400,
      body: { description: 'Missing required parameter amount', parameter: 'amount' },
    });
  });

  it('that send one decimal in amounts of payments and refunds, but not of payouts', async () => {
    const { aPayment, payer, post } = await anEmulator();
    const id = await aPayment({ amount: rub('100.0'), capture: false });
    payer.byCard(id);
    expect(await post(`/payments/${id}/capture`, { amount: rub('99.5') })).toMatchObject({
      status: 200,
      body: { amount: rub('99.50') },
    });
    expect(await post('/refunds', { payment_id: id, amount: rub('1.5') })).toMatchObject({
      status: 200,
      body: { amount: rub('1.50') },
    });
    expect(await post('/payouts', { ...aPayoutBody, amount: rub('169.0') })).toMatchObject({
      status: 400,
      body: { parameter: 'amount.value' },
    });
  });

  it('in UTF-8', async () => {
    const { post, get } = await anEmulator();
    const description = 'Заказ № 72 — «Книга» 📚';
    const { body } = await post('/payments', { ...aPaymentBody, description });
    expect((await get(`/payments/${body.id}`)).body).toMatchObject({ description });
  });
});
