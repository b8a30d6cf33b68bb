import * as z from 'zod/mini';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../lib/contract/routes.ts';
import { toShopId } from '../../lib/ids.ts';
import { dynamoEndpoints } from '../../lib/store/endpoints.ts';
import { form, json, jsonText, multipart, type Sent } from '../support/api-event.ts';
import { newBill, paid } from '../support/merchant-calls.ts';
import { rawRequest } from '../support/raw-request.ts';
import { type Operator, operatorAt } from '../support/stack-operator.ts';
import { tablesOf, type Tables } from '../support/stack-tables.ts';
import { type Stack, startStack } from '../support/stack.ts';

type Fields = Readonly<Record<string, string>>;
/** A valid request of an endpoint, with the names of its optional fields. */
type Request = { readonly fields: Fields; readonly optional: readonly string[] };
/** The same request as another client sends it. */
type Tolerance = readonly [what: string, spelled: (request: Request) => Sent & { readonly slash?: true }];

let stack: Stack;
let operator: Operator;
let tables: Tables;
let requests: Readonly<Record<string, Fields>>;

const million = '1000000';
/** Answers that are not 200: these would be sent ten times in a minute at most. Each has found what the fields name. */
const refused: Readonly<Record<string, object>> = {
  'postback/replay': { status: 400, body: { message: 'api:error.endpoint_paused' } },
  'postback/test': { status: 400, body: { message: 'api:error.postback_url_missing' } },
};

beforeAll(async () => {
  stack = await startStack({ urls: { resultUrl: 'http://127.0.0.1:9/result' } });
  [operator, tables] = [await operatorAt(stack), tablesOf(stack)];
  await dynamoEndpoints(tables.table).pause(toShopId(stack.demo.shopId));
  const { merchantId, shopId } = stack.demo;
  await operator.json(`terms set ${merchantId} RUB --day-limit 90000000 --month-limit 90000000`);
  const { billId: id, paymentId } = await paid(stack.demo, { amount: '90000000' });
  const { paymentId: payment_id } = await paid(stack.demo, { amount: '3000000' });
  const { paymentId: whole } = await paid(stack.demo, { amount: million });
  const { id: payout_account_id } = await operator.json(
    `account add ${merchantId} --type sbp --number 79123456789 --currency RUB`,
  );
  requests = {
    'bill/create': {
      amount: million,
      shop_id: shopId,
      currency_in: 'RUB',
      type: 'normal',
      payer_pays_commission: '0',
    },
    'bill/toggle_activity': { id: (await newBill(stack.demo)).billId, active: '0' },
    'bill/payments': { id, limit: '10' },
    'bill/status': { id },
    'payment/status': { id: paymentId },
    'merchant/balance': {},
    'payout/personal/create': { amount: million, payout_account_id },
    'payout/regular/create': {
      amount: million,
      currency: 'RUB',
      account_type: 'sbp',
      account_identifier: '79123456789',
      account_bank: '100000000004',
    },
    'payout/status': { order_id: 'out-1' },
    'payout/dictionaries/sbp_banks': {},
    'payout/cancel': { order_id: 'out-1' },
    'payout/quote': { amount: million, payout_account_id },
    'bill/search': { per_page: '1', active: '0' },
    'payment/search': { status: 'SUCCESS' },
    'payout/search': { status: 'MODERATING' },
    'refund/search': { status: 'SUCCESS' },
    'refund/full/create': { payment_id: whole, reason: 'Out of stock' },
    'refund/partial/create': { payment_id, amount: million },
    'postback/list': { payment_id: paymentId },
    'postback/replay': { id: `pay.${paymentId}.SUCCESS` },
    'postback/test': { kind: 'refund', status: 'SUCCESS', shop_id: shopId },
  };
  const named = { ...requests['payout/regular/create'], order_id: 'out-1' };
  expect((await send('POST', 'payout/regular/create', form(named))).status).toBe(200);
  await send('POST', 'refund/full/create', form(requests['refund/full/create']!));
  const { body } = await send('POST', 'refund/partial/create', form(requests['refund/partial/create']!));
  // Its answers do not change any more.
  await stack.sweep();
  requests = { ...requests, 'refund/status': refundIn.parse(body) };
}, 120_000);

afterAll(async () => {
  tables.close();
  await operator.leave();
  await stack.stop();
});

/** Under its key a refund is created once: another spelling of it is answered with the same, another refund with a refusal. */
async function send(method: string, path: string, { query, headers, body, slash }: ReturnType<Tolerance[1]>) {
  const pairs = Object.entries(query ?? {}).map(([name, value]): [string, string] => [name, String(value)]);
  const url = `/api/v1/${path}${slash ? '/' : ''}?${new URLSearchParams(pairs).toString()}`;
  const authorization = `Bearer ${stack.demo.apiToken}`;
  const answer = await rawRequest(stack.baseUrl, url, {
    method,
    headers: { ...headers, ...(path.startsWith('refund/') && { 'Idempotency-Key': path }), authorization },
    ...(body !== undefined && { body }),
  });
  const answered: unknown = JSON.parse(answer.body);
  return { status: answer.status, type: answer.headers['content-type'], body: answered };
}

const refundIn = z.object({ id: z.string() });

const each = <T>(names: Iterable<string>, value: T): Readonly<Record<string, T>> =>
  Object.fromEntries([...names].map((name) => [name, value]));
const all = <T>(fields: Fields, value: T) => each(Object.keys(fields), value);
const first = (fields: Fields): Fields => Object.fromEntries(Object.entries(fields).slice(0, 1));
const rest = (fields: Fields): Fields => Object.fromEntries(Object.entries(fields).slice(1));
/** `custom` is kept when it is empty. */
const empty = (optional: readonly string[]) =>
  each(
    optional.filter((name) => name !== 'custom'),
    '',
  );
const numbers = (fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, /^\d+$/.test(text) ? Number(text) : text]),
  );
const unknown = { foo: 'bar', _token: 'x', '': 'x' };
const nested = { 'goods[0][name]': 'Tea', 'goods[1][name]': 'Cake', 'meta[a][b]': '1', 'list[]': '1' };
const nestedJson = { goods: [{ name: 'Tea' }, { name: null }], meta: { a: { b: [1] } }, list: [1, 2] };

const cyrillic = { 'Content-Type': 'application/x-www-form-urlencoded; charset=windows-1251' };
const respelled = (fields: Fields, names: readonly string[], spell: (text: string) => string): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, names.includes(name) ? spell(text) : text]),
  );
const betweenBlanks = (fields: Fields) =>
  respelled(fields, ['id', 'shop_id', 'payout_account_id', 'account_bank'], (text) => ` ${text}\n`);
const inAnotherCase = (fields: Fields) =>
  respelled(fields, ['currency', 'currency_in', 'account_type', 'type'], (text) =>
    text.toLowerCase().replace(/.$/, (last) => last.toUpperCase()),
  );

const onPost: readonly Tolerance[] = [
  ['multipart', ({ fields }) => multipart(fields)],
  ['JSON', ({ fields }) => json(fields)],
  ['JSON with numbers', ({ fields }) => json(numbers(fields))],
  ['the query alone', ({ fields }) => ({ query: fields })],
  ['a form over other values in the query', ({ fields }) => form(fields, { query: all(fields, 'x') })],
  ['JSON over other values in the query', ({ fields }) => json(fields, { query: all(fields, 'x') })],
  [
    'multipart over other values in the query',
    ({ fields }) => multipart(fields, { query: all(fields, 'x') }),
  ],
  [
    'the first field in the query, the others in a form',
    ({ fields }) => form(rest(fields), { query: first(fields) }),
  ],
  ['nulls beside the query', ({ fields }) => json(all(fields, null), { query: fields })],
  ['empty fields beside the query', ({ fields }) => form(all(fields, ''), { query: fields })],
  ['nulls for what it does without', ({ fields, optional }) => json({ ...fields, ...each(optional, null) })],
  ['empty text for what it does without', ({ fields, optional }) => form({ ...fields, ...empty(optional) })],
  ['fields that nobody knows', ({ fields }) => form({ ...unknown, ...fields })],
  ['JSON fields that nobody knows', ({ fields }) => json({ ...unknown, ...fields })],
  ['nested fields', ({ fields }) => form({ ...nested, ...fields })],
  ['nested fields in multipart', ({ fields }) => multipart({ ...nested, ...fields })],
  ['nested JSON', ({ fields }) => json({ ...nestedJson, ...fields })],
  ['ids between blanks', ({ fields }) => form(betweenBlanks(fields))],
  ['words in another case', ({ fields }) => form(inAnotherCase(fields))],
  ['ASCII under the label of another charset', ({ fields }) => form(fields, { headers: cyrillic })],
  ['a slash behind the path', ({ fields }) => ({ ...form(fields), slash: true })],
  ['a slash behind the path, before the query', ({ fields }) => ({ query: fields, slash: true })],
];

const exponent = { amount: '1e+06' };
const ofAnAmount: readonly Tolerance[] = [
  ['1e+06 in a form', ({ fields }) => form({ ...fields, ...exponent })],
  ['1e+06 in multipart', ({ fields }) => multipart({ ...fields, ...exponent })],
  ['1e+06 in the query', ({ fields }) => ({ query: { ...fields, ...exponent } })],
  ['1e+06 as JSON text', ({ fields }) => json({ ...fields, ...exponent })],
  [
    '1e+06 as a JSON number',
    ({ fields }) => jsonText(JSON.stringify({ ...fields, ...exponent }).replace('"1e+06"', '1e+06')),
  ],
  ['four decimals between blanks', ({ fields }) => form({ ...fields, amount: ' 1000000.0000 ' })],
  ['float noise in a form', ({ fields }) => form({ ...fields, amount: '999999.9999999999' })],
  ['float noise as a JSON number', ({ fields }) => json({ ...fields, amount: 999_999.999_999_999_9 })],
];

const flags = ['active', 'payer_pays_commission'];
const withFlags = <T>(fields: Fields, value: T) => ({
  ...fields,
  ...each(
    flags.filter((name) => name in fields),
    value,
  ),
});
const inAQuery = (fields: Fields): Sent => ({ query: fields });
const ofAFlag = (text: (fields: Fields) => Sent): readonly Tolerance[] => [
  ['a flag as a word', ({ fields }) => text(withFlags(fields, 'false'))],
  ['a flag as a checkbox', ({ fields }) => text(withFlags(fields, 'Off'))],
  ['a flag as another word', ({ fields }) => text(withFlags(fields, 'no'))],
  ['a flag as JSON', ({ fields }) => json(withFlags(fields, false))],
];

const onGet: readonly Tolerance[] = [
  ['a JSON body', ({ fields }) => json(fields)],
  [
    'a JSON body that its header calls text',
    ({ fields }) => ({ ...json(fields), headers: { 'Content-Type': 'text/plain' } }),
  ],
  ['a JSON body with numbers', ({ fields }) => json(numbers(fields))],
  ['a JSON body for what the query lacks', ({ fields }) => json(rest(fields), { query: first(fields) })],
  ['a query that wins over a JSON body', ({ fields }) => json(all(fields, 'x'), { query: fields })],
  ['empty fields in the query beside a JSON body', ({ fields }) => json(fields, { query: all(fields, '') })],
  ['a broken body beside the query', ({ fields }) => jsonText('{"id":', { query: fields })],
  ['a JSON list beside the query', ({ fields }) => jsonText('[1]', { query: fields })],
  ['a form beside the query', ({ fields }) => form(all(fields, 'x'), { query: fields })],
  ['multipart beside the query', ({ fields }) => multipart(all(fields, 'x'), { query: fields })],
  ['nulls for what it does without', ({ fields, optional }) => json({ ...fields, ...each(optional, null) })],
  [
    'empty text for what it does without',
    ({ fields, optional }) => ({ query: { ...fields, ...empty(optional) } }),
  ],
  ['fields that nobody knows', ({ fields }) => ({ query: { ...unknown, ...fields } })],
  ['nested fields', ({ fields }) => ({ query: { ...nested, ...fields } })],
  ['nested JSON', ({ fields }) => json({ ...nestedJson, ...unknown, ...fields })],
  ['ids between blanks', ({ fields }) => ({ query: betweenBlanks(fields) })],
  ['a slash behind the path', ({ fields }) => ({ query: fields, slash: true })],
];

const documented = z.object({ properties: z.optional(z.record(z.string(), z.unknown())) });
const namesOf = (input: z.ZodMiniType) =>
  Object.keys(documented.parse(z.toJSONSchema(input, { io: 'input' })).properties ?? {});

const news = new Set([
  'PK',
  'bill_id',
  'link_url',
  'link_page_url',
  'id',
  'created_at',
  'createdAt',
  'listAt',
]);
/** Values that differ each time are replaced by their kind. */
const apartFromNews = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, inner: unknown) => (news.has(name) ? typeof inner : inner));

/** A cursor has the time to which the first page went back. */
const apartFromCursors = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, inner: unknown) =>
    name === 'next' || name === 'next_cursor' ? typeof inner : inner,
  );

const billIn = z.object({ bill_id: z.string() });
const itemOf = async (body: unknown) => {
  const key = `B#${billIn.parse(body).bill_id}`;
  return (await tables.items()).find(({ PK, SK }) => PK === key && SK === 'B')!;
};

/** The content of a response; bill/create says so little that the created bill is compared, too. */
async function told(
  path: string,
  { status, type, body }: Awaited<ReturnType<typeof send>>,
): Promise<unknown> {
  if (path === 'bill/create') return [status, type, apartFromNews([body, await itemOf(body)])];
  if (path.endsWith('/search')) return [status, type, apartFromCursors(body)];
  return [status, type, path.startsWith('payout/') && path.endsWith('create') ? apartFromNews(body) : body];
}

describe.each(
  contract.map(({ method, path, input }) => ({
    method,
    path: path.replace('/api/v1/', ''),
    names: namesOf(input),
  })),
)('$method $path takes', ({ method, path, names }) => {
  const tolerances = [
    ...(method === 'GET' ? onGet : onPost),
    ...(names.includes('amount') ? ofAnAmount : []),
    ...(names.some((name) => flags.includes(name)) ? ofAFlag(method === 'GET' ? inAQuery : form) : []),
  ];
  let plain: Awaited<ReturnType<typeof send>>;

  beforeAll(async () => {
    const fields = requests[path]!;
    plain = await send(method, path, method === 'GET' ? { query: fields } : form(fields));
    expect(plain).toMatchObject(refused[path] ?? { status: 200, type: 'application/json' });
  });

  it.each(tolerances)('%s', async (_what, spelled) => {
    const fields = requests[path]!;
    const optional = names.filter((name) => !(name in fields));
    const answer = await send(method, path, spelled({ fields, optional }));
    expect(await told(path, answer)).toEqual(await told(path, plain));
  });
});

it.each([
  ['an empty custom', '', ''],
  ['a custom of JSON', { cart: [1, null], 'к\u0301': '"' }, '{"cart":[1,null],"к\u0301":"\\""}'],
  ['a custom that is a number', 1e21, '1e+21'],
])('bill/create keeps %s', async (_what, custom, kept) => {
  const { status, body } = await send('POST', 'bill/create', json({ ...requests['bill/create'], custom }));
  expect(status).toBe(200);
  expect((await itemOf(body))['custom']).toBe(kept);
});

it.each([
  ['a form', form],
  ['multipart', multipart],
])('bill/create keeps the keys of a custom in %s', async (_encoding, encoded) => {
  const keys = { 'custom[user]': '7', 'custom[cart][0]': 'Tea', 'custom[cart][1]': 'Чай' };
  const { status, body } = await send(
    'POST',
    'bill/create',
    encoded({ ...requests['bill/create'], ...keys }),
  );
  expect(status).toBe(200);
  expect((await itemOf(body))['custom']).toBe('{"user":"7","cart":["Tea","Чай"]}');
});
