import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { payBill } from '../../lib/cli/payer.ts';
import { generatedClient } from '../support/generated-client.ts';
import { cards, get, newBill } from '../support/merchant-calls.ts';
import { aMerchantServer, type MerchantServer } from '../support/merchant-server.ts';
import { type Operator, operatorAt } from '../support/stack-operator.ts';
import { type Stack, startStack } from '../support/stack.ts';

const documentSchema = z.looseObject({
  webhooks: z.record(
    z.string(),
    z.object({
      post: z.object({
        parameters: z.array(z.object({ name: z.string() })),
        requestBody: z.object({
          content: z.record(z.string(), z.object({ schema: z.object({ $ref: z.string() }) })),
        }),
      }),
    }),
  ),
  components: z.looseObject({
    schemas: z.record(
      z.string(),
      z.looseObject({ properties: z.optional(z.record(z.string(), z.unknown())) }),
    ),
  }),
});

let server: MerchantServer;
let stack: Stack;
let operator: Operator;
let document: z.output<typeof documentSchema>;

beforeAll(async () => {
  server = await aMerchantServer();
  stack = await startStack({ urls: server.urls });
  operator = await operatorAt(stack);
  document = documentSchema.parse(await (await fetch(`${stack.baseUrl}/openapi.json`)).json());
}, 120_000);

afterAll(async () => {
  await operator.leave();
  await stack.stop();
  await server.close();
});

const client = `
import { ApiError, BalanceService, BillsService, OpenAPI, PaymentsService, PayoutsService } from './client';

type Account = { readonly baseUrl: string; readonly apiToken: string; readonly shopId: string };

const signIn = ({ baseUrl, apiToken }: Account) => {
  OpenAPI.BASE = baseUrl;
  OpenAPI.TOKEN = apiToken;
};

export async function createBill(account: Account) {
  signIn(account);
  const { bill_id, link_page_url } = await BillsService.billCreate({
    idempotencyKey: 'generated-client',
    formData: { amount: 100.5, shop_id: account.shopId, order_id: 'generated', type: 'Multi', payer_pays_commission: 0 },
  });
  const { status, amount, order_id, type } = await BillsService.billStatus({ id: bill_id });
  return { page: link_page_url, status, amount, order_id, type };
}

export async function read(account: Account, paymentId: string) {
  signIn(account);
  const { bill_id, amount_received } = await PaymentsService.paymentStatus({ id: paymentId });
  const { data } = await BillsService.billPayments({ id: bill_id, limit: 1 });
  const { balances } = await BalanceService.merchantBalance();
  return { amount_received, payments: data.map(({ id }) => id), currencies: balances.map(({ currency }) => currency) };
}

export async function payOut(account: Account) {
  signIn(account);
  const { data: banks } = await PayoutsService.payoutSbpBanks();
  const { data } = await PayoutsService.payoutRegularCreate({
    formData: {
      amount: '10.00',
      currency: 'RUB',
      account_type: 'sbp',
      account_identifier: '79123456789',
      account_bank: banks[0]?.member_id,
    },
  });
  return data.map(({ id }) => id);
}

export async function refused(account: Account) {
  signIn(account);
  const error: unknown = await BillsService.billCreate({ formData: { amount: 'ten', shop_id: account.shopId } }).catch((e) => e);
  return error instanceof ApiError ? { status: error.status, body: error.body } : undefined;
}
`;

describe('a client that is generated from /openapi.json', () => {
  it('compiles, creates a bill, reads its outcome, pays out, and gets errors that say what to fix', async () => {
    const program = await generatedClient(document, client);
    const call = z.record(z.string(), z.custom<(...args: unknown[]) => Promise<unknown>>()).parse(program);

    const bill = await call['createBill']!(stack.demo);
    expect(bill).toMatchObject({ status: 'NEW', amount: 100.5, order_id: 'generated', type: 'MULTI' });
    const { page } = z.object({ page: z.string() }).parse(bill);
    const { paymentId } = await payBill(new URL(page), cards.pays);
    expect(await call['read']!(stack.demo, paymentId)).toEqual({
      amount_received: 100.5,
      payments: [paymentId],
      currencies: ['RUB', 'USD', 'EUR'],
    });
    expect(await call['payOut']!(stack.demo)).toEqual([expect.stringMatching(/^\w{22}$/)]);
    expect(await call['refused']!(stack.demo)).toMatchObject({
      status: 403,
      body: { message: 'api:error.invalid_amount', errors: { amount: [expect.any(String)] } },
    });
  }, 90_000);
});

/** A body matches the document's webhook and has no undocumented field. */
function expectDocumented(webhook: string, encoding: string, body: Readonly<Record<string, unknown>>): void {
  const { $ref } = document.webhooks[webhook]!.post.requestBody.content[encoding]!.schema;
  const ajv = new Ajv({ strict: false, allErrors: true });
  ajv.addSchema({ ...document }, 'paylink');
  const validate = ajv.getSchema(`paylink${$ref}`)!;
  expect({ valid: validate(body), errors: validate.errors }).toEqual({ valid: true, errors: null });
  const known = Object.keys(document.components.schemas[$ref.split('/').at(-1)!]!.properties!);
  expect(known).toEqual(expect.arrayContaining(Object.keys(body)));
}

const form = 'application/x-www-form-urlencoded';

describe('what the service sends', () => {
  it.each([
    ['everything', { order_id: 'documented', custom: '{"a":1}' }, cards.pays, 'SUCCESS', 'successRedirect'],
    ['nothing of its own', {}, cards.pays, 'SUCCESS', 'successRedirect'],
    ['too little', { order_id: 'less' }, cards.paysLess, 'UNDERPAID', 'successRedirect'],
    ['too much', { order_id: 'more' }, cards.paysMore, 'OVERPAID', 'successRedirect'],
    ['a card that is declined', { order_id: 'declined' }, cards.isDeclined, 'FAIL', 'failRedirect'],
  ] as const)(
    'about a bill with %s is what the document says',
    async (_case, asked, card, status, redirect) => {
      const bill = await newBill(stack.demo, { ...asked });
      const { paymentId, fields } = await payBill(bill.page, card);

      expectDocumented(redirect, form, fields);
      const postback = await server.postback('result', { TrsId: paymentId, Status: status });
      expectDocumented('paymentPostback', form, postback.fields);
      const headers = document.webhooks['paymentPostback']!.post.parameters.map(({ name }) => name);
      expect(Object.keys(postback.headers)).toEqual(expect.arrayContaining(headers));
    },
  );

  it.each([
    [
      'a card',
      { account_type: 'credit_card', account_identifier: cards.pays, card_holder: 'IVAN PETROV' },
      'approve',
    ],
    [
      'a phone',
      { account_type: 'sbp', account_identifier: '79123456789', account_bank: '100000000004' },
      'approve',
    ],
    [
      'a declined one',
      { account_type: 'sbp', account_identifier: '79123456780', account_bank: '100000000004' },
      'decline',
    ],
  ])('about a payout to %s is what the document says', async (order_id, account, verdict) => {
    await payBill((await newBill(stack.demo)).page, cards.pays);
    const call = { amount: '5', currency: 'RUB', order_id, ...account };
    const body = new URLSearchParams(call);
    const headers = { authorization: `Bearer ${stack.demo.apiToken}` };
    await fetch(`${stack.baseUrl}/api/v1/payout/regular/create`, { method: 'POST', headers, body });
    const { body: payout } = await get(stack.demo, 'payout/status', { order_id });
    await operator.json(
      `payouts ${verdict} ${String(payout['id'])} --yes${verdict === 'decline' ? ' --reason test' : ''}`,
    );

    const postback = await server.postback('payout', { TrsId: String(payout['id']) });
    expectDocumented('payoutPostback', form, postback.fields);
  });

  it('as JSON has the same fields, as text', async () => {
    await operator.json(`shop set ${stack.demo.shopId} --postback-format json`);
    const { paymentId } = await payBill((await newBill(stack.demo, { custom: '7' })).page, cards.pays);
    const { headers, body } = await server.postback('result', { TrsId: paymentId });
    expect(headers['content-type']).toBe('application/json');
    expectDocumented(
      'paymentPostback',
      'application/json',
      z.record(z.string(), z.unknown()).parse(JSON.parse(body)),
    );
  });
});
