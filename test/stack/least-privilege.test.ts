import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environments } from '../../lib/installation/environments.ts';
import { namesOf } from '../../lib/installation/names.ts';
import { toPaymentId } from '../../lib/ids.ts';
import { payBill } from '../../lib/cli/payer.ts';
import { addPayoutAccount } from '../../lib/payout/payout-accounts.ts';
import { sealerUnder } from '../../lib/provider/kms.ts';
import { readSecret } from '../../lib/provider/secrets-manager.ts';
import { system } from '../../lib/runtime/system.ts';
import { dynamoAutoPayouts } from '../../lib/store/auto-payouts.ts';
import { dynamoMerchants } from '../../lib/store/merchants.ts';
import { paymentKey } from '../../lib/store/payment-item.ts';
import { dynamoPayoutAccounts } from '../../lib/store/payout-accounts.ts';
import { backOff } from '../../lib/runtime/back-off.ts';
import { dynamoSbpBanks } from '../../lib/store/sbp-banks.ts';
import { openTable } from '../../lib/store/table.ts';
import { aRecordingReceiver } from '../support/receiver.ts';
import { balanceOf } from '../support/merchant-calls.ts';
import { type Stack, startStack } from '../support/stack.ts';

/** Without moderation, so that a payout completes by itself; and with a rolling reserve. */
const everything = 9_999_999_999;
const terms = JSON.stringify({
  ...environments.local.terms,
  autoApproveUpToMinor: everything,
  autoApproveDayTotalMinor: everything,
  reserveBasisPoints: 1_000,
  reserveDays: 1,
});
const names = namesOf('local');

let stack: Stack;
let receiver: Awaited<ReturnType<typeof aRecordingReceiver>>;

beforeAll(async () => {
  receiver = await aRecordingReceiver();
  const urls = { resultUrl: receiver.url, payoutWebhookUrl: receiver.url };
  stack = await startStack({ variables: { TERMS_DEFAULTS: terms }, urls });
});
afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
  await stack.stop();
});

type Fields = Readonly<Record<string, string>>;

async function call(
  method: 'GET' | 'POST',
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<Fields> {
  const form = new URLSearchParams(fields);
  const url = `${stack.baseUrl}/api/v1/${path}${method === 'GET' ? `?${form.toString()}` : ''}`;
  const headers = { authorization: `Bearer ${stack.demo.apiToken}` };
  const response = await fetch(url, { method, headers, ...(method === 'POST' && { body: form }) });
  expect(response.status, `${path}: ${await response.clone().text()}`).toBe(200);
  const answer: Fields = JSON.parse(await response.text());
  return answer;
}

const createBill = (amount: string, more: Readonly<Record<string, string>> = {}) =>
  call('POST', 'bill/create', { amount, shop_id: stack.demo.shopId, ...more });
const pay = (bill: Fields, cardNumber: string) => payBill(new URL(bill['link_page_url'] ?? ''), cardNumber);
const told = (field: string, value: string) =>
  receiver.received.some(({ body }) => new URLSearchParams(body).get(field) === value);

describe('the rights of each role', () => {
  it('are enough for a bill, from its creation to its postback', async () => {
    const payer = { payer_email: 'ivan@example.ru', 'items[0][name]': 'Tea', 'items[0][price]': '5000' };
    const bill = await createBill('5000', { order_id: 'order-1', payer_pays_commission: '1', ...payer });
    expect(bill).toMatchObject({ payer_email: 'i***@e***.ru' });
    expect(bill).not.toHaveProperty('ignored');
    await fetch(`${stack.baseUrl}/link/${bill['bill_id']}`);
    const paid = await pay(bill, '4000000000003220');
    expect(paid.status).toBe('SUCCESS');

    const found = await call('GET', 'bill/status', { id: paid.billId });
    expect(found).toMatchObject({ status: 'SUCCESS', payer_email: 'i***@e***.ru' });
    await call('GET', 'bill/status', { order_id: 'order-1' });
    const missing = `${stack.baseUrl}/api/v1/bill/status?order_id=order-0`;
    const headers = { authorization: `Bearer ${stack.demo.apiToken}` };
    expect((await fetch(missing, { headers })).status, 'looked for in every place').toBe(422);
    for (const query of [{}, { order_id: 'order-1' }, { status: 'SUCCESS' }])
      for (const noun of ['bill', 'payment', 'payout', 'refund']) await call('GET', `${noun}/search`, query);
    await call('GET', 'payment/search', { bill_id: paid.billId });
    await call('GET', 'refund/search', { payment_id: paid.paymentId });
    await call('GET', 'payment/status', { id: paid.paymentId });
    await call('GET', 'bill/payments', { id: paid.billId });
    await call('GET', 'merchant/balance', {});
    await fetch(`${stack.baseUrl}/redirect/payment/success?TrsId=${paid.paymentId}`);
    await expect.poll(() => told('TrsId', paid.paymentId), { timeout: 20_000 }).toBe(true);
  });

  it('are enough for a refused card and a switched-off bill', async () => {
    const bill = await createBill('10', { type: 'multi' });
    expect((await pay(bill, '4000000000000002')).status).toBe('FAIL');
    await call('POST', 'bill/toggle_activity', { id: bill['bill_id'] ?? '', active: '0' });
  });

  it('are enough for the release of a reserve', async () => {
    const bill = await createBill('100');
    const paid = await pay(bill, '4111111111111111');
    const reservedOf = async () => (await balanceOf(stack.demo)).reserved;
    const before = Number(await reservedOf());
    expect(before).toBeGreaterThan(0);

    const database = new DynamoDBClient(stack.client('DYNAMODB'));
    const { client, name: TableName } = openTable(database, names.table, backOff);
    const yesterday = new Date(Date.now() - 24 * 3600_000).toISOString();
    await client.send(
      new UpdateCommand({
        TableName,
        Key: paymentKey(toPaymentId(paid.paymentId)),
        UpdateExpression: 'SET reserve.releaseAt = :yesterday, workDue = :yesterday, nextCheck = :yesterday',
        ExpressionAttributeValues: { ':yesterday': yesterday },
      }),
    );
    database.destroy();
    await stack.sweep();
    // A tenth of 100.00 less the fee of 2 %.
    await expect.poll(async () => before - Number(await reservedOf()), { timeout: 20_000 }).toBeCloseTo(9.8);
  });

  it('are enough for payouts of each kind, from their creation to their postback', async () => {
    const database = new DynamoDBClient(stack.client('DYNAMODB'));
    const kms = new KMSClient(stack.client('KMS'));
    const secrets = new SecretsManagerClient(stack.client('SECRETS_MANAGER'));
    const table = openTable(database, names.table, backOff);
    const { merchantId } = stack.demo;
    const added = await addPayoutAccount(
      {
        ...system,
        merchants: dynamoMerchants(table),
        payoutAccounts: dynamoPayoutAccounts(table),
        sbpBanks: dynamoSbpBanks(table),
        destinationSealer: sealerUnder(kms, names.alias('destinations')),
        fingerprintSecret: () => readSecret(secrets, names.secret('fingerprint')),
      },
      {
        merchantId,
        type: 'credit_card',
        number: '5555555555554444',
        currency: 'RUB',
        holder: 'ANNA IVANOVA',
      },
    );
    if (!added.ok) throw new Error(added.error);
    const account = added.value.id;

    const toPhone = {
      amount: '100',
      currency: 'RUB',
      account_type: 'sbp',
      account_identifier: '+7 912 345-67-89',
      account_bank: '100000000111',
      order_id: 'payout-1',
    };
    // The second is a possible duplicate, which no rule releases.
    const { order_id: _named, ...unnamed } = { ...toPhone, amount: '5' };
    await call('POST', 'payout/regular/create', unnamed);
    const { data } = await call('POST', 'payout/regular/create', unnamed);
    await call('POST', 'payout/cancel', { id: Array.isArray(data) ? data[0].id : '' });
    await call('POST', 'payout/quote', toPhone);
    const regular = await call('POST', 'payout/regular/create', toPhone);
    await call('POST', 'payout/quote', toPhone);
    const personal = await call('POST', 'payout/personal/create', {
      amount: '50',
      payout_account_id: account,
    });
    await dynamoAutoPayouts(table).set({
      merchantId,
      accountId: account,
      thresholdMinor: 100n,
      weekday: 'Mon',
      hour: 0,
      nextAt: new Date(0),
      lastRun: undefined,
    });
    await stack.invoke('payout-auto');
    expect(await stack.invoke('payout-banks', {})).toEqual({ outcome: 'built_in' });
    await call('GET', 'payout/status', { order_id: 'payout-1' });
    await call('GET', 'payout/dictionaries/sbp_banks', {});
    expect([regular, personal]).toHaveLength(2);
    await expect.poll(() => told('IsAuto', 'true'), { timeout: 20_000 }).toBe(true);
    database.destroy();
    kms.destroy();
    secrets.destroy();
  });

  it('are enough for a round of every sweep', () => stack.sweep());
});
