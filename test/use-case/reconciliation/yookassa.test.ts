import { describe, expect, it } from 'vitest';
import { somePayer } from '../../../infra/yookassa-emulator/acts.ts';
import { succeedLate } from '../../../infra/yookassa-emulator/payments.ts';
import { refundAtProvider } from '../../../infra/yookassa-emulator/refunds.ts';
import type { Bill } from '../../../lib/bill/bill.ts';
import type { ReconcilePorts } from '../../../lib/reconciliation/ports.ts';
import { reconcileDay } from '../../../lib/reconciliation/reconcile-day.ts';
import type { Reconciliation } from '../../../lib/reconciliation/reconciliation.ts';
import { noPayouts, yookassaPayments } from '../../support/yookassa-harness.ts';
import { reconcilePortsOn } from '../../support/reconciliation.ts';

const date = '2026-11-21';

async function aDay(bill: Partial<Bill> = { type: 'MULTI' }) {
  const harness = await yookassaPayments({ bill, shop: { resultUrl: undefined } });
  const { ports } = reconcilePortsOn({ ...harness, rails: noPayouts.rails });
  return {
    ...harness,
    async paid(name: string) {
      const { id } = await harness.starts(name, 'card');
      harness.paysByCard(id);
      await harness.resolve(id);
      return id;
    },
    reconcilePorts: ports,
    async reconciled(of = date, given: Partial<ReconcilePorts> = {}): Promise<Reconciliation> {
      const now = () => new Date(Date.parse(of) + 28 * 3_600_000);
      const done = await reconcileDay({ ...ports, ...given, now }, of);
      if (!done.ok) throw new Error(done.error);
      return done.value;
    },
  };
}

const shown = ({ differences }: Reconciliation) =>
  differences.map(({ kind, about, why, subject }) => [kind, about, why, subject?.slice(-2)]);

describe('a day at YooKassa', () => {
  it('agrees with the journal in payments and fees', async () => {
    const day = await aDay();
    await day.paid('01');
    const { id } = await day.starts('02', 'sbp');
    day.paysBySbp(id);
    await day.resolve(id);
    const result = await day.reconciled();
    expect(shown(result)).toEqual([]);
    expect(result.compared).toEqual([{ provider: 'yookassa', role: 'acquirer', incomplete: undefined }]);
    expect(result.counts).toMatchObject({ matched: 2, feesDue: 0 });
  });

  it.each([
    ['at once', 10_050n, { matched: 3, onAnotherDay: 0 }],
    ['an hour later, on the next day', 780_030n, { matched: 2, onAnotherDay: 1 }],
  ])(
    'agrees in a refund of our own that ends %s: its list has the creation alone',
    async (_when, minor, counts) => {
      const day = await aDay({ type: 'NORMAL', amount: { minor, currency: 'RUB' } });
      const late = await day.starts('01', 'sbp', undefined, minor);
      day.pass(65);
      await day.sweep();
      const other = await day.starts('02', 'card', undefined, minor);
      day.paysByCard(other.id);
      await day.comesBack(other.id);
      // Half an hour before midnight in Moscow.
      day.clock.at = new Date('2026-11-21T20:30:00.000Z');
      const order = day.orderOf(late.id);
      succeedLate(day.world, order, somePayer(order), day.world.clock.now());
      await day.notifies();
      for (const minutes of [5, 65, 65]) {
        day.pass(minutes);
        await day.sweep();
      }
      expect(day.orderOf(late.id).refundedMinor).toBe(Number(minor));
      const result = await day.reconciled();
      expect(shown(result)).toEqual([]);
      expect(result.counts).toMatchObject(counts);
      const next = await day.reconciled('2026-11-22');
      expect(shown(next)).toEqual([]);
      expect(next.counts).toMatchObject({ matched: 0, onAnotherDay: counts.onAnotherDay });
    },
  );

  it('is complete over more payments than a page of its list has', async () => {
    const day = await aDay();
    for (let number = 1; number <= 3; number += 1) await day.paid(`0${number}`);
    const [order] = day.orders();
    // Orders of another system in the same shop, around ours.
    for (let number = 0; number < 250; number += 1) {
      const id = `${order!.id.slice(0, -6)}${String(number).padStart(6, '0')}`;
      day.world.state.payments.set(id, { ...order!, id, sequence: 1000 + number, metadata: {} });
    }
    expect(await day.reconciled()).toMatchObject({ differences: [], counts: { matched: 3, foreign: 250 } });
  });

  it('shows a refund that was made in its cabinet, until a notification made it a chargeback item', async () => {
    const day = await aDay();
    const id = await day.paid('01');
    day.notices.splice(0);
    refundAtProvider(day.world, day.orderOf(id), day.clock.at.getTime());
    expect(shown(await day.reconciled())).toEqual([['missing_here', 'refund', 'not_asked_for', '01']]);
    expect(await day.notifies()).toEqual([200]);
    expect(await day.reconciled()).toMatchObject({ differences: [], counts: { explained: 1 } });
  });

  it('shows an order that is paid there and open here', async () => {
    const day = await aDay();
    const { id } = await day.starts('01', 'sbp');
    day.paysBySbp(id);
    const result = await day.reconciled();
    expect(result.differences).toMatchObject([{ kind: 'state', here: { state: 'PROCESS/AUTHORIZING' } }]);
  });

  it('shows that two people failed a payment of which the order is paid', async () => {
    const day = await aDay();
    const { id } = await day.starts('01', 'sbp');
    day.paysBySbp(id);
    const decision = {
      id: '1',
      verdict: 'failed',
      by: 'olga',
      approvedBy: 'petr',
      reason: 'letter',
      at: day.now(),
    } as const;
    const payments: typeof day.reconcilePorts.books.payments = async (ids) =>
      (await day.reconcilePorts.books.payments(ids)).map((payment) => ({
        ...payment,
        status: 'FAIL',
        phase: 'DONE',
        decisions: [decision],
      }));
    const result = await day.reconciled(date, { books: { ...day.reconcilePorts.books, payments } });
    expect(result.differences).toMatchObject([{ kind: 'state', here: { state: 'FAIL' }, decidedBy: 'petr' }]);
  });
});
