import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { anEmulator, aPaymentBody, aPayoutBody } from '../../support/yookassa-emulator.ts';

const toCard = (number: string) => ({
  ...aPayoutBody,
  payout_destination_data: { type: 'bank_card', card: { number } },
});

describe('the journal of the YooKassa emulator', () => {
  it('has every exchange under /v3, in order, with request and answer', async () => {
    const { post, get, exchanges } = await anEmulator();
    const created = await post('/payments', aPaymentBody, { key: 'payment-1' });
    const refused = await post('/payments', { amount: 'none' }, { key: 'payment-2' });
    const listed = await get('/payments?limit=1&status=pending');
    expect(exchanges()).toEqual([
      {
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        method: 'POST',
        path: '/v3/payments',
        status: 200,
        idempotenceKey: 'payment-1',
        request: aPaymentBody,
        answer: created.body,
      },
      {
        at: expect.any(String),
        method: 'POST',
        path: '/v3/payments',
        status: 400,
        idempotenceKey: 'payment-2',
        request: { amount: 'none' },
        answer: refused.body,
      },
      {
        at: expect.any(String),
        method: 'GET',
        path: '/v3/payments?limit=1&status=pending',
        status: 200,
        idempotenceKey: null,
        request: null,
        answer: listed.body,
      },
    ]);
  });

  it('has no credentials', async () => {
    const { get, journal, secretKey, gatewaySecretKey, call } = await anEmulator();
    await get('/me');
    await call('GET', '/me', undefined, { headers: { authorization: `Basic ${btoa('100500:wrong-key')}` } });
    const text = readFileSync(journal, 'utf8');
    for (const secret of [
      secretKey,
      gatewaySecretKey,
      'Basic',
      'authorization',
      'wrong-key',
      btoa(secretKey),
    ])
      expect(text).not.toContain(secret);
  });

  it.each([
    ['a payout’s', toCard('4276380000000005')],
    ['an invalid one', toCard('1234567890123456')],
    ['one in a description', { ...aPayoutBody, description: 'to 4276 3800 0000 0005 12/30, please' }],
    ['one as a number', { ...aPayoutBody, metadata: { card: 4276380000000005 } }],
    ['one as a key of metadata', { ...aPayoutBody, metadata: { '4276380000000005': 'card' } }],
    ['one in a body that is not JSON', '{"number": 4276380000000005'],
  ])('replaces a card number by a test card’s: %s', async (_what, body) => {
    const { post, journal, exchanges } = await anEmulator();
    await post('/payouts', body);
    const text = readFileSync(journal, 'utf8');
    expect(text).not.toMatch(/4276[ -]?3800|1234567890123456/);
    expect(text).toContain('5555555555554444');
    expect(exchanges()).toHaveLength(1);
  });

  it('replaces a card number in a path, in a query and in a key', async () => {
    const { get, post, journal } = await anEmulator();
    await get('/payments/4276380000000005');
    await get('/payouts/search?metadata[card]=4276380000000005');
    await post('/payments', aPaymentBody, { key: '4276380000000005' });
    expect(readFileSync(journal, 'utf8')).not.toContain('4276380000000005');
  });

  it('keeps the test cards, and numbers that are none', async () => {
    const { post, exchanges } = await anEmulator();
    const body = {
      ...toCard('2202474301322987'),
      metadata: { order: '1700000000000', id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301', phone: '79161234567' },
    };
    await post('/payouts', body);
    expect(exchanges()[0]?.request).toEqual(body);
  });

  it('has no security code', async () => {
    const { post, journal } = await anEmulator();
    const card = { number: '4276380000000005', expiry_year: '2030', expiry_month: '12', csc: '739' };
    await post('/payments', { ...aPaymentBody, payment_method_data: { type: 'bank_card', card } });
    expect(readFileSync(journal, 'utf8')).not.toMatch(/739|4276380000000005/);
  });

  it('goes on after a restart', async () => {
    const first = await anEmulator();
    await first.get('/me');
    await first.stop();
    const second = await anEmulator({ folder: first.folder });
    await second.get('/me');
    expect(second.exchanges()).toHaveLength(2);
  });

  it('has nothing from outside /v3', async () => {
    const { apiUrl, journal } = await anEmulator();
    await fetch(new URL('/control/books', apiUrl));
    expect(readFileSync(journal, 'utf8')).toBe('');
  });
});
