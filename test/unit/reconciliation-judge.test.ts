import { describe, expect, it } from 'vitest';
import { toPaymentId } from '../../lib/ids.ts';
import { DayComparison } from '../../lib/reconciliation/compare.ts';
import { dayOf } from '../../lib/reconciliation/day.ts';
import { Judge } from '../../lib/reconciliation/judge.ts';
import type { Movement } from '../../lib/reconciliation/movement.ts';
import type { ReconcilePorts } from '../../lib/reconciliation/ports.ts';
import { aPayment, merchantId, today } from '../support/builders.ts';
import { aPayout } from '../support/payouts.ts';
import { testRail } from '../support/rail.ts';

const day = dayOf('2026-11-21', 'UTC');
const paymentIds = Array.from({ length: 2_001 }, (_, number) =>
  toPaymentId(`BillBillBillBill00${String(number).padStart(8, '0')}`),
);
const payout = { ...aPayout({ status: 'SUCCESS' }), rail: 'test', reference: undefined };

const movement = (subject: string, kind: 'payment' | 'payout'): Movement => ({
  kind,
  entry: kind === 'payment' ? 'CAPTURE' : 'SETTLE',
  subject,
  merchantId,
  amountMinor: 10_000n,
  currency: 'RUB',
  at: today,
  provider: kind === 'payment' ? 'yookassa' : 'test',
  reference: undefined,
});

const ports = (): ReconcilePorts => ({
  now: () => today,
  wait: async () => undefined,
  remainingMs: () => Number.POSITIVE_INFINITY,
  timeZone: 'UTC',
  log: () => undefined,
  alarm: () => undefined,
  books: {
    journalOf: async () => ({ until: async () => [] }),
    payments: async (ids) => ids.map((id) => aPayment({ id, acquirer: 'yookassa' })),
    payouts: async () => [payout],
    refunds: async () => [],
    events: async () => [],
    providerFees: async () => [],
  },
  journal: { about: async () => [] },
  chargebacks: { ofPayment: async () => [] },
  unknownPayments: { find: async () => undefined },
  shops: { find: async () => undefined },
  merchants: { find: async () => undefined },
  reconciliations: {
    find: async () => undefined,
    list: async () => [],
    store: async () => ({ ok: true, value: undefined }),
  },
  sources: [],
  acquirers: { named: () => undefined },
  rails: { named: () => ({ ...testRail(), get: async () => ({ state: 'unknown' }) }) },
});

describe('a provider whose statement failed', () => {
  it('uses up no lookups: what the others lack is still named', async () => {
    const comparison = new DayComparison(day);
    for (const id of paymentIds) comparison.seeMovement(movement(id, 'payment'));
    comparison.seeMovement(movement(payout.id, 'payout'));
    const compared = [
      { provider: 'yookassa', role: 'acquirer', incomplete: 'statement_failed' },
      { provider: 'test', role: 'rail', incomplete: undefined },
    ] as const;
    const judge = new Judge(ports(), day, { compared, rest: comparison.rest() });
    await judge.judge();
    expect(judge.compared.map(({ role, incomplete }) => [role, incomplete])).toEqual([
      ['acquirer', 'statement_failed'],
      ['rail', undefined],
    ]);
    expect(judge.differences).toMatchObject([{ kind: 'missing_there', subject: payout.id }]);
  });
});
