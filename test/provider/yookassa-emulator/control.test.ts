import { describe, expect, it } from 'vitest';
import { aShop } from '../../support/yookassa-shop.ts';

const card = { card: '5555555555554444' };
const sbpPayout = (value: string) => ({
  amount: { value, currency: 'RUB' },
  payout_destination_data: { type: 'sbp', phone: '79000000000', bank_id: '100000000111' },
});

describe('POST /control/clock', () => {
  it('moves the clock, lets happen what is due, and sends its notifications before it answers', async () => {
    const { create, control, listen, get } = await aShop();
    const { heard } = await listen();
    const { id } = await create();
    const before = await control('GET', '/clock');
    const after = await control('POST', '/clock', { advanceSeconds: 3600 });
    expect(after).toMatchObject({ status: 200, body: { aheadSeconds: 3600 } });
    expect(Date.parse(String(after.body['now'])) - Date.parse(String(before.body['now']))).toBeGreaterThan(
      3_599_000,
    );
    expect(await get(id)).toMatchObject({ status: 'canceled' });
    expect(heard()).toMatchObject([{ event: 'payment.canceled', object: { id, status: 'canceled' } }]);
  });

  it('does not go back', async () => {
    const { control } = await aShop();
    expect((await control('POST', '/clock', { advanceSeconds: -1 })).status).toBe(400);
  });
});

describe('/control/notifications', () => {
  it('sets the shop’s address, shows what is not answered yet, and repeats it', async () => {
    const { create, control, listen, later } = await aShop();
    let status = 500;
    const { heard } = await listen(() => status);
    const { id } = await create();
    await control('POST', `/payments/${id}/pay`, card);
    await expect.poll(async () => (await control('GET', '/notifications')).body['pending']).toHaveLength(1);
    status = 200;
    await later(1);
    expect((await control('GET', '/notifications')).body['pending']).toEqual([]);
    expect(heard()).toHaveLength(2);
    expect(heard()[0]).toEqual(heard()[1]);
  });

  it('sends a forged notification', async () => {
    const { control, listen } = await aShop();
    const { received } = await listen(() => 404);
    const forged = await control('POST', '/notifications', { body: { event: 'payment.succeeded' } });
    expect(forged).toEqual({ status: 200, body: { status: 404 } });
    expect(received.map(({ body }) => body)).toEqual(['{"event":"payment.succeeded"}']);
  });

  it.each([{}, { url: 'ftp://shop.example' }, { url: 1 }])('refuses %j as an address', async (body) => {
    const { control } = await aShop();
    expect((await control('PUT', '/notifications', body)).status).toBe(400);
  });
});

describe('notifications of the API', () => {
  it('come for a hold, its capture, and a refund, each with the object as the API shows it', async () => {
    const { create, control, listen, post } = await aShop();
    const { heard } = await listen();
    const { id } = await create({ capture: false });
    await control('POST', `/payments/${id}/pay`, card);
    const captured = await post(`/payments/${id}/capture`, {});
    const refund = await post('/refunds', { payment_id: id, amount: { value: '1.00', currency: 'RUB' } });
    await expect.poll(heard).toHaveLength(3);
    const events = heard().map(({ event }) => event);
    expect(events.toSorted()).toEqual([
      'payment.succeeded',
      'payment.waiting_for_capture',
      'refund.succeeded',
    ]);
    expect(heard()).toContainEqual({ type: 'notification', event: 'payment.succeeded', object: captured });
    expect(heard()).toContainEqual({ type: 'notification', event: 'refund.succeeded', object: refund });
  });

  it('come for a payout to a card before the answer of its call, when they are early', async () => {
    const { control, listen, post } = await aShop();
    const { heard } = await listen();
    await control('POST', '/faults', { do: { kind: 'notices', how: 'early' } });
    const { id } = await post('/payouts', {
      amount: { value: '10.00', currency: 'RUB' },
      payout_destination_data: { type: 'bank_card', card: { number: '5555555555554444' } },
    });
    expect(heard()).toMatchObject([{ event: 'payout.succeeded', object: { id } }]);
  });

  it.each([
    ['7700.11', 2],
    ['7700.14', 0],
    ['7700.15', 2],
  ])('of a payment of %s come %i times', async (value, times) => {
    const { create, control, listen, later } = await aShop();
    const { heard } = await listen();
    const { id } = await create({ amount: { value, currency: 'RUB' } });
    await control('POST', `/payments/${id}/pay`, card);
    await later(25);
    expect(heard()).toHaveLength(times);
  });
});

describe('/control/faults', () => {
  it('disturbs the requests that match, as often as the rule says', async () => {
    const { create, control, get } = await aShop();
    const { id } = await create();
    const rule = {
      match: { method: 'GET', path: '^/v3/payments/' },
      times: 1,
      do: { kind: 'internal_error', acted: false },
    };
    expect(await control('POST', '/faults', rule)).toMatchObject({ status: 200, body: { id: 1 } });
    expect((await control('GET', '/faults')).body['rules']).toMatchObject([rule]);
    await expect(get(id)).rejects.toThrow('500');
    expect(await get(id)).toMatchObject({ status: 'pending' });
    expect(await control('DELETE', '/faults')).toMatchObject({ body: { rules: [] } });
  });

  it.each([
    { do: { kind: 'nonsense' } },
    { do: { kind: 'no_answer' } },
    { do: { kind: 'refused' }, match: { path: '(' } },
    { do: { kind: 'refused' }, macth: {} },
    'text',
  ])('refuses the rule %j', async (body) => {
    const { controlUrl } = await aShop();
    const response = await fetch(`${controlUrl}/faults`, { method: 'POST', body: JSON.stringify(body) });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: expect.any(String) });
  });
});

describe('/control/payments, /refunds and /payouts', () => {
  it.each([
    [card, 'succeeded'],
    [{ card: '5555555555554477' }, 'succeeded'],
    [{ card: '5555555555554477', threeDSecure: 'refuse' }, 'canceled'],
    [{ card: '5555555555554535' }, 'canceled'],
    [{ sbp: true }, 'succeeded'],
  ])('pay as a payer with %j: %s', async (means, status) => {
    const { create, control, get } = await aShop();
    const { id } = await create();
    expect(await control('POST', `/payments/${id}/pay`, means)).toMatchObject({
      status: 200,
      body: { id, status },
    });
    expect(await get(id)).toMatchObject({ status });
    expect((await control('POST', `/payments/${id}/pay`, means)).status).toBe(409);
  });

  it('change a payment behind the shop’s back', async () => {
    const { create, control, get } = await aShop();
    const [refunded, chargedBack, changed, declined] = [
      await create(),
      await create(),
      await create(),
      await create(),
    ];
    for (const { id } of [refunded, chargedBack, changed]) await control('POST', `/payments/${id}/pay`, card);
    await control('POST', `/payments/${refunded.id}/refund_at_provider`);
    await control('POST', `/payments/${chargedBack.id}/charge_back`);
    await control('POST', `/payments/${changed.id}/change_amount`, { amount: '1000.00' });
    await control('POST', `/payments/${declined.id}/decline`, { reason: 'general_decline' });
    const all = { value: '1234.50' };
    expect(await get(refunded.id)).toMatchObject({ status: 'succeeded', refunded_amount: all });
    expect(await get(chargedBack.id)).toMatchObject({ refunded_amount: all, refundable: false });
    expect(await get(changed.id)).toMatchObject({ amount: { value: '1000.00' } });
    expect(await get(declined.id)).toMatchObject({ cancellation_details: { reason: 'general_decline' } });
    await control('POST', `/payments/${declined.id}/succeed_late`);
    expect(await get(declined.id)).toMatchObject({ status: 'succeeded', paid: true });
  });

  it('end a pending refund or payout', async () => {
    const { create, control, post } = await aShop();
    await control('POST', '/faults', { do: { kind: 'ends' } });
    const { id } = await create();
    await control('POST', `/payments/${id}/pay`, card);
    const refund = await post('/refunds', { payment_id: id, amount: { value: '5.00', currency: 'RUB' } });
    const payout = await post('/payouts', sbpPayout('10.00'));
    expect([refund.status, payout.status]).toEqual(['pending', 'pending']);
    const rejected = { reason: 'rejected_by_payee' };
    expect(await control('POST', `/refunds/${refund.id}/finish`, rejected)).toMatchObject({
      body: { status: 'canceled', cancellation_details: rejected },
    });
    expect(await control('POST', `/payouts/${payout.id}/finish`)).toMatchObject({
      body: { status: 'succeeded' },
    });
  });

  it.each([
    ['POST', '/payments/unknown/pay', 404],
    ['GET', '/payments/unknown/pay', 405],
    ['POST', '/nothing', 404],
  ])('answer %s %s with %i', async (method, path, status) => {
    const { control } = await aShop();
    const body = method === 'POST' ? card : undefined;
    expect(await control(method, path, body)).toMatchObject({ status, body: { error: expect.any(String) } });
  });
});

describe('/control/books and /control/accounts', () => {
  it('show each movement, and empty an account', async () => {
    const { create, control, post } = await aShop();
    const { id } = await create({ amount: { value: '100.00', currency: 'RUB' } });
    await control('POST', `/payments/${id}/pay`, card);
    expect((await control('GET', '/books')).body['shop']).toMatchObject({
      balance: '96.50',
      postings: [
        { what: 'payment', object: id, amount: '100.00' },
        { what: 'fee', object: id, amount: '-3.50' },
      ],
    });
    expect(await control('PUT', '/accounts/gateway', { balance: '0.00' })).toMatchObject({
      body: { balance: '0.00' },
    });
    expect(await post('/payouts', sbpPayout('10.00'))).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'insufficient_funds' },
    });
  });
});

describe('/control/settings', () => {
  it('switches receipts on, and never shows a secret key', async () => {
    const { control, create, secretKey } = await aShop();
    const changed = await control('PATCH', '/settings', { receipts: true });
    expect(changed).toMatchObject({
      status: 200,
      body: { shopId: '100500', receipts: true, listLagSeconds: 0 },
    });
    expect(JSON.stringify(changed)).not.toContain(secretKey);
    await expect(create()).rejects.toThrow();
  });

  it('rotates a secret key: both work, then only the new one', async () => {
    const { control, create, get, secretKey } = await aShop();
    const { id } = await create();
    await control('PATCH', '/settings', { shopSecretKeys: ['test_new', secretKey] });
    expect(await get(id)).toMatchObject({ id });
    await control('PATCH', '/settings', { shopSecretKeys: ['test_new'] });
    await expect(get(id)).rejects.toThrow();
  });
});
