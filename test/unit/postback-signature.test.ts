import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { toMerchantId, toShopId } from '../../lib/ids.ts';
import type { PostbackEvent } from '../../lib/postback/event.ts';
import { md5Signature, webhookHeaders } from '../../lib/postback/signature.ts';
import { signedRequest } from '../../lib/postback/signed-request.ts';

describe('SignatureValue', () => {
  // Computed by hand: printf '%s' '100.50:order-1:pl_test_token' | md5sum | tr a-f A-F
  it.each([
    [['100.50', 'order-1', 'pl_test_token'], '986E6B66B9E75C5CA357A4D344AAFF8D'],
    [['16.00', '', 'pl_test_token'], '164BBAE7E2BBB3EC6BD0C6E53BFAB0F2'],
    [['250.00', 'заказ № 7', 'pl_test_token'], '89E257AE9B9D2C95AC6C65B52BB2A072'],
    [['1000.00', 'po1', 'pl_test_token'], 'C9565111C441B23CA5A5D1C397C0DD82'],
  ])('of %j is %s', (parts, signature) => {
    expect(md5Signature(...parts)).toBe(signature);
  });
});

const secret = `whsec_${Buffer.from(Uint8Array.from({ length: 32 }, (_, index) => index)).toString('base64')}`;

describe('the Standard Webhooks headers', () => {
  // Computed by hand: HMAC-SHA256 over `pay.p1.SUCCESS.1795262400.InvId=order-1&OutSum=100.50`.
  it('sign the id, the time in seconds and the body', () => {
    const message = {
      id: 'pay.p1.SUCCESS',
      timestamp: new Date('2026-11-21T12:00:00.900Z'),
      body: 'InvId=order-1&OutSum=100.50',
    };
    expect(webhookHeaders({ ...message, secrets: [secret] })).toEqual({
      'webhook-id': 'pay.p1.SUCCESS',
      'webhook-timestamp': '1795262400',
      'webhook-signature': 'v1,1H9tTchL6sNC2/Pc+z+8IGqbjbeKrGe27496fWdNDis=',
    });
  });
});

describe('while a secret is rotated', () => {
  const older = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

  it('the header carries a signature with each, newest first, separated by a space', () => {
    const message = { id: 'pay.p1.SUCCESS', timestamp: new Date('2026-11-21T12:00:00Z'), body: 'a=b' };
    const of = (...secrets: string[]) => webhookHeaders({ ...message, secrets })['webhook-signature'];
    expect(of(secret, older)).toBe(`${of(secret)} ${of(older)}`);
  });

  it('an independent Standard Webhooks library accepts the request with either', () => {
    const { body, headers } = signedRequest(
      payment,
      'form',
      { ...keys, webhookSecrets: [secret, older] },
      new Date(),
    );
    for (const each of [secret, older]) {
      expect(() => new Webhook(each).verify(body, { ...headers }, { jsonParse: false })).not.toThrow();
    }
    const other = new Webhook(`whsec_${Buffer.alloc(32, 10).toString('base64')}`);
    expect(() => other.verify(body, { ...headers }, { jsonParse: false })).toThrow('No matching signature');
  });
});

const payment: PostbackEvent = {
  id: 'pay.p1.SUCCESS',
  kind: 'payment',
  merchantId: toMerchantId('MerchantMerchant'),
  shopId: toShopId('ShopShopShopShop'),
  supersededByBill: undefined,
  sealedPhone: undefined,
  sentAfter: undefined,
  extended: undefined,
  status: 'SUCCESS',
  fields: {
    InvId: 'order-1',
    OutSum: '100.50',
    Commission: '2.01',
    TrsId: 'p1',
    Status: 'SUCCESS',
    CurrencyIn: 'RUB',
    custom: 'a&b=c d\u00e9 😀',
  },
  state: 'PENDING',
  attempts: [],
  tries: 0,
  createdAt: new Date('2026-11-21T11:59:00.123Z'),
  nextAt: new Date('2026-11-21T11:59:00.123Z'),
};

const payout: PostbackEvent = {
  ...payment,
  id: 'po.po1.SUCCESS',
  kind: 'payout',
  fields: { TrsId: 'po1', Amount: '1000.00', IsAuto: 'false', Status: 'SUCCESS' },
};

const keys = { token: 'pl_test_token', webhookSecrets: [secret] };

describe('the request of one attempt', () => {
  it('carries the fields in the contract’s order and the signature last, form-encoded', () => {
    const { body, headers, signature } = signedRequest(payment, 'form', keys, new Date());
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect([...new URLSearchParams(body)]).toEqual([
      ...Object.entries(payment.fields),
      ['SignatureValue', '986E6B66B9E75C5CA357A4D344AAFF8D'],
    ]);
    expect(signature).toBe('986E6B66B9E75C5CA357A4D344AAFF8D');
  });

  it('carries strings only where the shop is set to JSON', () => {
    const { body, headers } = signedRequest(payment, 'json', keys, new Date());
    expect(headers['content-type']).toBe('application/json');
    expect(JSON.parse(body)).toEqual({
      ...payment.fields,
      SignatureValue: '986E6B66B9E75C5CA357A4D344AAFF8D',
    });
  });

  it('of a payout signs Amount and TrsId', () => {
    expect(signedRequest(payout, 'form', keys, new Date()).signature).toBe(
      'C9565111C441B23CA5A5D1C397C0DD82',
    );
  });

  it.each(['form', 'json'] as const)(
    'is verified by an independent Standard Webhooks library (%s)',
    (format) => {
      const { body, headers } = signedRequest(payment, format, keys, new Date());
      const webhook = new Webhook(secret);
      expect(() => webhook.verify(body, { ...headers }, { jsonParse: false })).not.toThrow();
      const forged = body.replace('SUCCESS', 'FAIL');
      expect(() => webhook.verify(forged, { ...headers }, { jsonParse: false })).toThrow(
        'No matching signature',
      );
    },
  );

  it('has the same id and sequence at every attempt, and new signatures', () => {
    const [first, second] = ['2026-11-21T12:00:00Z', '2026-11-21T13:00:00Z'].map(
      (at) => signedRequest(payment, 'form', keys, new Date(at)).headers,
    );
    expect(first).toMatchObject({ 'webhook-id': 'pay.p1.SUCCESS', 'paylink-sequence': '1795262340123' });
    expect(second).toMatchObject({ 'webhook-id': 'pay.p1.SUCCESS', 'paylink-sequence': '1795262340123' });
    expect(first?.['webhook-signature']).not.toBe(second?.['webhook-signature']);
  });

  it('is not built when a field is missing', () => {
    expect(() => signedRequest({ ...payment, fields: {} }, 'form', keys, new Date())).toThrow('no OutSum');
  });
});
