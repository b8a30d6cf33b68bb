import { describe, expect, it } from 'vitest';
import { dispatchPayout } from '../../lib/payout/dispatch-payout.ts';
import type { Payout } from '../../lib/payout/payout.ts';
import { merchantId } from '../support/builders.ts';
import { operatorHarness, terminal } from '../support/operator.ts';
import { created, createdParts, putBalance, reread, toPhone } from '../support/payout-harness.ts';

/** A merchant with a million, and a known card: a payout to it that a person approved was paid. */
async function aQueue() {
  const harness = await operatorHarness();
  await putBalance(harness.table, 100_000_000n);
  const first = await created(harness, { amount: '1', orderId: 'the first' });
  await harness.json(`payouts approve ${first.id}`);
  await dispatchPayout(harness, first.id);
  expect(await reread(harness, first)).toMatchObject({ status: 'SUCCESS' });
  return harness;
}

type Queue = Awaited<ReturnType<typeof aQueue>>;
const toKnown = (harness: Queue, orderId: string, amount = '100') => created(harness, { orderId, amount });
const toNew = (harness: Queue, orderId: string, amount = '100') =>
  created(harness, { orderId, amount, destination: toPhone });
const statusOf = async (harness: Queue, payout: Pick<Payout, 'id'>) => (await reread(harness, payout)).status;
const ordersListed = async (harness: Queue, options: string) =>
  (await harness.json(`payouts list --moderating ${options}`)).map(
    ({ orderId }: { readonly orderId: string }) => orderId,
  );

describe('payouts list --moderating', () => {
  it('shows how long each waits, whether its recipient is known, and the sum', async () => {
    const harness = await aQueue();
    await toKnown(harness, 'order-1', '200');
    harness.pass(26 * 3600);
    await toNew(harness, 'order-2', '50.50');
    const { said } = await harness.type('payouts list --moderating');
    expect(said).toMatch(/1 d 2 h +MerchantMerchant +order-1 +\w{22} +200\.00 RUB +411111\*+1111 +known +1/);
    expect(said).toMatch(/0 min +MerchantMerchant +order-2 +\w{22} +50\.50 RUB +\S+ +new +1/);
    expect(said).toMatch(/\n\n2 payouts, 250\.50 RUB together\.$/);
    expect(await harness.json('payouts list --moderating')).toMatchObject([
      { orderId: 'order-1', accountKnown: true, ageMinutes: 1560 },
      { orderId: 'order-2', accountKnown: false, ageMinutes: 0 },
    ]);
  });

  it('lists the parts of one order together, with their sum', async () => {
    const harness = await aQueue();
    const parts = await createdParts(harness, { amount: '600000', orderId: 'order-1', destination: toPhone });
    await toKnown(harness, 'order-2');
    expect(parts).toHaveLength(2);
    const { said } = await harness.type('payouts list --moderating');
    const lines = said.split('\n').filter((line) => line.includes('order-1'));
    expect(lines.map((line) => /part . of ., [\d.]+ together/.exec(line)?.[0])).toEqual([
      'part 1 of 2, 600000.00 together',
      'part 2 of 2, 600000.00 together',
    ]);
    expect(said).toContain('3 payouts of 2 orders, 600100.00 RUB together.');
  });

  it('marks possible duplicates', async () => {
    const harness = await aQueue();
    await created(harness);
    await created(harness);
    const { said } = await harness.type('payouts list --moderating');
    expect(said.match(/looks like a duplicate/g)).toHaveLength(1);
  });

  it.each([
    ['--known', ['old', 'small', 'large']],
    ['--new', ['new']],
    ['--max 100', ['old', 'small', 'new']],
    ['--min 100.01', ['large']],
    ['--older-than 1h', ['old']],
    ['--known --max 100 --older-than 30m', ['old']],
    [`--merchant ${merchantId} --new`, ['new']],
    ['--merchant AnotherMerchant1', []],
  ])('%s shows only these', async (options, orders) => {
    const harness = await aQueue();
    await toKnown(harness, 'old');
    harness.pass(3600);
    await toKnown(harness, 'small');
    await toKnown(harness, 'large', '101');
    await toNew(harness, 'new');
    expect((await ordersListed(harness, options)).toSorted()).toEqual(orders.toSorted());
  });

  it('applies amounts to the sum of an order’s parts', async () => {
    const harness = await aQueue();
    await createdParts(harness, { amount: '600000', orderId: 'order-1', destination: toPhone });
    expect(await ordersListed(harness, '--max 599999.99')).toEqual([]);
    expect(await ordersListed(harness, '--max 600000')).toEqual(['order-1', 'order-1']);
  });
});

describe('payouts approve', () => {
  it('releases all that match the options, after one question with count, sum and list, and ends in a sentence', async () => {
    const harness = await aQueue();
    const [one, two, large, other] = [
      await toKnown(harness, 'order-1'),
      await toKnown(harness, 'order-2', '200'),
      await toKnown(harness, 'order-3', '5000'),
      await toNew(harness, 'order-4'),
    ];
    const { said, exitCode } = await harness.type(
      `payouts approve --merchant ${merchantId} --max 200 --known`,
      true,
    );
    expect([exitCode, said]).toEqual([0, '2 payouts, 300.00 RUB together: approved.']);
    expect(harness.asked).toHaveLength(1);
    expect(harness.asked[0]).toMatch(/order-1.*\n.*order-2.*\nSend 2 payouts, 300\.00 RUB together\?$/);
    for (const payout of [one, two]) expect(await statusOf(harness, payout)).toBe('PROCESS');
    for (const payout of [large, other]) expect(await statusOf(harness, payout)).toBe('MODERATING');
  });

  it('releases exactly the named payouts', async () => {
    const harness = await aQueue();
    const payouts = [await toKnown(harness, '1'), await toNew(harness, '2'), await toNew(harness, '3')];
    const [one, two, three] = payouts;
    await harness.json(`payouts approve ${one?.id} ${two?.id} ${one?.id}`);
    expect(await Promise.all([one!, two!, three!].map((each) => statusOf(harness, each)))).toEqual([
      'PROCESS',
      'PROCESS',
      'MODERATING',
    ]);
  });

  it('releases possible duplicates only when they are named', async () => {
    const harness = await aQueue();
    const [first, second] = [await created(harness), await created(harness)];
    const { said } = await harness.type('payouts approve --known', true);
    expect(harness.asked[0]).toContain(`name them by id: ${second.id} (1).`);
    expect(said).toBe('1 payout, 1000.00 RUB together: approved.');
    expect([await statusOf(harness, first), await statusOf(harness, second)]).toEqual([
      'PROCESS',
      'MODERATING',
    ]);
  });

  it('refuses a payout that changed after it was shown, and releases the others', async () => {
    const harness = await aQueue();
    const [changed, other] = [await toKnown(harness, '1'), await toKnown(harness, '2')];
    const { type } = terminal({
      ...harness.context,
      identify: async () => {
        await harness.json(`payouts decline ${changed.id} --reason "the merchant called"`);
        return 'olga';
      },
    });
    const { said, exitCode } = await type('payouts approve --known', true);
    expect(exitCode).toBe(1);
    expect(said).toMatch(/^1 payout, 100\.00 RUB together: approved\.\n1 payout refused:\n/);
    expect(said).toContain(`${changed.id}: This payout is not waiting for moderation`);
    expect([await statusOf(harness, changed), await statusOf(harness, other)]).toEqual([
      'DECLINED',
      'PROCESS',
    ]);
  });

  it('shows progress when there are many', async () => {
    const harness = await aQueue();
    for (let order = 0; order < 101; order += 1) await toKnown(harness, `${order}`, '1');
    const { said, complained } = await harness.type('payouts approve --known --max 1', true);
    expect(complained).toBe('100 of 101 payouts are done.\n101 of 101 payouts are done.');
    expect(said).toBe('101 payouts, 101.00 RUB together: approved.');
    expect(harness.asked[0]).toContain('… and 91 orders more');
  });

  it('reports each result when a response is lost, and stops there', async () => {
    const harness = await aQueue();
    for (let order = 0; order < 201; order += 1) await toKnown(harness, `${order}`, '1');
    let calls = 0;
    const losing = terminal({
      ...harness.context,
      carryOut: async (key) => {
        const carried = await harness.context.carryOut(key);
        calls += 1;
        if (calls === 2) throw new Error('socket hang up');
        return carried;
      },
    });
    const { exitCode, said } = await losing.type('payouts approve --known --max 1 --yes');
    const lines = said.split('\n');
    expect([exitCode, calls, lines[0]]).toEqual([1, 2, '100 payouts, 100.00 RUB together: approved.']);
    expect(lines.filter((line) => line.includes('No answer came'))).toHaveLength(100);
    expect(lines.filter((line) => line.includes('Not attempted'))).toHaveLength(1);
    expect(await ordersListed(harness, '--known --max 1')).toHaveLength(1);
  });

  it('does not claim that nothing was done when the only response is lost', async () => {
    const harness = await aQueue();
    const payout = await toKnown(harness, '1');
    const losing = terminal({
      ...harness.context,
      carryOut: async (key) => {
        await harness.context.carryOut(key);
        throw new Error('socket hang up');
      },
    });
    const { exitCode, complained } = await losing.type(`payouts approve ${payout.id} --yes`);
    expect([exitCode, complained]).toEqual([1, expect.stringMatching(/^No answer came/)]);
    expect(await statusOf(harness, payout)).toBe('PROCESS');
  });

  it.each([
    ['no payout and no option', 'payouts approve', 'Name the payouts, or select them'],
    ['both', 'payouts approve 7QbXr5TkM2wYc9LpVe4s00 --known', 'not both'],
    ['a revision for many', 'payouts approve a b --revision 1', '--revision goes with one payout'],
    ['known and new', 'payouts approve --known --new', 'cannot be used with'],
    ['an invalid age', 'payouts approve --older-than 6', 'like 30m, 6h or 2d'],
  ])('refuses %s and does nothing', async (_what, line, sentence) => {
    const harness = await aQueue();
    const payout = await toKnown(harness, '1');
    const { exitCode, complained } = await harness.type(`${line} --yes`);
    expect([exitCode, harness.asked]).toEqual([1, []]);
    expect(complained).toContain(sentence);
    expect(await statusOf(harness, payout)).toBe('MODERATING');
  });

  it('reports that nothing matches, without a question', async () => {
    const harness = await aQueue();
    const { exitCode, said } = await harness.type('payouts approve --new', true);
    expect([exitCode, said, harness.asked]).toEqual([0, 'No waiting payout matches these options.', []]);
  });

  it('does nothing without confirmation', async () => {
    const harness = await aQueue();
    const payouts = [await toKnown(harness, '1'), await toKnown(harness, '2')];
    await harness.type('payouts approve --known', false);
    for (const payout of payouts) expect(await statusOf(harness, payout)).toBe('MODERATING');
  });
});

describe('payouts decline', () => {
  it('declines all that match the options, with one reason', async () => {
    const harness = await aQueue();
    const [one, two] = [await toNew(harness, '1'), await toNew(harness, '2')];
    const { said } = await harness.type('payouts decline --new --reason "not their phone"', true);
    expect(said).toBe('2 payouts, 200.00 RUB together: declined.');
    for (const payout of [one, two])
      expect(await reread(harness, payout)).toMatchObject({
        status: 'DECLINED',
        decisions: [{ verdict: 'declined', reason: 'not their phone', by: 'olga' }],
      });
  });
});
