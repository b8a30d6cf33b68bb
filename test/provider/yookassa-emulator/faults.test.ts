import { describe, expect, it } from 'vitest';
import { anEmulator, aPaymentBody, aPayoutBody, days, hours, rub } from '../../support/yookassa-emulator.ts';

type TestEmulator = Awaited<ReturnType<typeof anEmulator>>;

const aPaymentOf = (value: string) => ({ ...aPaymentBody, amount: rub(value) });
const internalError = { status: 500, body: { type: 'error', code: 'internal_server_error' } };

/** The three calls that create something, each with an amount that ends with these kopecks. */
const creations = [
  {
    path: '/payments',
    body: async (_emulator: TestEmulator, kopecks: string) => aPaymentOf(`7700.${kopecks}`),
    count: ({ world }: TestEmulator) => world.state.payments.size,
  },
  {
    path: '/refunds',
    body: async ({ aPayment, payer }: TestEmulator, kopecks: string) => {
      const payment = await aPayment({ amount: rub('7900.00') });
      payer.byCard(payment);
      return { payment_id: payment, amount: rub(`7800.${kopecks}`) };
    },
    count: ({ world }: TestEmulator) => world.state.refunds.size,
  },
  {
    path: '/payouts',
    body: async (_emulator: TestEmulator, kopecks: string) => ({
      ...aPayoutBody,
      amount: rub(`8800.${kopecks}`),
    }),
    count: ({ world }: TestEmulator) => world.state.payouts.size,
  },
];

describe.each(creations)('an amount that disturbs POST $path', ({ path, body, count }) => {
  it.each([
    ['01', 0],
    ['02', 1],
  ])('.%s is answered 500, and %i objects exist', async (kopecks, created) => {
    const emulator = await anEmulator();
    const sent = await body(emulator, kopecks);
    const before = count(emulator);
    expect(await emulator.post(path, sent, { key: 'k' })).toMatchObject(internalError);
    expect(count(emulator) - before).toBe(created);
    expect((await emulator.post(path, sent, { key: 'k' })).status).toBe(200);
    expect(count(emulator) - before).toBe(1);
  });

  it.each([
    ['03', 0, 500],
    ['04', 1, 200],
  ])('.%s is never answered, %i objects exist, and the journal has %i', async (kopecks, created, status) => {
    const emulator = await anEmulator();
    const sent = await body(emulator, kopecks);
    const before = count(emulator);
    await expect(emulator.post(path, sent, { key: 'k' })).rejects.toThrow('fetch failed');
    expect(count(emulator) - before).toBe(created);
    expect(emulator.exchanges().at(-1)).toMatchObject({ path: `/v3${path}`, idempotenceKey: 'k', status });
    expect((await emulator.post(path, sent, { key: 'k' })).status).toBe(200);
    expect(count(emulator) - before).toBe(1);
  });

  it.each([
    ['05', { status: 429, body: { code: 'too_many_requests', retry_after: 1500 } }],
    ['06', { status: 401, body: { code: 'invalid_credentials' } }],
  ])('.%s is refused once, and the same key is served then', async (kopecks, refusal) => {
    const emulator = await anEmulator();
    const sent = await body(emulator, kopecks);
    const before = count(emulator);
    expect(await emulator.post(path, sent, { key: 'k' })).toMatchObject(refusal);
    expect(count(emulator) - before).toBe(0);
    expect((await emulator.post(path, sent, { key: 'k' })).status).toBe(200);
  });

  it('.07 is refused for good under its key, and once under another', async () => {
    const emulator = await anEmulator();
    const sent = await body(emulator, '07');
    const before = count(emulator);
    const refused = await emulator.post(path, sent, { key: 'k' });
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(await emulator.post(path, sent, { key: 'k' })).toEqual(refused);
    expect((await emulator.post(path, sent, { key: 'k2' })).status).toBe(400);
    expect(count(emulator) - before).toBe(0);
  });
});

describe('an amount that disturbs the calls for a hold', () => {
  const aHold = async (kopecks: string) => {
    const emulator = await anEmulator();
    const id = await emulator.aPayment({ ...aPaymentOf(`7700.${kopecks}`), capture: false });
    emulator.payer.byCard(id);
    const status = async () => (await emulator.get(`/payments/${id}`)).body.status;
    return { ...emulator, id, status };
  };

  it.each([
    ['31', 'capture', 'waiting_for_capture'],
    ['32', 'capture', 'succeeded'],
    ['41', 'cancel', 'waiting_for_capture'],
    ['42', 'cancel', 'canceled'],
  ])('.%s answers the %s 500, and leaves it %s', async (kopecks, action, left) => {
    const { id, post, status } = await aHold(kopecks);
    expect(await post(`/payments/${id}/${action}`, {}, { key: 'k' })).toMatchObject(internalError);
    expect(await status()).toBe(left);
    const repeated = await post(`/payments/${id}/${action}`, {}, { key: 'k' });
    expect(repeated.body.status).toBe(action === 'capture' ? 'succeeded' : 'canceled');
  });

  it.each([
    ['33', 'capture', 'waiting_for_capture'],
    ['34', 'capture', 'succeeded'],
    ['43', 'cancel', 'waiting_for_capture'],
    ['44', 'cancel', 'canceled'],
  ])('.%s never answers the %s, and leaves it %s', async (kopecks, action, left) => {
    const { id, post, status } = await aHold(kopecks);
    await expect(post(`/payments/${id}/${action}`, {}, { key: 'k' })).rejects.toThrow('fetch failed');
    expect(await status()).toBe(left);
    expect((await post(`/payments/${id}/${action}`, {}, { key: 'k' })).status).toBe(200);
  });

  it.each([
    ['35', 'capture'],
    ['45', 'cancel'],
  ])('.%s answers the %s 429', async (kopecks, action) => {
    const { id, post } = await aHold(kopecks);
    expect(await post(`/payments/${id}/${action}`)).toMatchObject({
      status: 429,
      body: { retry_after: 1500 },
    });
  });
});

describe('an object of the YooKassa emulator that changes after the fact', () => {
  it('is authorized for nine tenths of 7700.21', async () => {
    const { aPayment, payer, get, post } = await anEmulator();
    const id = await aPayment({ ...aPaymentOf('7700.21'), capture: false });
    payer.byCard(id);
    expect((await get(`/payments/${id}`)).body).toMatchObject({
      status: 'waiting_for_capture',
      amount: rub('6930.18'),
    });
    expect(await post(`/payments/${id}/capture`, { amount: rub('7700.21') })).toMatchObject({ status: 400 });
    expect((await post(`/payments/${id}/capture`, { amount: rub('6930.18') })).body.status).toBe('succeeded');
  });

  it('is refunded by the provider a day later: 7700.22', async () => {
    const { aPayment, payer, get, advance, events } = await anEmulator();
    const id = await aPayment(aPaymentOf('7700.22'));
    payer.byCard(id);
    advance(days(1));
    expect((await get(`/payments/${id}`)).body).toMatchObject({
      status: 'succeeded',
      refunded_amount: rub('7700.22'),
      refundable: false,
    });
    expect((await get(`/refunds?payment_id=${id}`)).body.items).toMatchObject([{ amount: rub('7700.22') }]);
    expect(events().map(({ event }) => event)).toEqual(['payment.succeeded', 'refund.succeeded']);
  });

  it('is charged back a day later, without a refund object: 7700.23', async () => {
    const { aPayment, payer, get, post, advance, world } = await anEmulator();
    const id = await aPayment(aPaymentOf('7700.23'));
    payer.byCard(id);
    advance(days(1));
    expect((await get(`/payments/${id}`)).body).toMatchObject({
      status: 'succeeded',
      refunded_amount: rub('7700.23'),
      refundable: false,
    });
    expect((await get(`/refunds?payment_id=${id}`)).body.items).toEqual([]);
    expect((await post('/refunds', { payment_id: id, amount: rub('1.00') })).status).toBe(400);
    expect(world.state.balance('shop')).toBe(-269_51);
  });

  it('succeeds an hour after it expired: 7700.24', async () => {
    const { aPayment, get, advance, violations } = await anEmulator();
    const [either, bySbp] = [
      await aPayment(aPaymentOf('7700.24')),
      await aPayment({ ...aPaymentOf('7700.24'), payment_method_data: { type: 'sbp' } }),
    ];
    advance(hours(2) - 1);
    for (const id of [either, bySbp]) expect((await get(`/payments/${id}`)).body.status).toBe('canceled');
    advance(1);
    expect((await get(`/payments/${either}`)).body).toMatchObject({
      status: 'succeeded',
      payment_method: { type: 'bank_card' },
    });
    expect((await get(`/payments/${bySbp}`)).body).toMatchObject({
      status: 'succeeded',
      payment_method: { type: 'sbp' },
    });
    expect(violations).toEqual([]);
  });

  it('has another captured amount a day later: 7700.25', async () => {
    const { aPayment, payer, get, advance, world } = await anEmulator();
    const id = await aPayment(aPaymentOf('7700.25'));
    payer.byCard(id);
    const before = world.state.balance('shop');
    advance(days(1));
    expect((await get(`/payments/${id}`)).body).toMatchObject({
      status: 'succeeded',
      amount: rub('6930.22'),
    });
    expect(before - world.state.balance('shop')).toBe(770_03);
  });

  it.each(['7700.22', '7700.23', '7700.24'])(
    'stays as it is when there is nothing left to change: %s refunded by the merchant',
    async (amount) => {
      const { aPayment, aRefund, payer, get, advance, world } = await anEmulator();
      const id = await aPayment(aPaymentOf(amount));
      payer.byCard(id);
      await aRefund({ payment_id: id, amount: rub(amount) });
      const [before, postings] = [(await get(`/payments/${id}`)).body, world.state.postings.length];
      advance(days(2));
      expect((await get(`/payments/${id}`)).body).toEqual(before);
      expect(world.state.postings).toHaveLength(postings);
    },
  );

  it('is missing from the list for an hour: 7700.20', async () => {
    const { aPayment, get, advance } = await anEmulator();
    const id = await aPayment(aPaymentOf('7700.20'));
    expect((await get('/payments')).body.items).toEqual([]);
    advance(hours(1));
    expect((await get('/payments')).body.items).toMatchObject([{ id }]);
  });
});

describe('a fault rule', () => {
  const anyRequest = { method: undefined, path: undefined, nth: undefined };

  it('applies to the nth request that matches, so many times', async () => {
    const { world, get } = await anEmulator();
    world.faults.add({
      match: { method: 'GET', path: '^/v3/payments\\?', nth: 2 },
      times: 2,
      do: { kind: 'internal_error', acted: false },
    });
    const statuses: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      statuses.push((await get('/payments?limit=1')).status);
      expect((await get('/me')).status).toBe(200);
    }
    expect(statuses).toEqual([200, 500, 500, 200, 200]);
  });

  it('applies until it is deleted', async () => {
    const { world, get, post } = await anEmulator();
    world.faults.add({
      match: anyRequest,
      times: undefined,
      do: { kind: 'too_many_requests', retryAfterMs: 700 },
    });
    expect(await get('/payments')).toMatchObject({ status: 429, body: { retry_after: 700 } });
    expect((await post('/payments', aPaymentBody)).status).toBe(429);
    expect(world.faults.list()).toHaveLength(1);
    world.faults.clear();
    expect((await get('/payments')).status).toBe(200);
  });

  it('leaves a read without an answer', async () => {
    const { world, get, exchanges } = await anEmulator();
    world.faults.add({ match: anyRequest, times: 1, do: { kind: 'no_answer', acted: true } });
    await expect(get('/payments')).rejects.toThrow('fetch failed');
    expect(exchanges()).toMatchObject([{ method: 'GET', path: '/v3/payments', status: 200 }]);
  });

  it('hides also that a request was refused', async () => {
    const { world, post } = await anEmulator();
    const refused = { ...aPaymentBody, amount: rub('0.01') };
    world.faults.add({ match: anyRequest, times: 1, do: { kind: 'internal_error', acted: true } });
    expect((await post('/payments', refused, { key: 'k' })).status).toBe(500);
    expect((await post('/payments', refused, { key: 'k' })).status).toBe(400);
  });

  it('gives a manner to the object that a request creates', async () => {
    const { world, aPayout, get, advance } = await anEmulator();
    world.faults.add({
      match: { method: 'POST', path: '^/v3/payouts$', nth: undefined },
      times: 1,
      do: { kind: 'ends', afterMs: hours(3), reason: 'recipient_not_found' },
    });
    const [canceled, paid] = [await aPayout(), await aPayout()];
    advance(hours(3));
    expect((await get(`/payouts/${canceled}`)).body).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'recipient_not_found' },
    });
    expect((await get(`/payouts/${paid}`)).body.status).toBe('succeeded');
  });
});
