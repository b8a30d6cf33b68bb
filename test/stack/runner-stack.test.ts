import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { payBill } from '../../lib/cli/payer.ts';
import { type Stack, startStack } from '../support/stack.ts';

/** The synthesized template itself, run twice side by side. */
let here: Stack;
let elsewhere: Stack;

beforeAll(async () => {
  [here, elsewhere] = await Promise.all([startStack(), startStack({ sandboxElsewhere: true, steps: 'one' })]);
});
afterAll(() => Promise.all([here.stop(), elsewhere.stop()]));

const billSchema = z.object({ bill_id: z.string(), link_page_url: z.string() });

async function billOn({ demo }: Stack, amount: string): Promise<z.infer<typeof billSchema>> {
  const response = await fetch(`${demo.baseUrl}/api/v1/bill/create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.apiToken}` },
    body: new URLSearchParams({ shop_id: demo.shopId, amount }),
  });
  return billSchema.parse(await response.json());
}

describe('the stack of a test', () => {
  it('takes a payment from its page to its end, within each function’s role', async () => {
    const bill = await billOn(here, '100.50');

    const journey = await payBill(new URL(bill.link_page_url), '4111111111111111');

    expect(bill.link_page_url).toBe(`${here.baseUrl}/transfer/${bill.bill_id}`);
    expect(journey).toMatchObject({ status: 'SUCCESS' });
    expect(here.refusals()).toEqual([]);
  });

  it('may have its sandbox at another origin, and redirects the payer there', async () => {
    const bill = await billOn(elsewhere, '10');
    const page = await fetch(bill.link_page_url);

    expect(elsewhere.sandboxOrigin).not.toBe(elsewhere.baseUrl);
    expect(page.headers.get('content-security-policy')).toContain(elsewhere.sandboxOrigin);
    expect(await payBill(new URL(bill.link_page_url), '4111111111111111')).toMatchObject({
      status: 'SUCCESS',
    });
    expect(elsewhere.refusals()).toEqual([]);
  });

  it('has its own merchant, unknown to other stacks', async () => {
    const { apiToken } = elsewhere.demo;

    const response = await fetch(`${here.baseUrl}/api/v1/merchant/balance`, {
      headers: { authorization: `Bearer ${apiToken}` },
    });

    expect(response.status).toBe(401);
    expect(await response.text()).toBe('{"message":"Unauthenticated."}');
  });

  it('sweeps on request', async () => {
    await expect(here.sweep()).resolves.toBeUndefined();
    expect(here.refusals()).toEqual([]);
  });

  it('logs no secret', () => {
    const { apiToken, webhookSecret } = here.demo;

    const console = here.logs().join('\n');

    for (const secret of [apiToken, webhookSecret, '4111111111111111']) expect(console).not.toContain(secret);
  });
});
