import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { balanceOf, get, paid, post } from '../support/merchant-calls.ts';
import { aMerchantServer, type MerchantServer } from '../support/merchant-server.ts';
import { sandboxBooks } from '../support/sandbox-books.ts';
import { type Operator, operatorAt } from '../support/stack-operator.ts';
import { type Queues, queuesOf } from '../support/stack-queues.ts';
import { tablesOf, type Tables } from '../support/stack-tables.ts';
import { type Stack, startStack } from '../support/stack.ts';

let server: MerchantServer;
let stack: Stack;
let operator: Operator;
let tables: Tables;
let queues: Queues;
/** The current response of the shop's server. */
let status = 200;

beforeAll(async () => {
  server = await aMerchantServer(() => status);
  stack = await startStack({ urls: server.urls });
  [operator, tables, queues] = [await operatorAt(stack), tablesOf(stack), queuesOf(stack)];
}, 120_000);

afterAll(async () => {
  tables.close();
  queues.close();
  await operator.leave();
  await stack.stop();
  await server.close();
});

const heard = (trsId: string) => server.postbacks('result', { TrsId: trsId }).length;
const eventsIn = async () => (await tables.items()).filter(({ PK }) => PK.startsWith('E#'));
/** Malformed messages, and messages about things that do not exist. */
const poison = [
  '',
  'no json',
  '{}',
  '[]',
  'null',
  '{"eventId":1}',
  '{"eventId":"../../x"}',
  '{"eventId":"B#x"}',
  JSON.stringify({ eventId: `pay.${'x'.repeat(16)}00${'y'.repeat(8)}.SUCCESS` }),
  JSON.stringify({ payoutId: `${'z'.repeat(20)}01` }),
].map((body) => body || ' ');

describe('messages', () => {
  it('that come three times and in any order deliver each postback once', async () => {
    // A refusal in time opens no breaker: each of the five is tried again.
    status = 404;
    const payments: string[] = [];
    for (const orderId of ['a', 'b', 'c', 'd', 'e'])
      payments.push((await paid(stack.demo, { order_id: orderId })).paymentId);
    await expect.poll(() => payments.every((id) => heard(id) >= 1), { timeout: 20_000 }).toBe(true);
    // Each attempt must be settled before time passes, or its lease would be taken while it works.
    const states = async () => [...new Set((await eventsIn()).map(({ state }) => state))];
    await expect.poll(states, { timeout: 20_000 }).toEqual(['RETRY']);
    const before = payments.map(heard);

    status = 200;
    await tables.letTimePass();
    const bodies = payments.map((id) => JSON.stringify({ eventId: `pay.${id}.SUCCESS` }));
    await queues.send('postbacks', [...bodies, ...bodies.toReversed(), ...bodies]);
    await expect.poll(states, { timeout: 20_000 }).toEqual(['DELIVERED']);
    await queues.send('postbacks', bodies);
    await stack.sweep();

    expect(payments.map(heard)).toEqual(before.map((count) => count + 1));
  });

  it('that no worker can process end in the dead-letter queue after five attempts, without delaying others', async () => {
    await queues.hurry('postbacks', 1);
    await queues.hurry('payouts', 1);
    await queues.hurry('payments', 1);
    await queues.send('postbacks', poison);
    await queues.send('payouts', poison);
    await queues.send('payments', poison);

    const payments = await Promise.all(['f', 'g', 'h'].map((order_id) => paid(stack.demo, { order_id })));
    for (const { paymentId } of payments) await server.postback('result', { TrsId: paymentId });

    for (const queue of ['postbacks', 'payouts', 'payments'] as const) {
      const dead: string[] = [];
      const all = async () => dead.push(...(await queues.dead(queue)));
      await expect.poll(all, { timeout: 25_000, interval: 300 }).toBe(poison.length);
      expect(dead.toSorted()).toEqual(poison.toSorted());
    }
    const tries = stack.logs().filter((line) => line.includes('postback_not_worked_on'));
    expect(tries).toHaveLength(5 * poison.length);
    expect(payments.map(({ paymentId }) => heard(paymentId))).toEqual([1, 1, 1]);
  });

  it('about one payout that come three times send it once', async () => {
    const { available } = await balanceOf(stack.demo);
    const asked = {
      amount: '100',
      currency: 'RUB',
      account_type: 'credit_card',
      account_identifier: '4111111111111111',
      card_holder: 'IVAN PETROV',
      order_id: 'thrice',
    };
    await post(stack.demo, 'payout/regular/create', asked);
    const [{ id }] = await operator.json('payouts list --moderating');
    const body = JSON.stringify({ payoutId: id });
    await queues.send('payouts', [body, body, body]);
    await Promise.all([operator.json(`payouts approve ${id}`), queues.send('payouts', [body, body, body])]);
    await queues.send('payouts', [body, body, body]);
    await stack.sweep();

    await server.postback('payout', { TrsId: id, Status: 'SUCCESS' });
    await queues.send('payouts', [body, body, body]);
    expect((await get(stack.demo, 'payout/status', { id })).body['status']).toBe('SUCCESS');
    expect(Number((await balanceOf(stack.demo)).available)).toBe(Number(available) - 101);
    const { transfers } = await sandboxBooks(stack);
    expect(transfers).toMatchObject([{ key: id, paidOut: 10_000 }]);
    expect(server.postbacks('payout', { TrsId: id })).toHaveLength(1);
  });

  it('left the books balanced', async () => {
    expect(await operator.json('audit')).toMatchObject({ agrees: true, differences: [] });
    expect(stack.refusals()).toEqual([]);
  });
});
