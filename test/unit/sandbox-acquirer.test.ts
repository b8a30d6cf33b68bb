import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sandboxAcquirer } from '../../lib/provider/sandbox-acquirer.ts';
import { sandboxRail } from '../../lib/provider/sandbox-rail.ts';
import { aTransfer } from '../support/rail.ts';
import { startRequest } from '../support/sandbox-orders.ts';

const secret = 'a secret between two parties';
const url = 'https://sandbox.test/sandbox';
const answering = (status: number, body: string) => ({
  url,
  secret,
  fetch: async () => new Response(body, { status }),
});
const acquirer = sandboxAcquirer(answering(200, '{}'));
const known = { ...startRequest(), reference: 'sbx1' };
const signed = (body: string, key = secret) => createHmac('sha256', key).update(body).digest('hex');

describe('a notice of the sandbox acquirer', () => {
  const body = JSON.stringify({ paymentId: 'payment-1', reference: 'sbx1', state: 'authorised' });

  it('names its order and payment when the signature is right', async () => {
    const hint = { about: 'payment', reference: 'sbx1', paymentId: 'payment-1' };
    expect(await acquirer.readNotification({ 'sandbox-signature': signed(body) }, body)).toEqual(hint);
  });

  it('of an earlier version names its order by our id', async () => {
    const earlier = JSON.stringify({ paymentId: 'payment-1', state: 'authorised' });
    const hint = { about: 'payment', reference: 'payment-1', paymentId: 'payment-1' };
    expect(await acquirer.readNotification({ 'sandbox-signature': signed(earlier) }, earlier)).toEqual(hint);
  });

  it.each([
    ['without a signature', {}, body],
    ['signed with another secret', { 'sandbox-signature': signed(body, 'another') }, body],
    ['changed on its way', { 'sandbox-signature': signed(body) }, body.replace('payment-1', 'payment-2')],
    ['that is no JSON', { 'sandbox-signature': signed('{') }, '{'],
    ['that names no payment', { 'sandbox-signature': signed('{}') }, '{}'],
  ])('is nothing %s', async (_case, headers, text) => {
    expect(await acquirer.readNotification(headers, text)).toBeUndefined();
  });
});

describe('an unclear answer of the sandbox', () => {
  it.each([
    ['500', 500, '{"error":"internal"}'],
    ['a gateway timeout', 504, '{"error":"timed_out"}'],
    ['a refused secret', 401, '{"error":"unauthenticated"}'],
    ['garbage', 200, '<html>'],
    ["a gateway's own 404", 404, '{"message":"Not found."}'],
    [
      'a state nobody knows',
      200,
      JSON.stringify({ paymentId: known.paymentId, reference: 'sbx1', state: 'perhaps' }),
    ],
  ])('is thrown: %s', async (_case, status, body) => {
    await expect(sandboxAcquirer(answering(status, body)).get(known)).rejects.toThrow();
    await expect(sandboxRail(answering(status, body)).get(aTransfer(1))).rejects.toThrow();
  });

  it('is thrown: an authorisation without an amount', async () => {
    const unclear = sandboxAcquirer(
      answering(200, JSON.stringify({ paymentId: known.paymentId, reference: 'sbx1', state: 'authorised' })),
    );
    await expect(unclear.get(known)).rejects.toThrow();
  });

  it('is thrown: none at all', async () => {
    const silent: typeof fetch = (_, init) =>
      new Promise((_answer, refuse) =>
        init?.signal?.addEventListener('abort', () => refuse(new Error('the deadline passed'))),
      );
    const unclear = sandboxAcquirer({ url, secret, fetch: silent, timeoutMs: 20 });
    await expect(unclear.get(known)).rejects.toThrow('the deadline passed');
  });

  it('does not carry the secret into the error', async () => {
    const failing = sandboxAcquirer(answering(500, secret)).get(known);
    await expect(failing).rejects.not.toThrow(secret);
  });
});

describe('the adapters', () => {
  it('tell the origin of the hosted page', () => {
    expect(sandboxAcquirer({ url, secret }).pageSource).toBe('https://sandbox.test');
  });

  it('tell what one transfer may carry', () => {
    const rail = sandboxRail({ url, secret });
    expect(rail.limits('sbp')).toEqual({ minMinor: 100n, maxMinor: 50_000_000n });
    expect(rail.limits('credit_card')).toEqual({ minMinor: 100n, maxMinor: 9_999_999_999n });
  });
});
