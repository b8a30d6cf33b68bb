import { describe, expect, it } from 'vitest';
import { ProviderBusy } from '../../lib/provider-port.ts';
import { yookassaClient, type YookassaCredentials } from '../../lib/provider/yookassa/client.ts';
import { answering, apiUrl, errorOf, shop, type Canned } from '../support/yookassa-answers.ts';

const previous = { ...shop, secretKey: 'test_previous' };
const post = { method: 'POST', key: 'payment.1', body: { a: 1 } } as const;

function aClient(answers: readonly Canned[], ...previousOnes: readonly YookassaCredentials[]) {
  const { send, asked } = answering(...answers);
  return {
    call: yookassaClient({ apiUrl, credentials: async () => [shop, ...previousOnes], fetch: send }),
    asked,
  };
}
const basic = ({ id, secretKey }: typeof shop) =>
  `Basic ${Buffer.from(`${id}:${secretKey}`).toString('base64')}`;

describe('a call to YooKassa', () => {
  it('carries Basic credentials, the idempotency key and JSON', async () => {
    const { call, asked } = aClient([[200, { id: 1 }]]);
    expect(await call('payments', post)).toEqual({ kind: 'done', body: { id: 1 } });
    expect(asked).toMatchObject([
      {
        method: 'POST',
        path: '/v3/payments',
        headers: {
          authorization: basic(shop),
          'idempotence-key': 'payment.1',
          'content-type': 'application/json',
        },
        body: { a: 1 },
      },
    ]);
  });

  it.each([
    ['a payment or a payout', { id: 1, test: true }],
    ['a list', { type: 'list', items: [{ test: false }, { test: true }] }],
  ])(
    'is an error in production when %s is that of a test shop, where anybody can pay',
    async (_what, body) => {
      const { send } = answering([200, body], [200, body]);
      const access = { apiUrl, credentials: async () => [shop] as const, fetch: send };
      const get = { method: 'GET' } as const;
      await expect(yookassaClient({ ...access, live: true })('payments', get)).rejects.toMatchObject({
        code: 'YOOKASSA_TEST_SHOP',
      });
      expect(await yookassaClient(access)('payments', get)).toEqual({ kind: 'done', body });
    },
  );

  it('that reads has neither a key nor a body', async () => {
    const { call, asked } = aClient([[200, {}]]);
    await call('payments', { method: 'GET', query: { 'created_at.gte': '2026-11-21T00:00:00.000Z' } });
    expect(asked[0]).toMatchObject({
      method: 'GET',
      query: { 'created_at.gte': '2026-11-21T00:00:00.000Z' },
      body: undefined,
    });
    expect(Object.keys(asked[0]?.headers ?? {})).toEqual(['authorization']);
  });

  it.each(['payment:capture', '', 'a'.repeat(65), 'платёж', 'a b'])(
    'with the key "%s" is never sent: YooKassa promises to take other characters only',
    async (key) => {
      const { call, asked } = aClient([]);
      await expect(call('payments', { ...post, key })).rejects.toMatchObject({
        code: 'YOOKASSA_KEY_MALFORMED',
      });
      expect(asked).toEqual([]);
    },
  );

  it.each([
    [400, 'invalid_request', 'request'],
    [404, 'not_found', 'missing'],
    [401, 'invalid_credentials', 'us'],
    [403, 'forbidden', 'us'],
    [405, 'invalid_request', 'request'],
    [415, 'invalid_request', 'request'],
  ] as const)(
    'answered %i with the error body was certainly not carried out',
    async (status, code, about) => {
      const { call } = aClient([[status, errorOf(code, { parameter: 'amount' })]]);
      expect(await call('payments', post)).toEqual({
        kind: 'refused',
        about,
        outcome: `${code} amount: Described by the provider`,
        parameter: 'amount',
      });
    },
  );

  it.each([
    ['a 500', [500, errorOf('internal_server_error')]],
    ['a 502 of a gateway', [502, '<html>Bad gateway</html>']],
    ['a 202', [202, { type: 'processing', retry_after: 1800 }]],
    ['a 404 that is not from the API', [404, '<html>nginx</html>']],
    ['a 403 that is not from the API', [403, { message: 'Forbidden' }]],
    ['a 408, which the API does not promise', [408, errorOf('request_timeout')]],
    ['a 409, which the API does not promise', [409, errorOf('conflict')]],
    ['no answer', undefined],
    [
      'a key that was used with another body',
      [400, errorOf('invalid_request', { parameter: 'Idempotence-Key' })],
    ],
  ] as const)('with %s leaves the outcome unknown', async (_case, answer) => {
    const { call } = aClient([answer]);
    await expect(call('payments', post)).rejects.toThrow();
  });

  it.each([
    ['as long as it says', { retry_after: 1800 }, 1800],
    ['for a second when it does not say', {}, 1000],
    ['for a minute at most', { retry_after: 86_400_000 }, 60_000],
  ])('answered 429 was not carried out, and is deferred %s', async (_case, more, retryAfterMs) => {
    const { call } = aClient([[429, errorOf('too_many_requests', more)]]);
    const refusal = await call('payments', post).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ProviderBusy);
    expect(refusal).toMatchObject({ retryAfterMs });
  });

  it.each([200, 400, 429])(
    'answered %i with more than an answer of the API can have is not read to its end',
    async (status) => {
      let read = 0;
      const endless = new ReadableStream<Uint8Array>({
        pull(controller) {
          read += 1;
          if (read > 200) controller.close();
          else controller.enqueue(new Uint8Array(1024 * 1024).fill(32));
        },
      });
      const send = async () => new Response(endless, { status });
      const call = yookassaClient({ apiUrl, credentials: async () => [shop], fetch: send });
      const answer = await call('payments', post).catch((error: unknown) => error);
      if (status === 200) expect(answer).toEqual({ kind: 'done', body: undefined });
      else expect(answer).toBeInstanceOf(status === 429 ? ProviderBusy : Error);
      expect(read).toBeLessThan(20);
    },
  );

  it('that takes too long leaves the outcome unknown', async () => {
    const hanging = async (_input: unknown, init: RequestInit = {}) =>
      new Promise<Response>((_, reject) =>
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
      );
    const call = yookassaClient({ apiUrl, credentials: async () => [shop], fetch: hanging, timeoutMs: 1 });
    await expect(call('payments', post)).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it.each([
    ['Card 5555 5555 5555 4477 of 79161234567 is not valid', 'Card … of … is not valid'],
    ['No receipt to +7 (916) 123-45-67', 'No receipt to +…'],
    ['No receipt to "ivan.petrov@mail.example", given as иван@пример.рф.', 'No receipt to "…", given as …'],
  ])(
    'names no card, phone number or e-mail address of the refused request: %s',
    async (description, said) => {
      const { call } = aClient([[400, errorOf('invalid_request', { description })]]);
      expect(await call('payouts', post)).toMatchObject({ outcome: `invalid_request: ${said}` });
    },
  );
});

describe('a change of the secret key', () => {
  it('lets a call through with the previous key while the new one is not accepted yet', async () => {
    const { call, asked } = aClient(
      [
        [401, errorOf('invalid_credentials')],
        [200, {}],
      ],
      previous,
    );
    expect(await call('payments', post)).toMatchObject({ kind: 'done' });
    expect(asked.map(({ headers }) => headers['authorization'])).toEqual([basic(shop), basic(previous)]);
    expect(asked.map(({ headers }) => headers['idempotence-key'])).toEqual(['payment.1', 'payment.1']);
  });

  it('tries the previous key once, and only after a 401', async () => {
    const refused = errorOf('invalid_credentials');
    const both = aClient(
      [
        [401, refused],
        [401, refused],
      ],
      previous,
    );
    expect(await both.call('payments', post)).toMatchObject({ kind: 'refused', about: 'us' });
    const forbidden = aClient([[403, errorOf('forbidden')]], previous);
    expect(await forbidden.call('payments', post)).toMatchObject({ kind: 'refused', about: 'us' });
    expect([both.asked.length, forbidden.asked.length]).toEqual([2, 1]);
  });

  it('never falls back to another shop', async () => {
    const otherShop = { id: '100501', secretKey: 'test_other' };
    const { call, asked } = aClient([[401, errorOf('invalid_credentials')]], otherShop);
    expect(await call('payments', post)).toMatchObject({ kind: 'refused', about: 'us' });
    expect(asked).toHaveLength(1);
  });
});
