import { randomBytes } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { newBillId, newPaymentId, toMerchantId, toPaymentId, toShopId } from '../../lib/ids.ts';
import type { Demo } from '../../lib/installation/data-folder.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ErrorRow, errorTable } from '../../lib/contract/error-table.ts';
import { invalidDataMessage, meanings } from '../../lib/contract/refusals.ts';
import { isEndedRefund } from '../../lib/refund/refund.ts';
import { credit, dynamoBalances } from '../../lib/store/balances.ts';
import { dynamoBills } from '../../lib/store/bills.ts';
import { endpointKey } from '../../lib/store/endpoint-item.ts';
import { dynamoEndpoints } from '../../lib/store/endpoints.ts';
import { dynamoEvents } from '../../lib/store/events.ts';
import { dynamoPayments } from '../../lib/store/payments.ts';
import { dynamoRefunds } from '../../lib/store/refunds.ts';
import { transact } from '../../lib/store/transact.ts';
import { aPayment } from '../support/builders.ts';
import { type Account, type Called, cards, get, newBill, paid, post } from '../support/merchant-calls.ts';
import { anEvent, given } from '../support/postbacks.ts';
import { type Operator, operatorAt } from '../support/stack-operator.ts';
import { tablesOf, type Tables } from '../support/stack-tables.ts';
import { type Stack, startStack } from '../support/stack.ts';

type Place = { readonly stack: Stack; readonly operator: Operator; readonly tables: Tables };
/** Verified, subscribed, allowed regular payouts; a shop, and nothing on the balance. */
type Merchant = Account & Pick<Demo, 'merchantId' | 'shopId'> & { readonly place: Place };
type Fields = Readonly<Record<string, string>>;
type Request = { readonly from: Merchant; readonly fields: Fields; readonly headers?: Fields };
/** A valid request of the endpoint. */
type Asking = (from: Merchant) => Request | Promise<Request>;
/** How a merchant gets this error, or why none can. */
type Way = string | Asking;
type Ways = Readonly<Record<string, Way>>;

const alwaysThere =
  'A token lies in the table only together with its merchant, so whoever passed the authorizer exists.';
const noAccount = 'A regular payout names no stored account.';
const nothingBroken =
  'No request can break what the code may rely on: test/http/general-error.test.ts breaks it from inside.';

let main: Place;
/** As in an environment without a rail. */
let withoutRail: Place;

beforeAll(async () => {
  [main, withoutRail] = await Promise.all([aPlace(), aPlace({ PAYOUT_ROUTES: '{}' })]);
}, 120_000);

afterAll(async () => {
  for (const { stack, operator, tables } of [main, withoutRail]) {
    tables.close();
    await operator.leave();
    await stack.stop();
  }
});

async function aPlace(variables?: Fields): Promise<Place> {
  const stack = await startStack({ ...(variables && { variables }) });
  return { stack, operator: await operatorAt(stack), tables: tablesOf(stack) };
}

async function aMerchant(place: Place): Promise<Merchant> {
  const { merchantId, apiToken } = await place.operator.json('merchant create "Corner Cafe"');
  await place.operator.json(`merchant set ${merchantId} --verified yes --regular-payouts yes`);
  const { shopId } = await place.operator.json(`shop create ${merchantId} --name Cafe`);
  return { place, merchantId, baseUrl: place.stack.baseUrl, apiToken, shopId };
}

/** No command credits a merchant, and a payment for each would take long. */
const withMoney = async (merchant: Merchant): Promise<Merchant> => {
  const { table } = merchant.place.tables;
  await transact(table, [credit(table, merchant.merchantId, { currency: 'RUB', minor: 1_000_000n })]);
  return merchant;
};

const operator = ({ place }: Merchant, line: string) => place.operator.json(line);
const setMerchant = (merchant: Merchant, options: string) =>
  operator(merchant, `merchant set ${merchant.merchantId} ${options}`);
const setTerms = (merchant: Merchant, options: string) =>
  operator(merchant, `terms set ${merchant.merchantId} RUB ${options}`);
const setAccount = ({ from, fields }: Request, options: string) =>
  operator(from, `account set ${fields['payout_account_id']} --merchant ${from.merchantId} ${options}`);

/** The request is prepared first, so that only the change after that can refuse it. */
const once =
  (asking: Asking, happens: (request: Request) => Promise<unknown>): Way =>
  async (merchant) => {
    const request = await asking(merchant);
    await happens(request);
    return request;
  };
const flagged = (asking: Asking, options: string): Way =>
  once(asking, ({ from }) => setMerchant(from, options));
const other =
  (asking: Asking, fields: Fields): Way =>
  async (merchant) =>
    changed(await asking(merchant), fields);
const changed = (request: Request, fields: Fields): Request => ({
  ...request,
  fields: { ...request.fields, ...fields },
});
const empty: Asking = (from) => ({ from, fields: {} });

/** Errors of the caller, whatever the request. */
const callerWays = (asking: Asking): Ways => ({
  'Unauthenticated.': once(asking, ({ from }) => operator(from, `token refresh ${from.merchantId}`)),
  ip_access_denied: once(asking, ({ from }) => setMerchant(from, '--api-addresses 203.0.113.7 --banned yes')),
  merchant_not_found: alwaysThere,
  merchant_banned: once(asking, ({ from }) => operator(from, `merchant ban ${from.merchantId}`)),
  merchant_subscription_inactive: flagged(asking, '--subscription inactive'),
  merchant_subscription_not_found: flagged(asking, '--subscription none'),
  merchant_not_verified: flagged(asking, '--verified no'),
  general_error: nothingBroken,
});

/** The same request with another amount under the same order_id or key. */
const reused =
  (path: string, asking: Asking, named: Partial<Request>): Way =>
  async (merchant) => {
    const first = await asking(merchant);
    const request = { ...first, ...named, fields: { ...first.fields, ...named.fields } };
    expect((await send('POST', path, request)).status).toBe(200);
    return changed(request, { amount: '2' });
  };
const keyed = { headers: { 'Idempotency-Key': 'key-1' } };

const bill: Asking = (from) => ({ from, fields: { amount: '1', shop_id: from.shopId } });
const ownBill: Asking = async (from) => ({ from, fields: { id: (await newBill(from)).billId } });
const toggled: Asking = async (from) => changed(await ownBill(from), { active: '0' });
const ownPayment: Asking = async (from) => ({ from, fields: { id: (await paidBill(from)).paymentId } });
const ownPayout: Asking = async (from) => {
  const order_id = 'out-1';
  const { status } = await send('POST', 'payout/regular/create', changed(await regular(from), { order_id }));
  expect(status).toBe(200);
  return { from, fields: { order_id } };
};
const personal: Asking = async (from) => {
  const account = await operator(
    from,
    `account add ${from.merchantId} --type sbp --number 79123456789 --currency RUB`,
  );
  return { from: await withMoney(from), fields: { amount: '1000', payout_account_id: account.id } };
};
const regular: Asking = async (from) => ({
  from: await withMoney(from),
  fields: {
    amount: '1000',
    currency: 'RUB',
    account_type: 'credit_card',
    account_identifier: cards.pays,
    card_holder: 'IVAN PETROV',
  },
});

const randomText = (length: number) => randomBytes(length / 2).toString('hex');
const noSuchPostback = { id: 'pay.x.SUCCESS' };
/** A postback that was given up, which nothing tries meanwhile. */
const deadPostback: Asking = async (from) => {
  const { table } = from.place.tables;
  const id = `pay.${newPaymentId(newBillId(randomText), '00000001')}.SUCCESS`;
  await given(
    table,
    anEvent({ id, merchantId: toMerchantId(from.merchantId), shopId: toShopId(from.shopId), state: 'DEAD' }),
  );
  return { from, fields: { id } };
};
const pausedPostback = once(deadPostback, ({ from }) =>
  dynamoEndpoints(from.place.tables.table).pause(toShopId(from.shopId)),
);
const pendingPostback = once(deadPostback, async ({ from, fields }) => {
  const { table } = from.place.tables;
  const event = await dynamoEvents(table).find(fields['id'] ?? '');
  await given(table, {
    ...event!,
    state: 'PENDING',
    nextAt: new Date('2099-01-01'),
    createdAt: new Date('2099-01-01'),
  });
});
/** The URL of nobody: a test that would be sent is refused there. */
const testable: Asking = async (from) => {
  await operator(from, `shop set ${from.shopId} --result-url http://127.0.0.1:9/result`);
  return { from, fields: { shop_id: from.shopId } };
};
/** In this minute and the next, so that no minute begins in between. */
const askedTooOften = (asking: Asking): Way =>
  once(asking, async ({ from }) => {
    const { client, name: TableName } = from.place.tables.table;
    const askedMinute = new Date(Date.now() + 60_000).toISOString().slice(0, 16);
    const Item = { ...endpointKey(toShopId(from.shopId)), askedMinute, asked: 10 };
    await client.send(new PutCommand({ TableName, Item }));
  });

/** Without a notification, so that nothing is pending when the payer returns. */
const paidBill = (merchant: Merchant) => paid(merchant, {}, cards.paysWithoutNotice);

const finishedBill: Asking = async (from) => ({
  from,
  fields: { id: (await paidBill(from)).billId, active: '0' },
});

/** The operator approves the payout, and the rail gets it. */
async function sendPayout({ from, fields }: Request): Promise<void> {
  const status = async () => (await get(from, 'payout/status', fields)).body;
  await operator(from, `payouts approve ${String((await status())['id'])}`);
  await expect.poll(async () => (await status())['status'], { timeout: 20_000 }).toBe('SUCCESS');
}

/** A stored account of the card that the request names is banned. */
async function banCard({ from }: Request): Promise<void> {
  const { merchantId } = from;
  const added = await operator(from, `account add ${merchantId} --type card --number ${cards.pays}`);
  await operator(from, `account set ${added.id} --merchant ${merchantId} --banned yes`);
}

/** Separate from the other rows, which compare the whole table. */
const thousandAndOnePayments: Asking = async () => {
  const from = await aMerchant(withoutRail);
  const { table } = from.place.tables;
  const { billId } = await newBill(from, { type: 'multi' });
  const multi = (await dynamoBills(table, () => new Date()).find(billId))!;
  const hold = { bill: multi, now: multi.createdAt, lockUntil: multi.createdAt };
  const { merchantId, shopId } = from;
  const ids = Array.from({ length: 1001 }, (_, n) => newPaymentId(billId, String(n).padStart(8, '0')));
  const payments = ids.map((id) => aPayment({ id, billId, billType: 'MULTI', merchantId, shopId }));
  for (let at = 0; at < payments.length; at += 40)
    await Promise.all(payments.slice(at, at + 40).map((each) => dynamoPayments(table).start(each, hold)));
  return { from, fields: { id: billId } };
};

const payoutWays = (path: string, asking: Asking): Ways => ({
  ...callerWays(asking),
  invalid_amount: other(asking, { amount: '0' }),
  daily_payout_limit_exceeded: once(asking, ({ from }) => setTerms(from, '--day-limit 999.99')),
  monthly_payout_limit_exceeded: once(asking, ({ from }) => setTerms(from, '--month-limit 999.99')),
  balance_not_enough: other(asking, { amount: '10000' }),
  order_id: reused(path, asking, { fields: { order_id: '1' } }),
  'Idempotency-Key': reused(path, asking, keyed),
  invalid: empty,
});

const searchWays: Ways = {
  ...callerWays(empty),
  cursor: other(empty, { cursor: 'x' }),
  finish_date: other(empty, { start_date: '2026-11-21', finish_date: '2026-11-20' }),
  invalid: other(empty, { per_page: '0' }),
};

/** Of a payment that does not exist: enough for what is checked before it is read. */
const anyRefund: Asking = (from) => ({ from, fields: { payment_id: 'x', amount: '1' } });
const anyId: Asking = (from) => ({ from, fields: { id: 'x' } });
/** Its balance has money, so that a refund of all of it could be reserved. */
const refundable: Asking = async (from) => ({
  from: await withMoney(from),
  fields: { payment_id: (await paidBill(from)).paymentId, amount: '1' },
});
const unpaid: Asking = async (from) => {
  const { table } = from.place.tables;
  const { billId } = await newBill(from);
  const open = (await dynamoBills(table, () => new Date()).find(billId))!;
  const { merchantId, shopId } = from;
  const payment = aPayment({ id: newPaymentId(billId, 'Unpaid01'), billId, merchantId, shopId });
  await dynamoPayments(table).start(payment, { bill: open, now: open.createdAt, lockUntil: open.createdAt });
  return { from, fields: { payment_id: payment.id, amount: '1' } };
};
/** The merchant has paid out what it got of the payment. */
const emptied: Asking = async (from) => {
  const { paymentId } = await paidBill(from);
  const { table } = from.place.tables;
  const [own] = await dynamoBalances(table).of(from.merchantId);
  const minor = -(own?.available ?? 0n);
  await transact(table, [credit(table, from.merchantId, { currency: 'RUB', minor })]);
  return { from, fields: { payment_id: paymentId, amount: '1' } };
};

const refundWays = (path: string): Ways => ({
  ...callerWays(anyRefund),
  payment_not_found: anyRefund,
  refund_not_available: unpaid,
  balance_not_enough: emptied,
  'Idempotency-Key': async (merchant) => {
    const request = { ...(await refundable(merchant)), ...keyed };
    expect((await send('POST', path, request)).status).toBe(200);
    await expect
      .poll(async () => (await refundsOf(request)).every(isEndedRefund), { timeout: 20_000 })
      .toBe(true);
    return changed(request, { reason: 'another' });
  },
  invalid: empty,
});

/** It is carried out a moment later, which changes the table. */
const refundsOf = ({ from, fields }: Request) =>
  dynamoRefunds(from.place.tables.table, () => new Date()).ofPayment(toPaymentId(fields['payment_id'] ?? ''));

const ways: Readonly<Record<string, Ways>> = {
  'bill/create': {
    ...callerWays(bill),
    shop_not_found: other(bill, { shop_id: 'x' }),
    access_denied: (from) => ({ from, fields: { amount: '1', shop_id: main.stack.demo.shopId } }),
    shop_not_enabled: once(bill, ({ from }) => operator(from, `shop set ${from.shopId} --enabled no`)),
    invalid_amount: other(bill, { amount: '0' }),
    no_payout: other(bill, { currency_in: 'KZT' }),
    'Idempotency-Key': reused('bill/create', bill, keyed),
    invalid: empty,
  },
  'bill/toggle_activity': {
    ...callerWays(toggled),
    bill_not_found: other(toggled, { id: 'x' }),
    bill_is_finished: finishedBill,
    invalid: other(toggled, { active: 'x' }),
  },
  'bill/payments': {
    ...callerWays(ownBill),
    bill_not_found: other(ownBill, { id: 'x' }),
    too_many_payments: thousandAndOnePayments,
    cursor: other(ownBill, { cursor: 'x' }),
    invalid: other(ownBill, { limit: 'x' }),
  },
  'bill/status': { ...callerWays(ownBill), bill_not_found: other(ownBill, { id: 'x' }), invalid: empty },
  'payment/status': {
    ...callerWays(ownPayment),
    payment_not_found: other(empty, { id: 'x' }),
    invalid: empty,
  },
  'merchant/balance': callerWays(empty),
  'payout/personal/create': {
    ...payoutWays('payout/personal/create', personal),
    payout_account_not_found: other(personal, { payout_account_id: 'x' }),
    payout_account_banned: once(personal, (request) => setAccount(request, '--banned yes')),
    direction_not_available: once(personal, (request) => setAccount(request, '--available no')),
  },
  'payout/regular/create': {
    ...payoutWays('payout/regular/create', regular),
    payout_account_not_found: noAccount,
    payout_account_banned: once(regular, banCard),
    'order_id, card': other(regular, { order_id: cards.pays }),
    account_bank: other(regular, {
      account_type: 'sbp',
      account_identifier: '79123456789',
      account_bank: '100000000999',
    }),
    direction_not_available: async () => regular(await aMerchant(withoutRail)),
    'This action is unauthorized': flagged(regular, '--regular-payouts no'),
  },
  'payout/status': { ...callerWays(ownPayout), payout_not_found: other(empty, { id: 'x' }), invalid: empty },
  'payout/dictionaries/sbp_banks': callerWays(empty),
  'payout/cancel': {
    ...callerWays(ownPayout),
    payout_not_found: other(empty, { id: 'x' }),
    transaction_rejected: once(ownPayout, sendPayout),
    invalid: empty,
  },
  'bill/search': searchWays,
  'payment/search': searchWays,
  'payout/search': searchWays,
  'refund/search': searchWays,
  'postback/list': {
    ...callerWays(deadPostback),
    postback_not_found: other(empty, noSuchPostback),
    payment_not_found: other(empty, { payment_id: 'x' }),
    payout_not_found: other(empty, { payout_id: 'x' }),
    cursor: other(empty, { date: '2026-11-21', cursor: 'x' }),
    invalid: empty,
  },
  'postback/replay': {
    ...callerWays(deadPostback),
    postback_not_found: other(empty, noSuchPostback),
    postback_under_way: pendingPostback,
    endpoint_paused: pausedPostback,
    'Too many requests.': askedTooOften(deadPostback),
    invalid: empty,
  },
  'postback/test': {
    ...callerWays(testable),
    shop_not_found: other(empty, { shop_id: 'x' }),
    access_denied: async (from) => ({ from, fields: { shop_id: (await aMerchant(main)).shopId } }),
    postback_url_missing: (from) => ({ from, fields: { shop_id: from.shopId } }),
    'Too many requests.': askedTooOften(testable),
    invalid: other(testable, { status: 'x' }),
  },
  'payout/quote': {
    ...payoutWays('payout/regular/create', regular),
    payout_account_not_found: other(personal, { payout_account_id: 'x' }),
    payout_account_banned: once(regular, banCard),
    'order_id, card': other(regular, { order_id: cards.pays }),
    account_bank: other(regular, {
      account_type: 'sbp',
      account_identifier: '79123456789',
      account_bank: '100000000999',
    }),
    direction_not_available: once(personal, (request) => setAccount(request, '--available no')),
    'This action is unauthorized': flagged(regular, '--regular-payouts no'),
  },
  'refund/full/create': refundWays('refund/full/create'),
  'refund/partial/create': {
    ...refundWays('refund/partial/create'),
    invalid_amount: other(anyRefund, { payment_id: 'BillBillBillBill00Payment1', amount: '0' }),
  },
  'refund/status': {
    ...callerWays(anyId),
    refund_not_found: anyId,
    invalid: empty,
  },
};

/** What the row is called in the table of ways. */
function nameOf({ cause, message, field }: ErrorRow): string {
  if (cause === meanings['order_id_is_card_number']) return 'order_id, card';
  return message === invalidDataMessage ? (field ?? 'invalid') : message.replace('api:error.', '');
}

const rows = errorTable().map((row) => {
  const [method = '', path = ''] = row.endpoint.replace('/api/v1/', '').split(' ');
  const title = `${row.endpoint} ${row.status} ${row.message} ${row.field ?? ''}`;
  return { row, method, path, title, way: ways[path]?.[nameOf(row)] ?? 'nobody knows' };
});

const send = (method: string, path: string, { from, fields, headers }: Request): Promise<Called> =>
  method === 'GET' ? get(from, path, fields) : post(from, path, fields, headers);

const sentences = [expect.stringMatching(/\w+ .*\.$/)];

/** The whole body of the error; the fields of `general.invalid_data` depend on the endpoint. */
function bodyOf({ status, message, field, details }: ErrorRow, body: Called['body']): unknown {
  if (status === 401) return { message };
  if (message !== invalidDataMessage && field === undefined) return { success: false, message };
  const fields = field === undefined ? Object.keys(Object(body['errors'])) : [field];
  expect(fields).not.toEqual([]);
  const errors = Object.fromEntries(fields.map((each) => [each, sentences]));
  const numbers = details && 'details' in body ? { details: expect.any(Object) } : {};
  return { success: false, message, errors, ...numbers };
}

describe('every error of the contract, over HTTP, with nothing changed by it', () => {
  it.each(rows.filter(({ way }) => typeof way !== 'string'))(
    '$title',
    { timeout: 120_000 },
    async ({ row, method, path, way }) => {
      if (typeof way === 'string') throw new Error(way);
      const request = await way(await aMerchant(main));
      const { tables } = request.from.place;
      const before = await tables.items();

      const { status, headers, body } = await send(method, path, request);

      expect([status, body]).toEqual([row.status, bodyOf(row, body)]);
      expect(headers.get('content-type')).toBe('application/json');
      expect(await tables.items()).toEqual(before);
    },
  );

  it('is reached above, or has a known reason why no merchant can get it', () => {
    const reasons: readonly Way[] = [alwaysThere, noAccount, nothingBroken];
    const unreached = rows.flatMap(({ title, way }) =>
      typeof way === 'string' && !reasons.includes(way) ? [`${title}: ${way}`] : [],
    );
    expect(unreached).toEqual([]);
  });
});
