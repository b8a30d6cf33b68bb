import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { balanceOf, type Called, paid, post } from '../support/merchant-calls.ts';
import { type Operator, operatorAt } from '../support/stack-operator.ts';
import { type Stack, startStack } from '../support/stack.ts';

let stack: Stack;
let operator: Operator;

beforeAll(async () => {
  stack = await startStack({ lockMs: 15 });
  operator = await operatorAt(stack);
  await operator.json(`terms set ${stack.demo.merchantId} RUB --payment-fee-bps 0`);
}, 120_000);

afterAll(async () => {
  await operator.leave();
  await stack.stop();
});

/** How often each race is run; PAYLINK_REPEATS=100 is the long run. */
const repeats = Array.from({ length: Number(process.env['PAYLINK_REPEATS'] ?? 1) }, (_, at) => at + 1);
const clients = Array.from({ length: 64 }, (_, at) => at);

const kopecks = (text: string): number => Math.round(Number(text) * 100);
const decimal = (minor: number): string => (minor / 100).toFixed(2);
const read = async () => {
  const { available, locked, hold } = await balanceOf(stack.demo);
  return { available: kopecks(available), locked: kopecks(locked), hold: kopecks(hold) };
};

const ask = (amountMinor: number): Promise<Called> =>
  post(stack.demo, 'payout/regular/create', {
    amount: decimal(amountMinor),
    currency: 'RUB',
    account_type: 'sbp',
    account_identifier: '79123456789',
    account_bank: '100000000004',
  });

/** All request at once while another client polls the balance. Returns the amounts by outcome. */
async function race(amounts: readonly number[]) {
  const looks: Awaited<ReturnType<typeof read>>[] = [];
  const over = new AbortController();
  const looking = (async () => {
    while (!over.signal.aborted) looks.push(await read());
  })();
  const answers = await Promise.all(amounts.map(async (amount) => ({ amount, ...(await ask(amount)) })));
  over.abort();
  await looking;
  const told = ({ status, body }: Called) => (status === 200 ? 'accepted' : String(body['message']));
  return { looks, by: Map.groupBy(answers, told) };
}

const total = (asked: readonly { readonly amount: number }[] = []): number =>
  asked.reduce((sum, { amount }) => sum + amount, 0);
/** 1 %, a half rounded up. */
const fee = (amount: number): number => Math.floor((amount + 50) / 100);
const fees = (asked: readonly { readonly amount: number }[] = []): number =>
  asked.reduce((sum, { amount }) => sum + fee(amount), 0);

describe('64 concurrent clients of one balance, which each transaction locks for 15 ms', () => {
  it.each(repeats)(
    'with money for half of them: what is debited is what was accepted (%i)',
    { timeout: 300_000 },
    async () => {
      const amounts = clients.map((at) => 100_01 + at * 37);
      const sorted = amounts.toSorted((a, b) => a - b).slice(0, 32);
      const before = await read();
      const money = sorted.reduce((sum, amount) => sum + amount + fee(amount), 0) - before.available;
      await paid(stack.demo, { amount: decimal(money) });
      const { available: had } = await read();

      const { looks, by } = await race(amounts);

      const accepted = by.get('accepted');
      const refused = by.get('api:error.balance_not_enough');
      expect((accepted?.length ?? 0) + (refused?.length ?? 0)).toBe(clients.length);
      const after = await read();
      expect(had - after.available).toBe(total(accepted) + fees(accepted));
      expect(after.locked - before.locked).toBe(total(accepted));
      expect(after.hold - before.hold).toBe(fees(accepted));
      expect(looks.length).toBeGreaterThan(0);
      expect(looks.filter(({ available }) => available < 0)).toEqual([]);
      expect(new Set(looks.map(({ available, locked, hold }) => available + locked + hold)).size).toBe(1);
      // Nobody who could have been paid was refused.
      const smallest = Math.min(...(refused ?? []).map(({ amount }) => amount + fee(amount)));
      expect(after.available).toBeLessThan(smallest);
      expect(await operator.json('audit')).toMatchObject({ agrees: true });
    },
  );

  it.each([
    ['day', 'api:error.daily_payout_limit_exceeded'],
    ['month', 'api:error.monthly_payout_limit_exceeded'],
  ])('under the limit of the %s: it is used to the kopeck and not exceeded', async (period, key) => {
    await paid(stack.demo, { amount: '9000' });
    const { locked: before } = await read();
    // Payouts of the tests before count as well: 20 of 33.33 and one of 33.32 fit into what is left.
    const room = 20 * 33_33 + 33_32;
    const limit = decimal(before + room);
    const others = period === 'day' ? '--month-limit 90000000' : '--day-limit 90000000';
    await operator.json(`terms set ${stack.demo.merchantId} RUB --${period}-limit ${limit} ${others}`);

    const { by } = await race(clients.map(() => 33_33));
    expect(by.get('accepted')).toHaveLength(20);
    expect(by.get(key)).toHaveLength(44);
    expect(await ask(33_33)).toMatchObject({ status: 400, body: { message: key } });
    const last = await race([33_32, 33_32, 33_32, 33_32]);
    expect(last.by.get('accepted')).toHaveLength(1);

    expect((await read()).locked).toBe(before + room);
    expect(await ask(1_00)).toMatchObject({ status: 400, body: { message: key } });
    expect(await operator.json('audit')).toMatchObject({ agrees: true });
  });

  it('with the same order_id create one payout, and all get it', async () => {
    await operator.json(`terms set ${stack.demo.merchantId} RUB --day-limit 90000000 --month-limit 90000000`);
    await paid(stack.demo, { amount: '9000' });
    const before = await read();

    const answers = await Promise.all(
      clients.map(() =>
        post(stack.demo, 'payout/regular/create', {
          amount: '50',
          currency: 'RUB',
          account_type: 'credit_card',
          account_identifier: '4111111111111111',
          card_holder: 'IVAN PETROV',
          order_id: 'the-one',
        }),
      ),
    );

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body['data']))).size).toBe(1);
    const replayed = answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true');
    expect(replayed).toHaveLength(63);
    expect(before.available - (await read()).available).toBe(50_50);
  });

  it('made no call that the roles do not allow', () => {
    expect(stack.refusals()).toEqual([]);
  });
});
