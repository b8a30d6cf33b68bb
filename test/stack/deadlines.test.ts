import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { lossyProxy, type Call } from '../support/lossy-proxy.ts';
import { balanceOf, cards, get, newBill, paid, post } from '../support/merchant-calls.ts';
import { aMerchantServer, isGenuine, type MerchantServer } from '../support/merchant-server.ts';
import { giveCard, openForm, paymentOn, sendForm } from '../support/payer-steps.ts';
import { sandboxBooks } from '../support/sandbox-books.ts';
import { withDeadlines } from '../support/short-deadlines.ts';
import { type Operator, operatorAt } from '../support/stack-operator.ts';
import { tablesOf, type Tables } from '../support/stack-tables.ts';
import { type Stack, startStack } from '../support/stack.ts';

// No test waits for a Lambda's real timeout: these functions have two seconds.
const hurried = ['pay-submit', 'acquirer-notification', 'result-page', 'payout-dispatch', 'postback-deliver'];

let server: MerchantServer;
let way: Awaited<ReturnType<typeof lossyProxy>>;
let assembly: string;
let stack: Stack;
let operator: Operator;
let tables: Tables;

beforeAll(async () => {
  [server, way] = await Promise.all([aMerchantServer(), lossyProxy()]);
  assembly = await withDeadlines(inject('assembly'), Object.fromEntries(hurried.map((name) => [name, 2])));
  const variables = { SANDBOX_URL: `${way.origin}/sandbox` };
  stack = await startStack({ urls: server.urls, assembly, variables });
  way.leadTo(stack.baseUrl);
  [operator, tables] = [await operatorAt(stack), tablesOf(stack)];
}, 120_000);

afterAll(async () => {
  tables.close();
  await operator.leave();
  await stack.stop();
  await Promise.all([way.close(), server.close(), rm(assembly, { recursive: true })]);
});

const isCapture = ({ path }: Call) => path.endsWith('/capture');
const isQuestion = ({ method, path }: Call) => method === 'GET' && path.includes('/orders/');
const isOrder = ({ method, path }: Call) => method === 'POST' && path.endsWith('/acquirer/orders');
const isTransfer = ({ method, path }: Call) => method === 'POST' && path.endsWith('/rail/transfers');

/** These calls get no response. */
async function withoutAnswer<T>(lost: (call: Call) => boolean, work: () => Promise<T>): Promise<T> {
  way.decide((call) => (lost(call) ? 'answer_lost' : 'passes'));
  return work().finally(() => way.decide(() => 'passes'));
}

const killed = (name: string): number =>
  stack.logs().filter((line) => line.includes(name) && line.includes('Task timed out after 2.00')).length;
const kopecks = async () => Math.round(Number((await balanceOf(stack.demo)).available) * 100);
/** A sweep that timed out on a busy machine is followed by the next one, as every minute. */
const sweepLater = () =>
  vi.waitFor(
    async () => {
      await tables.letTimePass();
      await stack.sweep();
    },
    { timeout: 20_000, interval: 200 },
  );
const movedFor = async (paymentId: string) =>
  (await sandboxBooks(stack)).orders.filter((order) => order.paymentId === paymentId);

describe('a function that times out', () => {
  /** The payer submitted a card; the acquirer's responses to these calls are lost. */
  async function paidInTheDark(orderId: string, lost: (call: Call) => boolean) {
    const { page } = await newBill(stack.demo, { order_id: orderId });
    const cardPage = (await sendForm(page, await openForm(page))) ?? '';
    const dead = killed('acquirer-notification');
    let wayBack = '';
    await withoutAnswer(lost, async () => {
      wayBack = await giveCard(cardPage, cards.pays);
      await expect.poll(() => killed('acquirer-notification'), { timeout: 20_000 }).toBeGreaterThan(dead);
      if (lost !== isQuestion) return;
      expect((await fetch(wayBack)).status).toBe(500);
      expect(killed('result-page')).toBeGreaterThan(0);
    });
    return paymentOn(wayBack);
  }

  it.each([
    ['captured', isCapture],
    ['asked', isQuestion],
  ])(
    'after the acquirer has %s loses no money: the next sweep finishes the payment',
    async (orderId, lost) => {
      const before = await kopecks();
      const paymentId = await paidInTheDark(orderId, lost);
      expect((await get(stack.demo, 'payment/status', { id: paymentId })).body['status']).toBe('PROCESS');
      expect(await kopecks()).toBe(before);

      await sweepLater();

      expect((await get(stack.demo, 'payment/status', { id: paymentId })).body['status']).toBe('SUCCESS');
      expect(await kopecks()).toBe(before + 980_00);
      expect(await movedFor(paymentId)).toMatchObject([{ captured: 100_000, refunded: 0 }]);
      isGenuine(await server.postback('result', { TrsId: paymentId, Status: 'SUCCESS' }), stack.demo);
    },
  );

  it('while opening the card page leaves one payment, which the same form continues', async () => {
    const before = await kopecks();
    const { billId, page } = await newBill(stack.demo);
    const form = await openForm(page);

    expect(await withoutAnswer(isOrder, () => sendForm(page, form))).toBeNull();
    const cardPage = (await sendForm(page, form)) ?? '';
    const wayBack = await giveCard(cardPage, cards.pays);

    expect((await get(stack.demo, 'bill/payments', { id: billId })).body['data']).toHaveLength(1);
    expect(await kopecks()).toBe(before + 980_00);
    expect(await movedFor(paymentOn(wayBack))).toMatchObject([{ captured: 100_000, refunded: 0 }]);
  });

  it('while sending a payout sends it once: the next sweep queries its state', async () => {
    await paid(stack.demo, { amount: '5000' });
    const before = await kopecks();
    const asked = {
      amount: '1000',
      currency: 'RUB',
      account_type: 'sbp',
      account_identifier: '79123456789',
      account_bank: '100000000004',
      order_id: 'killed',
    };
    await post(stack.demo, 'payout/regular/create', asked);
    const [{ id }] = await operator.json('payouts list --moderating');
    const status = async () =>
      (await get(stack.demo, 'payout/status', { order_id: 'killed' })).body['status'];

    await withoutAnswer(isTransfer, async () => {
      await operator.json(`payouts approve ${id}`);
      await expect.poll(() => killed('payout-dispatch'), { timeout: 20_000 }).toBeGreaterThan(0);
    });
    expect(await status()).toBe('PROCESS');
    await sweepLater();
    await expect.poll(status, { timeout: 20_000 }).toBe('SUCCESS');

    expect(await kopecks()).toBe(before - 1010_00);
    const { transfers } = await sandboxBooks(stack);
    expect(transfers.filter(({ key }) => key === id)).toMatchObject([{ paidOut: 100_000 }]);
    await server.postback('payout', { TrsId: id, Status: 'SUCCESS' });
  });

  it('while the shop’s server hangs sends the postback again under the same id', async () => {
    const resume = server.hang();
    const { paymentId } = await paid(stack.demo, { order_id: 'hanging' });
    await expect.poll(() => killed('postback-deliver'), { timeout: 20_000 }).toBeGreaterThan(0);
    resume();
    await sweepLater();

    await expect
      .poll(() => server.postbacks('result', { TrsId: paymentId }).length, { timeout: 20_000 })
      .toBe(2);
    const ids = server.postbacks('result', { TrsId: paymentId }).map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual([`pay.${paymentId}.SUCCESS`, `pay.${paymentId}.SUCCESS`]);
  });

  it('leaves books that balance to the kopeck', async () => {
    expect(await operator.json('audit')).toMatchObject({ agrees: true, differences: [] });
    expect(stack.refusals()).toEqual([]);
  });
});
