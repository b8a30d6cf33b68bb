import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Adjustment, adjustmentEntry, approved } from '../../../lib/ledger/adjustment.ts';
import { approveAdjustment, rejectAdjustment } from '../../../lib/decision/decide-adjustment.ts';
import { adjustmentKey } from '../../../lib/store/adjustment-item.ts';
import { dynamoAdjustments } from '../../../lib/store/adjustments.ts';
import { dynamoBalances } from '../../../lib/store/balances.ts';
import { toEntry } from '../../../lib/store/entry-item.ts';
import type { Table } from '../../../lib/store/table.ts';
import { anAdjustment, anApprovedAdjustment, decisionBy } from '../../support/adjustments.ts';
import { merchantId, paymentId, today } from '../../support/builders.ts';
import { freshTable } from '../../support/dynamo.ts';
import { itemsOf } from '../../support/items-of.ts';

const now = () => today;
const debitOf = (minor: bigint, traits: Partial<Adjustment> = {}) =>
  anAdjustment({ direction: 'debit', amount: { minor, currency: 'RUB' }, ...traits });

async function booksOf(table: Table) {
  const entries = (await itemsOf(table)).filter(({ PK }) => PK.startsWith('J#'));
  const balances = await dynamoBalances(table).of(merchantId);
  return {
    available: Object.fromEntries(balances.map(({ currency, available }) => [currency, available])),
    entries: entries.map((item) => ({ key: `${item.PK} ${item.SK}`, ...toEntry(item) })),
  };
}

/** A table where the merchant has 100.00 RUB from an adjustment. */
async function funded() {
  const table = await freshTable();
  const adjustments = dynamoAdjustments(table);
  await adjustments.create(anAdjustment({ id: 'fund' }));
  const ran = await approveAdjustment({ adjustments, now }, { adjustmentId: 'fund', by: 'petr' });
  expect(ran).toMatchObject({ ok: true });
  return { table, adjustments };
}

describe('a proposed adjustment', () => {
  it('cannot have the id of another: the first is unchanged', async () => {
    const adjustments = dynamoAdjustments(await freshTable());
    await adjustments.create(anAdjustment());
    expect(await adjustments.create(debitOf(1n, { proposedBy: 'petr' }))).toEqual({
      ok: false,
      error: 'adjustment_exists',
    });
    expect(await adjustments.find(anAdjustment().id)).toEqual(anAdjustment());
  });
});

describe('an approved adjustment', () => {
  it('creates a missing balance and posts one entry', async () => {
    const { table, adjustments } = await funded();
    expect(await booksOf(table)).toMatchObject({
      available: { RUB: 10_000n, USD: 0n, EUR: 0n },
      entries: [{ key: 'J#fund ADJUST#fund', ...adjustmentEntry(anApprovedAdjustment({ id: 'fund' })) }],
    });
    expect(await adjustments.find('fund')).toEqual(anApprovedAdjustment({ id: 'fund' }));
  });

  it('can be one of several about the same payment', async () => {
    const { table, adjustments } = await funded();
    for (const id of ['a1', 'a2']) {
      await adjustments.create(debitOf(3_000n, { id, about: paymentId }));
      expect(await approveAdjustment({ adjustments, now }, { adjustmentId: id, by: 'petr' })).toMatchObject({
        ok: true,
      });
    }
    const { available, entries } = await booksOf(table);
    expect(available).toMatchObject({ RUB: 4_000n });
    expect(entries.map(({ key }) => key).slice(0, 2)).toEqual([
      `J#${paymentId} ADJUST#a1`,
      `J#${paymentId} ADJUST#a2`,
    ]);
  });

  it('can debit the last kopeck, but no more', async () => {
    const { table, adjustments } = await funded();
    await adjustments.create(debitOf(10_001n, { id: 'much' }));
    await adjustments.create(debitOf(10_000n, { id: 'all' }));
    const approve = (adjustmentId: string) =>
      approveAdjustment({ adjustments, now }, { adjustmentId, by: 'petr' });

    expect(await approve('much')).toEqual({ ok: false, error: 'balance_not_enough' });
    expect(await approve('all')).toMatchObject({ ok: true });

    expect(await booksOf(table)).toMatchObject({ available: { RUB: 0n }, entries: [{}, {}] });
    expect(await adjustments.find('much')).toMatchObject({ status: 'PROPOSED' });
  });

  it('cannot debit a balance that does not exist', async () => {
    const { table, adjustments } = await funded();
    await adjustments.create(debitOf(1n, { amount: { minor: 1n, currency: 'USD' } }));
    const command = { adjustmentId: anAdjustment().id, by: 'petr' };
    expect(await approveAdjustment({ adjustments, now }, command)).toEqual({
      ok: false,
      error: 'balance_not_enough',
    });
    expect((await booksOf(table)).available).toMatchObject({ USD: 0n });
  });

  it('by its proposer is refused by the write itself', async () => {
    const { table, adjustments } = await funded();
    const proposed = anAdjustment();
    await adjustments.create(proposed);
    const mine = { ...approved(proposed, decisionBy('petr')), decision: decisionBy('olga') };
    expect(await adjustments.approve(mine, adjustmentEntry(mine))).toMatchObject({ ok: false });
    expect((await booksOf(table)).entries).toHaveLength(1);
  });
});

describe('the work list of adjustments', () => {
  it('lists the undecided ones, oldest first', async () => {
    const adjustments = dynamoAdjustments(await freshTable());
    const ids = ['c', 'a', 'b'];
    for (const [hour, id] of ids.entries())
      await adjustments.create(
        anAdjustment({ id, proposedAt: new Date(today.getTime() + hour * 3_600_000) }),
      );
    await adjustments.create(anAdjustment({ id: 'x' }));
    await adjustments.create(anAdjustment({ id: 'y' }));
    await approveAdjustment({ adjustments, now }, { adjustmentId: 'x', by: 'petr' });
    await rejectAdjustment(
      { adjustments, now },
      { adjustmentId: 'y', role: 'approver', by: 'petr', reason: 'no' },
    );
    expect((await adjustments.listProposed()).map(({ id }) => id)).toEqual(ids);
  });

  it('is left after the decision, while the adjustment is retained', async () => {
    const { table } = await funded();
    const [item] = (await itemsOf(table)).filter(({ PK }) => PK === adjustmentKey('fund').PK);
    expect(item).not.toHaveProperty('workList');
    expect(item).not.toHaveProperty('ttl');
  });
});

describe('people who decide concurrently', () => {
  it('post an adjustment once', async () => {
    const { table, adjustments } = await funded();
    await adjustments.create(anAdjustment());
    const people = Array.from({ length: 8 }, (_, at) => `person ${at}`);
    const ran = await Promise.all(
      people.map((by) => approveAdjustment({ adjustments, now }, { adjustmentId: anAdjustment().id, by })),
    );
    expect(ran.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await booksOf(table)).toMatchObject({ available: { RUB: 20_000n }, entries: [{}, {}] });
  });

  it('either approve or reject, and money moves only with an approval', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { table, adjustments } = await funded();
      await adjustments.create(anAdjustment());
      const decision = { adjustmentId: anAdjustment().id, by: 'petr' };
      const [approval, rejection] = await Promise.all([
        approveAdjustment({ adjustments, now }, decision),
        rejectAdjustment({ adjustments, now }, { ...decision, role: 'approver', reason: 'no' }),
      ]);
      expect(approval.ok).toBe(!rejection.ok);
      const { available, entries } = await booksOf(table);
      expect([available['RUB'], entries.length]).toEqual(approval.ok ? [20_000n, 2] : [10_000n, 1]);
    }
  });

  it('never debit more than is available, in any order', async () => {
    const amounts = fc.array(fc.bigInt({ min: 1n, max: 8_000n }), { minLength: 2, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(amounts, async (minors) => {
        const { table, adjustments } = await funded();
        const proposals = minors.map((minor, at) => debitOf(minor, { id: `d${at}` }));
        await Promise.all(proposals.map((each) => adjustments.create(each)));
        const ran = await Promise.all(
          proposals.map(({ id }) =>
            approveAdjustment({ adjustments, now }, { adjustmentId: id, by: 'petr' }),
          ),
        );
        const taken = ran.reduce((sum, each) => sum + (each.ok ? each.value.amount.minor : 0n), 0n);
        const { available } = await booksOf(table);
        expect(available['RUB']).toBe(10_000n - taken);
        expect(taken <= 10_000n).toBe(true);
      }),
      { numRuns: 15 },
    );
  });
});

type Fault = { readonly before: Error } | { readonly after: Error };
const named = (name: string, traits: object = {}) => Object.assign(new Error(name), { name, traits });
const cancelled = (Code: string) =>
  new TransactionCanceledException({
    message: 'cancelled',
    $metadata: {},
    CancellationReasons: [{ Code: 'None' }, { Code }, { Code: 'None' }],
  });

/** The table behind a client that applies the next fault to each transaction, while one is left. */
function faulty({ client, name }: Table, faults: Fault[]): Table {
  const send = client.send.bind(client);
  const line = Object.assign(Object.create(client), {
    async send(command: TransactWriteCommand) {
      if (!(command instanceof TransactWriteCommand)) return send(command);
      const fault = faults.shift();
      if (fault && 'before' in fault) throw fault.before;
      const answer = await send(command);
      if (fault) throw fault.after;
      return answer;
    },
  });
  return { client: line, name, backOff: () => async (retry) => retry < 3 };
}

const lost = named('TimeoutError');

describe('a faulty connection', () => {
  it.each([
    ['a lost response', [{ after: lost }]],
    ['two lost responses', [{ after: lost }, { after: lost }]],
    ['a throttled request', [{ before: named('ThrottlingException') }]],
    ['a conflict with another transaction', [{ before: cancelled('TransactionConflict') }]],
    ['a throttled balance', [{ before: cancelled('ThrottlingError') }]],
    ['a lost response after a conflict', [{ before: cancelled('TransactionConflict') }, { after: lost }]],
  ] as const)('%s: posted once', async (_what, faults) => {
    const { table, adjustments } = await funded();
    await adjustments.create(anAdjustment());
    const through = dynamoAdjustments(faulty(table, [...faults]));
    const command = { adjustmentId: anAdjustment().id, by: 'petr' };
    expect(await approveAdjustment({ adjustments: through, now }, command)).toMatchObject({ ok: true });
    expect(await booksOf(table)).toMatchObject({ available: { RUB: 20_000n }, entries: [{}, {}] });
  });

  it('that stays down makes the command fail; repeated, it posts nothing more', async () => {
    const { table, adjustments } = await funded();
    await adjustments.create(anAdjustment());
    const through = dynamoAdjustments(faulty(table, [{ after: lost }, { after: lost }, { after: lost }]));
    const command = { adjustmentId: anAdjustment().id, by: 'petr' };
    await expect(approveAdjustment({ adjustments: through, now }, command)).rejects.toBe(lost);
    expect(await approveAdjustment({ adjustments, now }, command)).toEqual({
      ok: false,
      error: 'adjustment_already_decided',
    });
    expect(await booksOf(table)).toMatchObject({ available: { RUB: 20_000n }, entries: [{}, {}] });
  });

  it('proposes once when the response is lost', async () => {
    const table = await freshTable();
    await dynamoAdjustments(faulty(table, [{ after: lost }])).create(anAdjustment());
    expect(await dynamoAdjustments(table).listProposed()).toEqual([anAdjustment()]);
  });
});
