import { describe, expect, it } from 'vitest';
import { errorTable } from '../../lib/contract/error-table.ts';
import { openApiDocument } from '../../lib/contract/openapi.ts';
import { contract } from '../../lib/contract/routes.ts';

const document = JSON.parse(JSON.stringify(openApiDocument('https://pay.example.test')));

describe('the contract as a document', () => {
  it('is OpenAPI 3.1 at this address, behind a bearer token', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: 'https://pay.example.test' }],
      security: [{ token: [] }],
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    });
  });

  it('names each endpoint of the contract and no other', () => {
    expect(
      Object.entries(document.paths).map(([path, methods]) => [path, Object.keys(Object(methods))]),
    ).toEqual([
      ['/api/v1/bill/create', ['post']],
      ['/api/v1/bill/toggle_activity', ['post']],
      ['/api/v1/bill/payments', ['get']],
      ['/api/v1/bill/status', ['get']],
      ['/api/v1/payment/status', ['get']],
      ['/api/v1/merchant/balance', ['get']],
      ['/api/v1/payout/personal/create', ['post']],
      ['/api/v1/payout/regular/create', ['post']],
      ['/api/v1/payout/status', ['get']],
      ['/api/v1/payout/dictionaries/sbp_banks', ['get']],
      ['/api/v1/payout/quote', ['post']],
      ['/api/v1/payout/cancel', ['post']],
      ['/api/v1/bill/search', ['get']],
      ['/api/v1/payment/search', ['get']],
      ['/api/v1/payout/search', ['get']],
      ['/api/v1/refund/search', ['get']],
      ['/api/v1/refund/full/create', ['post']],
      ['/api/v1/refund/partial/create', ['post']],
      ['/api/v1/refund/status', ['get']],
      ['/api/v1/postback/list', ['get']],
      ['/api/v1/postback/replay', ['post']],
      ['/api/v1/postback/test', ['post']],
    ]);
  });

  it('tells what a request takes, as every encoding carries it', () => {
    const { content, required } = document.paths['/api/v1/bill/create'].post.requestBody;
    expect(required).toBe(true);
    const schema = { $ref: '#/components/schemas/CreateBill' };
    expect(content).toEqual({
      'application/x-www-form-urlencoded': { schema },
      'multipart/form-data': { schema },
      'application/json': { schema },
    });
    expect(document.components.schemas.CreateBill).toMatchObject({
      required: ['amount', 'shop_id'],
      properties: {
        amount: {
          type: ['string', 'number'],
          description: expect.stringMatching(/max\(1e-9, 1e-12 × value\)/),
        },
        type: { default: 'normal', anyOf: [{ enum: ['normal', 'multi'] }, { type: 'string' }] },
        currency_in: { anyOf: [{ enum: ['RUB', 'USD', 'EUR', 'KZT'] }, { type: 'string' }] },
        payer_pays_commission: { default: false, type: ['string', 'boolean', 'integer'] },
      },
    });
  });

  it('tells the query of a GET', () => {
    expect(document.paths['/api/v1/bill/payments'].get.parameters).toMatchObject([
      { name: 'id', in: 'query', required: true },
      { name: 'limit', in: 'query', required: false },
      { name: 'per_page', in: 'query', required: false },
      { name: 'cursor', in: 'query', required: false },
    ]);
  });

  it('tells each status with the messages that it can come with', () => {
    const { responses } = document.paths['/api/v1/bill/create'].post;
    expect(Object.keys(responses)).toEqual(['200', '401', '403', '413', '422', '429', '500']);
    expect(responses[401]).toEqual({ $ref: '#/components/responses/Unauthenticated' });
    expect(responses[403].content['application/json'].schema.properties.message.enum).toEqual([
      'api:error.ip_access_denied',
      'api:error.merchant_not_found',
      'api:error.merchant_banned',
      'api:error.shop_not_found',
      'api:error.access_denied',
      'api:error.shop_not_enabled',
      'api:error.invalid_amount',
      'api:error.no_payout',
    ]);
  });
});

/** Contract 4: the error lists, line by line. */
const listed: Readonly<Record<string, Readonly<Record<number, readonly string[]>>>> = {
  '/bill/create': {
    403: [
      'merchant_not_found',
      'invalid_amount',
      'merchant_banned',
      'shop_not_found',
      'shop_not_enabled',
      'access_denied',
      'no_payout',
    ],
    500: ['general_error'],
  },
  '/bill/toggle_activity': {
    403: [
      'merchant_banned',
      'merchant_subscription_inactive',
      'merchant_subscription_not_found',
      'merchant_not_found',
      'bill_is_finished',
    ],
    422: ['bill_not_found'],
    500: ['general_error'],
  },
  '/bill/payments': {
    400: ['too_many_payments'],
    403: ['merchant_not_found', 'merchant_banned', 'bill_not_found'],
  },
  '/bill/status': { 403: ['merchant_banned'], 422: ['bill_not_found'] },
  '/payment/status': { 403: ['merchant_banned'], 422: ['payment_not_found'] },
  // 422 bill_not_found cannot arise: there is no bill in the request.
  '/merchant/balance': {
    403: [
      'merchant_banned',
      'merchant_subscription_inactive',
      'merchant_subscription_not_found',
      'merchant_not_found',
    ],
  },
  ...Object.fromEntries(
    ['/payout/personal/create', '/payout/regular/create', '/payout/quote'].map((path) => [
      path,
      {
        400: [
          'invalid_amount',
          'merchant_banned',
          'merchant_not_found',
          'merchant_subscription_inactive',
          'merchant_subscription_not_found',
          'payout_account_not_found',
          'payout_account_banned',
          'daily_payout_limit_exceeded',
          'monthly_payout_limit_exceeded',
          'balance_not_enough',
          'direction_not_available',
          'merchant_not_verified',
        ],
        500: ['general_error'],
      },
    ]),
  ),
  '/payout/status': {
    403: [
      'merchant_banned',
      'merchant_subscription_inactive',
      'merchant_subscription_not_found',
      'merchant_not_found',
    ],
    422: ['payout_not_found'],
  },
  '/payout/cancel': {
    400: ['transaction_rejected'],
    403: [
      'merchant_banned',
      'merchant_subscription_inactive',
      'merchant_subscription_not_found',
      'merchant_not_found',
    ],
    422: ['payout_not_found'],
  },
  '/payout/dictionaries/sbp_banks': { 403: ['merchant_banned'] },
  // Additive.
  '/bill/search': { 403: ['merchant_banned'] },
  '/payment/search': { 403: ['merchant_banned'] },
  '/refund/search': { 403: ['merchant_banned'] },
  '/payout/search': {
    403: [
      'merchant_banned',
      'merchant_subscription_inactive',
      'merchant_subscription_not_found',
      'merchant_not_found',
    ],
  },
  '/refund/full/create': {
    400: ['refund_not_available', 'balance_not_enough'],
    403: ['merchant_banned'],
    422: ['payment_not_found'],
  },
  '/refund/partial/create': {
    400: ['invalid_amount', 'refund_not_available', 'balance_not_enough'],
    403: ['merchant_banned'],
    422: ['payment_not_found'],
  },
  '/refund/status': { 403: ['merchant_banned'], 422: ['refund_not_found'] },
  '/postback/list': {
    403: ['merchant_not_found', 'merchant_banned'],
    422: ['postback_not_found', 'payment_not_found', 'payout_not_found'],
  },
  '/postback/replay': {
    400: ['postback_under_way', 'endpoint_paused'],
    403: ['merchant_not_found', 'merchant_banned'],
    422: ['postback_not_found'],
  },
  '/postback/test': {
    400: ['postback_url_missing'],
    403: ['merchant_not_found', 'merchant_banned', 'shop_not_found', 'access_denied'],
  },
};

describe('the table of errors', () => {
  const rows = errorTable();
  const atEvery = 'api:error.ip_access_denied';
  const expected = Object.entries(listed).flatMap(([path, byStatus]) =>
    Object.entries(byStatus).flatMap(([status, keys]) =>
      keys.map((key) => [path, Number(status), key] as const),
    ),
  );

  it.each(expected)('%s has %i %s', (path, status, key) => {
    expect(rows.filter(({ endpoint }) => endpoint.endsWith(`/api/v1${path}`))).toContainEqual(
      expect.objectContaining({ status, message: `api:error.${key}` }),
    );
  });

  it('has the refusal of a token tied to addresses at every endpoint', () => {
    const elsewhere = rows.filter(({ message }) => message === atEvery);
    expect(elsewhere.map(({ endpoint }) => endpoint)).toEqual(
      contract.map(({ method, path }) => `${method} ${path}`),
    );
    expect(new Set(elsewhere.map(({ status, field }) => `${status} ${field}`))).toEqual(
      new Set(['403 address']),
    );
  });

  it('has no key that the contract does not name at this endpoint', () => {
    const known = new Set(expected.map(([path, status, key]) => `${path} ${status} ${key}`));
    const keys = rows.filter(({ message, status }) => message.startsWith('api:error.') && status !== 500);
    expect(
      keys.filter(
        ({ endpoint, status, message }) =>
          message !== atEvery &&
          !known.has(`${endpoint.replace(/^.*v1/, '')} ${status} ${message.slice(10)}`),
      ),
    ).toEqual([]);
  });

  it('refuses every endpoint without a token, and regular payouts without access', () => {
    expect(rows.filter(({ status }) => status === 401)).toHaveLength(contract.length);
    expect(rows).toContainEqual(
      expect.objectContaining({
        endpoint: 'POST /api/v1/payout/regular/create',
        status: 403,
        message: 'This action is unauthorized',
      }),
    );
  });

  it('says a cause in words for each', () => {
    expect(rows.filter(({ cause }) => !cause.includes(' '))).toEqual([]);
  });
});
