import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { wholeProgram } from '../../lib/cli/program.ts';
import { nameOf } from '../../lib/cli/shell.ts';
import { dynamoBills } from '../../lib/store/bills.ts';
import { dynamoPayments } from '../../lib/store/payments.ts';
import { transact } from '../../lib/store/transact.ts';
import { dynamoUnknownPayments } from '../../lib/store/unknown-payments.ts';
import { putUnregistered } from '../../lib/store/unregistered-receipts.ts';
import { aBill, aPayment, paymentId } from '../support/builders.ts';
import { paid, post } from '../support/merchant-calls.ts';
import { aMerchantServer, type MerchantServer } from '../support/merchant-server.ts';
import { aShell, type Operator, operatorAt } from '../support/stack-operator.ts';
import { tablesOf, type Tables } from '../support/stack-tables.ts';
import { type Stack, startStack } from '../support/stack.ts';

let server: MerchantServer;
let stack: Stack;
let operator: Operator;
let tables: Tables;

beforeAll(async () => {
  server = await aMerchantServer();
  stack = await startStack({ urls: server.urls });
  [operator, tables] = [await operatorAt(stack), tablesOf(stack)];
}, 120_000);

afterAll(async () => {
  tables.close();
  await operator.leave();
  await server.close();
  await stack.stop();
});

/** The commands that were run; each must have succeeded. */
const typed = new Set<string>();

async function type(name: string, rest = '') {
  typed.add(name);
  return operator.json(`${name} ${rest}`);
}

const leaves = (command: Command): readonly Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);

const payoutIds = z.looseObject({ data: z.array(z.object({ id: z.string() })) });

async function payoutOf(amount: string, phone: string): Promise<string> {
  const { body } = await post(stack.demo, 'payout/regular/create', {
    amount,
    currency: 'RUB',
    account_type: 'sbp',
    account_identifier: phone,
    account_bank: '100000000004',
  });
  return payoutIds.parse(body).data[0]?.id ?? '';
}

const statusOf = async (id: string): Promise<unknown> =>
  (await operator.json(`trace ${id}`)).subjects[0].status;

describe('under the policies of the template', () => {
  it('settings are set and read', async () => {
    const { merchantId } = await type('merchant create', '"Corner Cafe"');
    await type('merchant set', `${merchantId} --verified yes`);
    await type('merchant show', merchantId);
    await type('merchant list');
    await type('merchants list');
    await type('shops list');
    await type('bills list');
    await type('refunds list');
    await type('find', '100.50');
    const { shopId } = await type('shop create', `${merchantId} --name Cafe`);
    await type('shop set', `${shopId} --result-url ${server.url('result')}`);
    await type('shop show', shopId);
    await type('shop list', merchantId);
    await type('token refresh', merchantId);
    await type('webhook-secret rotate', shopId);
    await type('webhook-secret rotate', `${merchantId} --at-once`);
    await type('page-secret rotate', '--at-once');
    await type('terms set', `${merchantId} RUB --payout-fee-bps 150`);
    await type('terms show', `${merchantId} RUB`);
    await type('rates set', 'KZT RUB 0.17');
    await type('rates list');
    await type('banks list');
    await type('banks refresh');
    const add = `${merchantId} --type card --currency RUB --number 5555555555554444 --holder "ANNA IVANOVA"`;
    const { id: accountId } = await type('account add', add);
    await operator.json(`account add ${add}`);
    await type('account set', `${accountId} --merchant ${merchantId} --banned yes`);
    await operator.json(`account set ${accountId} --merchant ${merchantId} --banned no --available yes`);
    await type('account list', merchantId);
    await type('account index');
    await type('account forget', `${accountId} --merchant ${merchantId}`);
    await type('auto set', `${merchantId} --account ${accountId} --threshold 1000 --day Mon --hour 9`);
    await type('auto show', merchantId);
    await type('auto stop', merchantId);
    await type('trace', merchantId);
    await operator.json('trace rates');
    await type('reconcile run', '--date 2026-11-20');
    await type('reconcile show', '2026-11-20');
    await type('reconcile list');
    await type('merchant ban', merchantId);
  });

  it('payouts are decided, and what takes two people is approved and rejected by the second', async () => {
    await paid(stack.demo, { amount: '20000' });
    const phones = ['+7 912 345-67-81', '+7 912 345-67-82', '+7 912 345-67-83'];
    const [stopped = '', ...sent] = await Promise.all(phones.map((phone) => payoutOf('100', phone)));
    await type('payouts list', '--moderating');
    await operator.json('payouts list');
    await operator.json('payouts list --error');
    await type('payouts decline', `${stopped} --reason "not today"`);
    await type('payouts approve', sent.join(' '));
    await expect
      .poll(() => Promise.all(sent.map(statusOf)), { timeout: 20_000 })
      .toEqual(['SUCCESS', 'SUCCESS']);
    const refused = 'payouts resolve';
    typed.add(refused);
    const onPaid = `${refused} ${sent[0]} --as paid --evidence "line 4"`;
    expect(await operator.json(onPaid, [1])).toMatchObject({ error: 'payout_not_in_error' });

    const proposals: string[] = [];
    for (const id of sent) proposals.push((await type('payouts returned', `${id} --evidence "line 7"`)).id);
    await type('proposals list');
    await type('proposals approve', `${proposals[0]} --by petr`);
    await type('proposals reject', `${proposals[1]} --reason "another order" --by petr`);
  });

  it('a payment is checked and resolved', async () => {
    const bill = aBill({ merchantId: stack.demo.merchantId, shopId: stack.demo.shopId });
    const { merchantId, shopId } = bill;
    await dynamoBills(tables.table, () => new Date()).create(bill, [], []);
    const now = new Date();
    await dynamoPayments(tables.table).start(aPayment({ merchantId, shopId }), { bill, now, lockUntil: now });
    await type('payments list', '--unknown');
    await operator.json('payments list');
    const order = { provider: 'sandbox', reference: 'lost-1' };
    await dynamoUnknownPayments(tables.table).keep({
      ...order,
      paymentId: undefined,
      state: 'captured',
      amountMinor: 500n,
      at: now,
      closed: undefined,
    });
    expect(await type('payments unknown')).toMatchObject([order]);
    await type('payments close', 'sandbox lost-1 --reason "refunded in the cabinet"');
    expect(await operator.json('payments unknown')).toEqual([]);
    expect(await operator.json('payments unknown --closed')).toMatchObject([{ ...order, closedBy: 'olga' }]);
    const receipt = {
      paymentId,
      refundId: undefined,
      of: 'capture',
      state: 'failed',
      at: now,
      closed: undefined,
    } as const;
    await transact(tables.table, [putUnregistered(tables.table, receipt)]);
    expect(await type('receipts list')).toMatchObject([{ paymentId, of: 'capture', state: 'failed' }]);
    await type('receipts close', `${paymentId} --reason "receipt 118, made by hand"`);
    expect(await operator.json('receipts list')).toEqual([]);
    expect(await operator.json('receipts list --closed')).toMatchObject([{ paymentId, closedBy: 'olga' }]);
    await type('payments ask', paymentId);
    const kept = (await tables.items()).filter(
      ({ PK, kind }) => PK === 'OPERATOR#olga' && kind === 'ask_about_payment',
    );
    expect(kept).toMatchObject([{ paymentId }]);
    await type('payments resolve', `${paymentId} --as failed --evidence "order 4711"`);
  });

  it('an adjustment is proposed by one person, and approved, rejected or withdrawn', async () => {
    const propose = `${stack.demo.merchantId} RUB --credit 10 --reason "chargeback withdrawn"`;
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.push((await type('adjustments propose', propose)).id);
    await type('adjustments list');
    await type('adjustments approve', `${ids[0]} --by petr`);
    await type('adjustments reject', `${ids[1]} --reason "booked already" --by petr`);
    await operator.json(`adjustments reject ${ids[2]} --reason "withdrawn"`);
  });

  it('a refund is created by one person, and shown', async () => {
    const { paymentId: id } = await paid(stack.demo, { amount: '100' });
    const refund = await type('refunds create', `${id} --amount 1 --reason "asked for"`);
    await type('refunds show', refund.id);
  });

  it('a chargeback is confirmed or dismissed by two people, and what is owed is collected or written off', async () => {
    const { merchantId, apiToken } = await operator.json('merchant create "Flower stall"');
    const { shopId } = await operator.json(`shop create ${merchantId} --name Stall`);
    await operator.json(`terms set ${merchantId} RUB --payment-fee-bps 100`);
    const { baseUrl } = stack.demo;
    const { paymentId: id } = await paid({ baseUrl, shopId, apiToken }, { amount: '100' });
    const enter = (amount: string) => type('chargebacks enter', `${id} --amount ${amount} --reason "letter"`);
    const approve = (proposal: { readonly id: string }) =>
      operator.json(`proposals approve ${proposal.id} --by petr`);

    const { id: dismissed } = await enter('1');
    await approve(await type('chargebacks dismiss', `${dismissed} --reason "not ours"`));
    const { id: confirmed } = await enter('100');
    expect(await type('chargebacks list')).toMatchObject([{ id: confirmed, amount: '100.00' }]);
    await approve(await type('chargebacks confirm', `${confirmed} --reason "case 4711"`));
    expect(await operator.json(`chargebacks list --merchant ${merchantId}`)).toMatchObject([
      { id: confirmed, status: 'CONFIRMED' },
      { id: dismissed, status: 'DISMISSED' },
    ]);

    // The fee was kept, so the merchant had less than the payer has now.
    expect(await type('claims list')).toMatchObject([{ id: confirmed, owed: '1.00' }]);
    await paid({ baseUrl, shopId, apiToken }, { amount: '0.50' });
    expect(await type('claims collect', '--all')).toMatchObject([{ id: confirmed, owed: '0.51' }]);
    await approve(await type('claims write-off', `${confirmed} --reason "closed its stall"`));
    expect(await operator.json('claims list')).toEqual([]);
    const { steps } = await operator.json(`trace ${confirmed}`);
    const kinds = steps.map(({ what }: { readonly what: string }) => /^journal (\w+)/.exec(what)?.[1]);
    expect(kinds.filter(Boolean)).toEqual(['CAPTURE', 'CHARGEBACK', 'COLLECT', 'WRITE_OFF']);
    expect(await operator.json('audit')).toMatchObject({ agrees: true });
  });

  it('postbacks are sent again', async () => {
    const { paymentId: id } = await paid(stack.demo);
    await expect.poll(() => statusOf(`pay.${id}.SUCCESS`), { timeout: 20_000 }).not.toBe('PENDING');
    await expect.poll(() => server.postbacks('result', { TrsId: id }).length, { timeout: 20_000 }).toBe(1);
    await type('postbacks list', `--shop ${stack.demo.shopId}`);
    await type('postbacks replay', `pay.${id}.SUCCESS`);
    await expect.poll(() => server.postbacks('result', { TrsId: id }).length, { timeout: 20_000 }).toBe(2);
    await operator.json(`postbacks replay --shop ${stack.demo.shopId} --since 2026-01-01`);
    await type('endpoint resume', stack.demo.shopId);
  });

  it('a provider is checked by an operator; its keys and address are an administrator’s', async () => {
    // This installation has the sandbox alone. With a provider: test/stack/yookassa-start.test.ts.
    const refusals = ['provider check', 'provider set', 'provider address'].map(async (name) => {
      typed.add(name);
      return (await operator.json(`${name} yookassa`, [1])).error;
    });
    expect(await Promise.all(refusals)).toEqual([
      'provider_not_deployed',
      'keys_malformed',
      'provider_not_deployed',
    ]);
  });

  it('an audit runs, the earnings are read and a journal is exported', async () => {
    await type('audit');
    await type('migrate');
    await type('earnings');
    const file = join(mkdtempSync(join(tmpdir(), 'paylink-journal-')), 'month.jsonl');
    await type('journal export', `${stack.demo.merchantId} --month 2026-11 --out ${file}`);
  });

  it('every command has been run, and none of their calls was refused', async () => {
    const all = leaves(await wholeProgram(aShell('').shell)).map(nameOf);
    const withoutAws = ['where'];
    expect([...typed, ...withoutAws].toSorted()).toEqual(all.toSorted());
    expect(stack.refusals()).toEqual([]);
  });
});
