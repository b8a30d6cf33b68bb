import { describe, expect, it } from 'vitest';
import { sum } from '../../../lib/money/money.ts';
import { createRegularPayout } from '../../../lib/payout/create-regular-payout.ts';
import { debitMinor } from '../../../lib/payout/payout.ts';
import {
  balanceOf,
  journalOf,
  movedOn,
  type PayoutHarness,
  payoutHarness,
  toCard,
} from '../../support/payout-harness.ts';

const clients = 64;

/** Every client requests its own amount at the same time. */
const storm = (harness: PayoutHarness, amountOf: (client: number) => string) =>
  Promise.all(
    Array.from({ length: clients }, (_, client) =>
      createRegularPayout(harness, {
        caller: harness.caller,
        amount: amountOf(client),
        destination: toCard,
        orderId: `order-${client}`,
        idempotencyKey: undefined,
      }),
    ),
  );

describe.each([0, 15])('64 clients against one balance, whose transactions hold it for %i ms', (lockMs) => {
  it('with money for half of them: the debits equal the accepted payouts to the kopeck, never below zero', async () => {
    const opening = 32n * 10_100n + 5_000n;
    const harness = await payoutHarness({ availableMinor: opening, lockMs });

    const answers = await storm(harness, () => '100');

    const payouts = answers.flatMap((answer) => (answer.ok ? answer.value.payouts : []));
    const refused = answers.flatMap((answer) => (answer.ok ? [] : [answer.error]));
    expect(payouts).toHaveLength(32);
    expect(new Set(refused)).toEqual(new Set(['balance_not_enough']));
    const debited = sum(payouts.map(debitMinor));
    const balance = await balanceOf(harness.table);
    expect(balance).toMatchObject({ available: opening - debited, locked: 320_000n, held: 3_200n });
    expect(await movedOn(harness.table, 'available')).toBe(-debited);
    expect(await journalOf(harness.table)).toHaveLength(32);
  });

  it('with amounts of every size: never below zero, and each field is the sum of its journal', async () => {
    const opening = 500_000n;
    const harness = await payoutHarness({ availableMinor: opening, lockMs });

    const answers = await storm(
      harness,
      (client) => `${(client % 7) * 31 + 10}.${String(client).padStart(2, '0')}`,
    );

    const payouts = answers.flatMap((answer) => (answer.ok ? answer.value.payouts : []));
    const debited = sum(payouts.map(debitMinor));
    const balance = await balanceOf(harness.table);
    expect(balance.available).toBe(opening - debited);
    expect(balance.available).toBeGreaterThanOrEqual(0n);
    expect(balance.locked).toBe(await movedOn(harness.table, 'locked'));
    expect(balance.held).toBe(await movedOn(harness.table, 'held'));
    expect(answers.length - payouts.length).toBeGreaterThan(0);
  });

  it('with money for all of them: none is refused', async () => {
    const harness = await payoutHarness({ availableMinor: 100_000_000n, lockMs });

    const answers = await storm(harness, () => '100');

    expect(answers.filter(({ ok }) => ok)).toHaveLength(clients);
    expect(await journalOf(harness.table)).toHaveLength(clients);
  });

  it('with a limit for half of them: the limit is exact to the kopeck', async () => {
    const harness = await payoutHarness({
      availableMinor: 100_000_000n,
      lockMs,
      terms: { dayLimitMinor: 32n * 10_000n + 9_999n },
    });

    const answers = await storm(harness, () => '100');

    const refused = answers.flatMap((answer) => (answer.ok ? [] : [answer.error]));
    expect(refused).toHaveLength(32);
    expect(new Set(refused)).toEqual(new Set(['daily_payout_limit_exceeded']));
    expect(await balanceOf(harness.table)).toMatchObject({ day: 320_000n, month: 320_000n });
  });
});
