import { describe, expect, it } from 'vitest';
import type { PayoutId } from '../../../lib/ids.ts';
import { dispatchPayout } from '../../../lib/payout/dispatch-payout.ts';
import { approvePayout, declinePayout } from '../../../lib/payout/moderate.ts';
import { recordReturn } from '../../../lib/payout/record-return.ts';
import type { StatementLine } from '../../../lib/provider-port.ts';
import { reconcileDay } from '../../../lib/reconciliation/reconcile-day.ts';
import type { Reconciliation } from '../../../lib/reconciliation/reconciliation.ts';
import { created, payoutHarness, reread, toPhone } from '../../support/payout-harness.ts';
import { reconcilePortsOn } from '../../support/reconciliation.ts';

const date = '2026-11-21';
const by = 'olga';
const noAcquirers = { named: () => undefined };

/** A merchant that pays out during the day; the rail's statement is what its books say, unless `lines` change it. */
async function aDay() {
  const harness = await payoutHarness({
    merchant: { payoutWebhookSince: new Date('2026-11-01T00:00:00.000Z') },
  });
  const stated: StatementLine[] = [];
  harness.rail.statement = async ({ from, to }) => stated.filter(({ at }) => at >= from && at < to);
  const { ports } = reconcilePortsOn({
    ...harness,
    acquirers: noAcquirers,
    providers: { acquirer: [], rail: ['test'] },
    timeZone: 'UTC',
  });
  const lineOf = (id: string, traits: Partial<StatementLine> = {}): StatementLine => ({
    kind: 'payout',
    reference: `ref-${id}`,
    ourId: id,
    orderReference: undefined,
    amountMinor: 100_000n,
    feeMinor: undefined,
    currency: 'RUB',
    at: harness.now(),
    ...traits,
  });
  return {
    ...harness,
    stated,
    lineOf,
    /** Approved and sent; the rail answers `outcome`. */
    async sent(outcome: 'paid' | 'refused' | 'accepted' = 'paid') {
      const { id, revision } = await created(harness, { destination: toPhone });
      await approvePayout(harness, { payoutId: id, revision, by });
      harness.rail.will(outcome);
      await dispatchPayout(harness, id);
      if (outcome === 'paid') stated.push(lineOf(id));
      return id;
    },
    async reconciled(): Promise<Reconciliation> {
      const now = () => new Date('2026-11-22T04:00:00.000Z');
      const done = await reconcileDay({ ...ports, now }, date);
      if (!done.ok) throw new Error(done.error);
      return done.value;
    },
  };
}

const ofMoney = ({ differences }: Reconciliation) =>
  differences
    .filter(({ about }) => about !== 'postback')
    .map(({ kind, why, there, here }) => [kind, why, there?.state, here?.state]);

describe('payouts', () => {
  it('that were paid, refused and declined leave no difference but the postbacks that wait', async () => {
    const day = await aDay();
    const ids = [await day.sent(), await day.sent('refused')];
    const declined = await created(day, { destination: toPhone });
    await declinePayout(day, { payoutId: declined.id, revision: declined.revision, by, reason: 'no' });
    const result = await day.reconciled();
    expect(ofMoney(result)).toEqual([]);
    expect(result.differences.map(({ kind, subject }) => `${kind} ${subject}`).toSorted()).toEqual(
      [...ids, declined.id].map((id) => `postback_not_delivered ${id}`).toSorted(),
    );
  });

  it('paid twice, under two attempts, are missing_here once', async () => {
    const day = await aDay();
    const id = await day.sent();
    day.stated.push(day.lineOf(id, { reference: 'ref-again' }));
    const result = await day.reconciled();
    expect(ofMoney(result)).toEqual([['missing_here', 'another_reference', undefined, undefined]]);
    expect(result.differences[0]?.reference).toBe('ref-again');
  });

  it('paid there under another attempt while they failed here are a state', async () => {
    const day = await aDay();
    const id = await day.sent('refused');
    day.stated.push(day.lineOf(id, { reference: 'ref-again' }));
    expect(ofMoney(await day.reconciled())).toEqual([['state', undefined, undefined, 'FAIL']]);
  });

  it('that nobody here knows are missing_here', async () => {
    const day = await aDay();
    day.stated.push(day.lineOf('Group0000000000000UnKnown'.slice(0, 20).concat('01')));
    expect(ofMoney(await day.reconciled())).toEqual([['missing_here', 'unknown_id', undefined, undefined]]);
  });

  it('of another amount', async () => {
    const day = await aDay();
    const id = await day.sent();
    day.stated.splice(0, 1, day.lineOf(id, { amountMinor: 99_999n }));
    expect(ofMoney(await day.reconciled())).toEqual([['amount', undefined, undefined, 'SETTLE']]);
  });

  it('that the rail does not know, has cancelled, or leaves out of its statement', async () => {
    const day = await aDay();
    await day.sent();
    day.stated.splice(0);
    day.rail.will('unknown');
    expect(ofMoney(await day.reconciled())).toEqual([['missing_there', 'no_order', undefined, 'SETTLE']]);
    day.rail.will('refused');
    expect(ofMoney(await day.reconciled())).toEqual([['state', undefined, 'refused', 'SETTLE']]);
    day.rail.will('paid');
    expect(ofMoney(await day.reconciled())).toEqual([['missing_there', 'not_stated', 'paid', 'SETTLE']]);
  });

  it('that came back are explained by the return', async () => {
    const day = await aDay();
    const id: PayoutId = await day.sent();
    day.stated.splice(0);
    const { revision } = await reread(day, { id });
    await recordReturn(day, { payoutId: id, revision, by, approvedBy: 'petr', evidence: 'statement' });
    const result = await day.reconciled();
    expect(ofMoney(result)).toEqual([]);
    expect(result.counts.explained).toBe(1);
  });
});
