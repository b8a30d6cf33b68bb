import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { type Account, balanceOf, get, paid, post } from '../support/merchant-calls.ts';
import { aMerchantServer, md5Of, type MerchantServer } from '../support/merchant-server.ts';
import { sandboxBooks } from '../support/sandbox-books.ts';
import { type Operator, operatorAt } from '../support/stack-operator.ts';
import { tablesOf, type Tables } from '../support/stack-tables.ts';
import { type Stack, startStack } from '../support/stack.ts';

let server: MerchantServer;
let stack: Stack;
let operator: Operator;
let tables: Tables;
let merchant: Account & { readonly merchantId: string; readonly payoutWebhookSecret: string };

beforeAll(async () => {
  server = await aMerchantServer();
  stack = await startStack();
  [operator, tables] = [await operatorAt(stack), tablesOf(stack)];
  const { merchantId, apiToken, payoutWebhookSecret } = await operator.json('merchant create "Corner Cafe"');
  await operator.json(
    `merchant set ${merchantId} --verified yes --regular-payouts yes --payout-webhook-url ${server.url('payout')}`,
  );
  const { shopId } = await operator.json(`shop create ${merchantId} --name Cafe`);
  merchant = { baseUrl: stack.baseUrl, merchantId, apiToken, payoutWebhookSecret, shopId };
  await paid(merchant, { amount: '2000000' });
}, 120_000);

afterAll(async () => {
  tables.close();
  await operator.leave();
  await stack.stop();
  await server.close();
});

const bySbp = (phone: string, amount: string, more: Readonly<Record<string, string>> = {}) =>
  post(merchant, 'payout/regular/create', {
    amount,
    currency: 'RUB',
    account_type: 'sbp',
    account_identifier: phone,
    account_bank: '100000000004',
    ...more,
  });
const byCard = (number: string, amount: string, more: Readonly<Record<string, string>> = {}) =>
  post(merchant, 'payout/regular/create', {
    amount,
    currency: 'RUB',
    account_type: 'credit_card',
    account_identifier: number,
    card_holder: 'IVAN PETROV',
    ...more,
  });

const payouts = z.array(z.looseObject({ id: z.string(), status: z.string() }));
const firstOf = ({ body }: { readonly body: Readonly<Record<string, unknown>> }) =>
  payouts.parse(body['data'])[0]!;
const statusOf = async (id: string) => (await get(merchant, 'payout/status', { id })).body['status'];
const kopecks = async () => {
  const { available, locked, hold } = await balanceOf(merchant);
  return [available, locked, hold].map((text) => Math.round(Number(text) * 100));
};
const sentFor = async (id: string) =>
  (await sandboxBooks(stack)).transfers.find(({ key }) => key === id)?.paidOut;

/** Lets hours pass, running the schedules, until the payouts are final. */
const seenThrough = (ids: readonly string[], status: string) =>
  vi.waitFor(
    async () => {
      await tables.letTimePass();
      await stack.sweep();
      expect(await Promise.all(ids.map(statusOf))).toEqual(ids.map(() => status));
    },
    { timeout: 25_000, interval: 100 },
  );

async function heard(id: string) {
  const { fields, headers, body } = await server.postback('payout', { TrsId: id });
  new Webhook(merchant.payoutWebhookSecret).verify(body, headers, { jsonParse: false });
  expect(fields['SignatureValue']).toBe(md5Of(fields['Amount'], id, merchant.apiToken));
  const { SignatureValue: _checked, ...said } = fields;
  return said;
}

describe('a payout over HTTP', () => {
  it('waits for the operator, is sent once approved, and its postback has every field', async () => {
    const [available = 0, locked = 0, hold = 0] = await kopecks();
    const made = await bySbp('+7 (912) 345-67-89', '1000.50', { order_id: 'out-1' });
    expect(made.status).toBe(200);
    const { id, ...rest } = firstOf(made);
    expect(rest).toMatchObject({ status: 'MODERATING', amount: 1000.5, commission: 10.01, currency: 'RUB' });
    expect(JSON.stringify(made.body)).not.toContain('9123456789');
    expect(await kopecks()).toEqual([available - 1010_51, locked + 1000_50, hold + 10_01]);
    const waiting: unknown = await operator.json('payouts list --moderating');
    expect(waiting).toMatchObject([{ id, status: 'MODERATING' }]);

    await operator.json(`payouts approve ${id}`);

    expect(await heard(id)).toEqual({
      TrsId: id,
      Amount: '1000.50',
      IsAuto: 'false',
      Status: 'SUCCESS',
      Currency: 'RUB',
      Commission: '10.01',
      AccountType: 'QIWI',
      AccountNumber: '79123456789',
      BalanceAmount: '1010.51',
      BalanceCommission: '10.01',
      BalanceCurrency: 'RUB',
      CommissionApplyType: 'sender',
    });
    expect(await kopecks()).toEqual([available - 1010_51, locked, hold]);
    expect(await sentFor(id)).toBe(1000_50);
    const byId = await get(merchant, 'payout/status', { id });
    const byOrder = await get(merchant, 'payout/status', { order_id: 'out-1' });
    expect(byId.body).toMatchObject({ success: true, id, status: 'SUCCESS' });
    expect(byOrder.body).toEqual(byId.body);
  });

  it('that the operator declines is released to the balance, with a postback', async () => {
    const before = await kopecks();
    const { id } = firstOf(await byCard('4111111111111111', '200'));

    await operator.json(`payouts decline ${id} --reason "not their card"`);

    expect(await heard(id)).toMatchObject({
      Status: 'DECLINED',
      AccountType: 'BANK_CARD',
      AccountNumber: '411111******1111',
    });
    expect(await kopecks()).toEqual(before);
    expect(await sentFor(id)).toBeUndefined();
  });

  it('that the rail refuses is released to the balance', async () => {
    const before = await kopecks();
    const { id } = firstOf(await byCard('4000000000000002', '300'));
    await operator.json(`payouts approve ${id}`);

    expect(await heard(id)).toMatchObject({ Status: 'FAIL', Amount: '300.00', BalanceAmount: '303.00' });
    expect(await kopecks()).toEqual(before);
    expect(await sentFor(id)).toBeUndefined();
  });

  it('arrives once, whatever happens to the rail’s responses', async () => {
    const rule = '--auto-approve-up-to 100000 --auto-approve-day-total 1000000';
    await operator.json(`terms set ${merchant.merchantId} RUB ${rule}`);
    const [available = 0, locked, hold] = await kopecks();
    const phones = ['79000000002', '79000000004', '79000000005', '79000000006', '79000000007', '79000000008'];
    const made = await Promise.all(phones.map((phone) => bySbp(phone, '10')));
    expect(made.map((each) => firstOf(each).status)).toEqual(phones.map(() => 'NEW'));
    const ids = made.map((each) => firstOf(each).id);

    await seenThrough(ids, 'SUCCESS');

    expect(await Promise.all(ids.map(sentFor))).toEqual(phones.map(() => 10_00));
    expect(await kopecks()).toEqual([available - phones.length * 10_10, locked, hold]);
    await Promise.all(ids.map(heard));
  });

  it('too large for one is split, and is shown as a whole with its parts', async () => {
    await operator.json(`terms set ${merchant.merchantId} RUB --auto-approve-up-to 0`);
    const made = await bySbp('79123456789', '500000.50', { order_id: 'large' });

    const parts = payouts.parse(made.body['data']);
    expect(parts.map(({ amount }) => amount)).toEqual([499_999.5, 1]);
    await operator.json(`payouts approve ${parts[1]!.id}`);
    await heard(parts[1]!.id);

    const whole = await get(merchant, 'payout/status', { order_id: 'large' });
    expect(whole.body).toMatchObject({
      id: parts[0]!.id,
      amount: 500_000.5,
      commission: 5000.01,
      status: 'MODERATING',
      data: [{ status: 'MODERATING' }, { status: 'SUCCESS' }],
    });
    await operator.json(`payouts decline ${parts[0]!.id} --reason "too much at once"`);
    expect(await heard(parts[0]!.id)).toMatchObject({ Status: 'DECLINED', Amount: '499999.50' });
  });

  it('goes to a stored account, unless that is banned, not available or another merchant’s', async () => {
    const add = `account add ${merchant.merchantId} --type card --number 4111111111111111 --currency RUB`;
    const { id: account } = await operator.json(add);
    const ask = (payout_account_id: string) =>
      post(merchant, 'payout/personal/create', { amount: '15', payout_account_id });
    const { id } = firstOf(await ask(account));
    await operator.json(`payouts approve ${id}`);
    expect(await heard(id)).toMatchObject({ Status: 'SUCCESS', AccountNumber: '411111******1111' });

    const others = await operator.json(
      `account add ${stack.demo.merchantId} --type sbp --number 79123456789 --currency RUB`,
    );
    const refused = async (which: string) => (await ask(which)).body['message'];
    expect(await refused(others.id)).toBe('api:error.payout_account_not_found');
    await operator.json(`account set ${account} --merchant ${merchant.merchantId} --available no`);
    expect(await refused(account)).toBe('api:error.direction_not_available');
    await operator.json(`account set ${account} --merchant ${merchant.merchantId} --banned yes`);
    expect(await refused(account)).toBe('api:error.payout_account_banned');
  });

  it('finds its bank in the dictionary', async () => {
    const { status, body } = await get(merchant, 'payout/dictionaries/sbp_banks');
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true });
    const banks = z.array(z.object({ member_id: z.number(), bic: z.string() })).parse(body['data']);
    expect(banks.some(({ member_id }) => member_id === 100_000_000_004)).toBe(true);
    expect((await bySbp('79123456789', '10', { account_bank: '1' })).status).toBe(422);
  });

  it('is another merchant’s secret', async () => {
    const { id } = firstOf(await bySbp('79123456789', '10'));
    expect(await get(stack.demo, 'payout/status', { id })).toMatchObject({
      status: 422,
      body: { success: false, message: 'api:error.payout_not_found' },
    });
  });

  it('makes no call that the roles do not allow, and the books balance to the kopeck', async () => {
    expect(stack.refusals()).toEqual([]);
    expect(await operator.json('audit')).toMatchObject({ agrees: true, differences: [] });
  });
});
