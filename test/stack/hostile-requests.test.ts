import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract, publicRoutes, sandboxRoutes } from '../../lib/contract/routes.ts';
import { documentedAnswers } from '../support/documented-answers.ts';
import { hostileRequests, type Target } from '../support/hostile-requests.ts';
import { cards, newBill, paid } from '../support/merchant-calls.ts';
import { type Raw, rawRequest } from '../support/raw-request.ts';
import { type Operator, operatorAt } from '../support/stack-operator.ts';
import { tablesOf, type Tables } from '../support/stack-tables.ts';
import { type Stack, startStack } from '../support/stack.ts';

/** PAYLINK_REQUESTS=10000 is the long run; PAYLINK_SEED replays one. */
const numRuns = Number(process.env['PAYLINK_REQUESTS'] ?? 150);
const seed = Number(process.env['PAYLINK_SEED'] ?? 20_260_101);

let stack: Stack;
let operator: Operator;
let tables: Tables;
let answers: Awaited<ReturnType<typeof documentedAnswers>>;
let known: {
  readonly bill: string;
  readonly paidBill: string;
  readonly payment: string;
  readonly account: string;
};

beforeAll(async () => {
  stack = await startStack();
  [operator, tables] = [await operatorAt(stack), tablesOf(stack)];
  answers = await documentedAnswers(stack.baseUrl);
  const { billId: bill } = await newBill(stack.demo, { type: 'multi' });
  const { paymentId: payment, billId: paidBill } = await paid(stack.demo, { amount: '100000' });
  const { id: account } = await operator.json(
    `account add ${stack.demo.merchantId} --type sbp --number 79123456789 --currency RUB`,
  );
  known = { bill, paidBill, payment, account };
}, 120_000);

afterAll(async () => {
  tables.close();
  await operator.leave();
  await stack.stop();
});

const contents = async (): Promise<string> =>
  createHash('sha256')
    .update(JSON.stringify([await tables.items(), await tables.sandboxItems()], inOneOrder))
    .digest('hex');

/** Two reads of one item may name its attributes in another order. */
const inOneOrder = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Valid fields of an endpoint. */
const rightFor = (path: string): Readonly<Record<string, string>> => {
  const { shopId } = stack.demo;
  const fields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'bill/create': { amount: '16', shop_id: shopId },
    'bill/toggle_activity': { id: known.bill, active: '1' },
    'bill/payments': { id: known.paidBill },
    'bill/status': { id: known.bill },
    'payment/status': { id: known.payment },
    'payout/personal/create': { amount: '1', payout_account_id: known.account },
    'payout/regular/create': {
      amount: '1',
      currency: 'RUB',
      account_type: 'credit_card',
      account_identifier: cards.pays,
      card_holder: 'IVAN PETROV',
    },
    'payout/status': { order_id: 'x' },
    'payout/cancel': { order_id: 'x' },
    'postback/list': { date: '2026-11-21' },
    'postback/replay': { id: `pay.${known.payment}.SUCCESS` },
    'postback/test': { shop_id: shopId },
    'payout/quote': { amount: '1', payout_account_id: known.account },
    'bill/search': { order_id: 'x', start_date: '2026-11-21' },
    'payment/search': { bill_id: known.bill },
    'payout/search': { order_id: 'x' },
    'refund/search': { bill_id: known.bill },
    // A refund that is created is carried out a moment later: here none is.
    'refund/full/create': { payment_id: 'x' },
    'refund/partial/create': { payment_id: 'x', amount: '1' },
    'refund/status': { id: 'x' },
  };
  return fields[path] ?? {};
};

const apiTargets = (): readonly Target[] =>
  contract.map(({ method, path }) => ({
    method,
    route: path,
    path,
    right: rightFor(path.replace('/api/v1/', '')),
  }));

const pageTargets = (): readonly Target[] => {
  const at = (method: 'GET' | 'POST', ...paths: string[]): Target[] =>
    paths.map((path) => ({ method, route: path, path, right: {} }));
  const { bill, paidBill, payment } = known;
  return [
    ...at('GET', '/openapi.json', '/link/{any}', `/link/${bill}`, '/transfer/{any}', `/transfer/${paidBill}`),
    ...at('GET', '/result/{any}', `/result/${payment}`, '/sandbox/{any}', '/sandbox/card/{any}'),
    ...at('POST', '/transfer/{any}', `/transfer/${bill}`, '/result/{any}', '/acquirer/notification'),
    ...at('POST', '/acquirer/yookassa/{any}', '/acquirer/{any}/secret'),
    ...at(
      'POST',
      '/sandbox/{any}',
      '/sandbox/acquirer/orders',
      '/sandbox/rail/transfers',
      '/sandbox/3ds/{any}',
    ),
    ...at('GET', '/redirect/payment/success', '/redirect/payment/fail', '/{any}'),
    ...at('POST', '/redirect/payment/success', '/redirect/payment/fail', '/{any}'),
  ];
};

describe('any HTTP request', () => {
  it(`to the merchant's API is answered as the document says, and a refusal changes nothing`, {
    timeout: 3_600_000,
  }, async () => {
    let before = await contents();
    await fc.assert(
      fc.asyncProperty(
        hostileRequests(apiTargets(), stack.demo.apiToken),
        async ({ raw, url, method, route }) => {
          const { status, body, headers } = await rawRequest(stack.baseUrl, url, raw);
          expect(status).toBeLessThan(500);
          expect(headers).toMatchObject({ 'content-type': 'application/json' });
          expect(answers(method, route, status, JSON.parse(body))).toBeUndefined();
          const after = await contents();
          if (status !== 200 || method === 'GET') expect(after).toBe(before);
          before = after;
        },
      ),
      { numRuns, seed },
    );
  });

  it('to a page, the acquirer’s endpoint or the sandbox is no error, and changes nothing', {
    timeout: 3_600_000,
  }, async () => {
    const before = await contents();
    await fc.assert(
      fc.asyncProperty(hostileRequests(pageTargets(), 'not-the-secret'), async ({ raw, url }) => {
        const { status, body, headers } = await rawRequest(stack.baseUrl, url, raw);
        expect(status).toBeLessThan(500);
        const isPage = String(headers['content-type']).startsWith('text/html');
        if (isPage) expect(body).not.toContain('<script>alert');
        else expect(JSON.parse(body || '{}')).toBeTypeOf('object');
        if (isPage) expect(headers['content-security-policy']).toContain("default-src 'none'");
        expect(await contents()).toBe(before);
      }),
      { numRuns, seed },
    );
  });
});

describe('a body that is too large or unreadable', () => {
  const json = 'application/json';
  const form = 'application/x-www-form-urlencoded';
  const multi = 'multipart/form-data; boundary=x';
  const field = 'Content-Disposition: form-data; name="amount"\r\n\r\n1';
  const bodies: readonly (readonly [string, number, string, () => string | Uint8Array])[] = [
    ['of 64 KB and a byte', 422, form, () => `custom=${'x'.repeat(64 * 1024 - 6)}`],
    ['of more than 10 MB', 413, json, () => `{"custom":"${'x'.repeat(10 * 1024 * 1024)}"}`],
    ['JSON that is cut off', 422, json, () => '{"amount": 1'],
    ['JSON that is no object', 422, json, () => '[1,2]'],
    ['JSON nested a thousandfold', 422, json, () => '{"amount":'.repeat(1000) + '1' + '}'.repeat(1000)],
    ['JSON arrays nested to 60 KB', 422, json, () => '{"x":' + '['.repeat(30_000) + ']'.repeat(30_000) + '}'],
    ['multipart that is cut off', 422, multi, () => `--x\r\n${field}`],
    ['multipart without an end', 422, multi, () => `--x\r\n${field}\r\n`],
    ['multipart without a boundary', 422, 'multipart/form-data', () => `--x\r\n${field}\r\n--x--\r\n`],
    ['multipart of a thousand parts', 422, multi, () => `--x\r\n${field}\r\n`.repeat(1000) + '--x--\r\n'],
    ['a form in another charset', 422, `${form}; charset=windows-1251`, () => 'amount=1&custom=%D7%E0%E9'],
    [
      'a form in bytes of another charset',
      422,
      `${form}; charset=windows-1251`,
      () => Buffer.from('amount=1&custom=\u00d7\u00e0\u00e9', 'latin1'),
    ],
    ['JSON in UTF-16', 422, json, () => Buffer.from('{"amount":1}', 'utf16le')],
    ['bytes that are no UTF-8', 422, form, () => Uint8Array.from([0x61, 0x3d, 0xff, 0xfe])],
    ['a type that is none of the three', 422, 'application/xml', () => '<amount>1</amount>'],
    ['a field twice', 422, form, () => 'amount=1&amount=2'],
    ['a field twice in JSON', 422, json, () => '{"amount":[1,2]}'],
    ['numbers beyond every limit', 403, form, () => `amount=${'9'.repeat(60)}`],
    ['an exponent beyond every limit', 403, form, () => 'amount=1e308'],
    ['a fraction of a kopeck in JSON', 403, json, () => '{"amount":99999999.991}'],
    ['a number in JSON of more than 64 characters', 403, json, () => `{"amount":1.${'0'.repeat(70)}}`],
    ['a number in other digits', 403, form, () => `amount=${encodeURIComponent('１６')}`],
    ['an order_id with a line break', 422, form, () => 'amount=1&order_id=a%0ab'],
    ['an order_id of 256 characters', 422, form, () => `amount=1&order_id=${'x'.repeat(256)}`],
  ];

  it('is refused before it is parsed at public routes: 5 MB of a& at each', async () => {
    const before = await contents();
    const posts = [...publicRoutes, ...sandboxRoutes].filter(
      ({ function: name, methods }) => name !== 'fallback' && methods.some((one) => /POST|ANY/.test(one)),
    );
    for (const path of posts.flatMap(({ paths }) => paths)) {
      const url = path.replace('{bill}', known.bill).replace('{payment}', known.payment);
      const body = 'a&'.repeat(2.5 * 1024 * 1024);
      const raw: Raw = { method: 'POST', headers: { 'content-type': form }, body };
      const answer = await rawRequest(stack.baseUrl, url.replace('{proxy+}', 'card/x'), raw);
      expect([path, answer.status]).toEqual([path, 413]);
    }
    expect(await contents()).toBe(before);
  });

  it.each(bodies)('is refused and changes nothing: %s', async (_case, status, type, body) => {
    const before = await contents();
    const path = '/api/v1/bill/create';
    const headers = { 'content-type': type, authorization: `Bearer ${stack.demo.apiToken}` };
    const raw: Raw = { method: 'POST', headers, body: body() };
    const url = `${path}?shop_id=${stack.demo.shopId}`;
    const answer = await rawRequest(stack.baseUrl, url, raw);

    expect([answer.status, answer.body]).toEqual([status, expect.any(String)]);
    if (status !== 413) expect(answers('POST', path, status, JSON.parse(answer.body))).toBeUndefined();
    expect(JSON.parse(answer.body)).toMatchObject({ success: false });
    expect(await contents()).toBe(before);
  });

  it.each(['<b>&"\'', '\u202e\u2066x', 'x\u0000y', 'e\u0301', '\ud83d\udcb8', '{{7*7}}', '__proto__'])(
    'but %j is a text like another, and comes back as it was',
    async (custom) => {
      const { page, billId } = await newBill(stack.demo, { custom, description: custom, amount: '3' });
      const markup = await (await fetch(page)).text();
      expect(markup).not.toContain('<b>');
      const item = (await tables.items()).find(({ PK, SK }) => PK === `B#${billId}` && SK === 'B');
      expect(item?.['custom']).toBe(custom);
    },
  );

  it('and the functions logged no error and made no call that their roles do not allow', () => {
    expect(stack.logs().filter((line) => /"level":"(error|alarm)"|Error/.test(line))).toEqual([]);
    expect(stack.refusals()).toEqual([]);
  });
});
