import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { createPayouts } from '../../lib/payout/create-payouts.ts';
import { entryPartition } from '../../lib/store/entry-item.ts';
import { termsKey } from '../../lib/store/terms-item.ts';
import { merchantId } from '../support/builders.ts';
import { type OperatorHarness, operatorHarness } from '../support/operator.ts';
import { created, reread, toCard } from '../support/payout-harness.ts';

/** Writes that an operator's policy permits without the command (docs/security.md). */
const put = ({ table }: OperatorHarness, Item: Record<string, unknown>) =>
  table.client.send(new PutCommand({ TableName: table.name, Item }));

const tomorrow = ({ now }: OperatorHarness) => new Date(now().getTime() + 86_400_000);
const changesOf = async (harness: OperatorHarness) =>
  (await harness.changes.of(merchantId, { before: tomorrow(harness), limit: 100 })).items;
const entriesOf = async (harness: OperatorHarness) =>
  (
    await harness.journal.latestOf(merchantId, {
      before: tomorrow(harness),
      since: harness.now(),
      limit: 100,
    })
  ).items;

/** The record of a change in another person's name. */
const ofOlga = {
  by: 'olga',
  at: '2026-11-21T12:00:00.000Z',
  about: merchantId,
  what: 'terms set',
  before: {},
  after: { dayLimitMinor: '1' },
  timeline: `CHANGE#${merchantId}`,
};

describe('an operator with a script of their own', () => {
  it('cannot record a change in another person’s name: the author comes from the key', async () => {
    const harness = await operatorHarness();
    await put(harness, { PK: 'CHANGE#petr', SK: 'x', ...ofOlga });
    expect(await changesOf(harness)).toMatchObject([{ by: 'petr' }]);
  });

  it('cannot show an item of another kind as a change', async () => {
    const harness = await operatorHarness();
    await put(harness, { PK: `M#${merchantId}`, SK: 'x', ...ofOlga });
    expect(await changesOf(harness)).toEqual([]);
  });

  it('cannot show an item of another kind as a journal entry', async () => {
    const harness = await operatorHarness();
    const before = await entriesOf(harness);
    const month = harness.now().toISOString().slice(0, 7).replace('-', '');
    const entry = { about: 'x', kind: 'CAPTURE', merchantId, lines: [], at: harness.now().toISOString() };
    const timeline = `L#${merchantId}#RUB#${month}`;
    await put(harness, { PK: `M#${merchantId}`, SK: 'x', ...entry, timeline });
    expect(await entriesOf(harness)).toEqual(before);
    await put(harness, { PK: entryPartition('x'), SK: 'CAPTURE', ...entry, timeline });
    expect(await entriesOf(harness)).toHaveLength(before.length + 1);
  });

  it.each([
    ['fee', { payoutFee: { bps: -9_000, fixedMinor: 0, minimumMinor: -1_000_000 } }],
    ['fixed fee', { payoutFee: { bps: 0, fixedMinor: -1_000_000, minimumMinor: -1_000_000 } }],
    ['fee above everything', { payoutFee: { bps: 10_001, fixedMinor: 0, minimumMinor: 0 } }],
    ['least amount', { payoutMinMinor: -1 }],
    ['reserve below zero', { reserveBasisPoints: -1, reserveDays: 30 }],
    ['reserve above everything', { reserveBasisPoints: 10_001, reserveDays: 30 }],
    ['reserve in parts of a basis point', { reserveBasisPoints: 0.5, reserveDays: 30 }],
    ['reserve that is released before the capture', { reserveBasisPoints: 1, reserveDays: -1 }],
  ])('sets no %s that makes money or breaks the books: such terms are not read', async (_what, terms) => {
    const harness = await operatorHarness();
    await put(harness, { ...termsKey(merchantId, 'RUB'), ...terms, commissionPayer: 'recipient' });
    const request = {
      merchantId,
      kind: 'regular',
      target: { destination: toCard },
      requested: { amountMinor: 10_000n },
      autoGroupId: undefined,
      idempotencyKey: undefined,
      orderId: undefined,
    } as const;
    await expect(createPayouts(harness, request)).rejects.toThrow();
  });

  it.each([
    ['below zero', -5],
    ['of nothing', 0],
  ])('sets no rate %s: it is not read', async (_what, numerator) => {
    const harness = await operatorHarness();
    const rate = { from: 'KZT', to: 'RUB', numerator, denominator: 1, setAt: ofOlga.at };
    await put(harness, { PK: 'RATES', SK: 'KZT#RUB', ...rate });
    await expect(harness.rates.find('KZT', 'RUB')).rejects.toThrow();
  });

  it('cannot give a decision an id that imitates other text or controls a terminal', async () => {
    const harness = await operatorHarness();
    const payout = await created(harness);
    const payouts = [{ id: payout.id, revision: payout.revision }];
    for (const id of [payout.id, 'x', 'sixteen-letters!', `\u001b[2Kabcdefghijkl`]) {
      await harness.decisions.write(
        { role: 'operator', by: 'olga', id },
        { kind: 'approve_payouts', payouts, reason: undefined },
      );
      expect(await harness.carryOut({ role: 'operator', by: 'olga', id })).toEqual({
        ok: false,
        error: 'decision_not_found',
      });
    }
  });
});

describe('a decision that was refused', () => {
  it('cannot be carried out later, when its obstacle is gone', async () => {
    const harness = await operatorHarness();
    const payout = await created(harness);
    await harness.json(`merchant set ${merchantId} --banned yes`);
    const key = { role: 'operator', by: 'olga', id: harness.newId(16) } as const;
    const payouts = [{ id: payout.id, revision: payout.revision }];
    await harness.decisions.write(key, { kind: 'approve_payouts', payouts, reason: undefined });
    expect(await harness.carryOut(key)).toMatchObject({
      value: { verdicts: [{ refusal: 'merchant_banned' }] },
    });
    await harness.json(`merchant set ${merchantId} --banned no`);
    harness.pass(2 * 3600);

    expect(await harness.carryOut(key)).toEqual({ ok: false, error: 'decision_expired' });

    expect(await reread(harness, payout)).toMatchObject({ status: 'MODERATING' });
  });
});
