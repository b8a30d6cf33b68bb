import { it } from 'vitest';
import { createRegularPayout } from '../../lib/payout/create-regular-payout.ts';
import { proxyWith } from '../support/dynamo.ts';
import { payoutHarness, toCard } from '../support/payout-harness.ts';
import { table } from './table.ts';

/** How many clients concurrently create a payout of one merchant, and how long in milliseconds a transaction holds its items. */
const clients = [16, 32, 64];
const lockTimes = [5, 15, 40];

it('concurrent payouts of one merchant, by how long a transaction holds the balance', async () => {
  const rows: (string | number)[][] = [];
  for (const lockMs of lockTimes) {
    for (const count of clients) {
      const harness = await payoutHarness({ availableMinor: 100_000_000_000n, lockMs });
      // The first payout of the day starts the limit period.
      await createRegularPayout(harness, {
        caller: harness.caller,
        amount: '1',
        destination: toCard,
        orderId: 'first',
        idempotencyKey: undefined,
      });
      const { counts } = await proxyWith(lockMs);
      const before = { ...counts };
      const begun = performance.now();
      const asked = Array.from({ length: count }, (_, client) =>
        createRegularPayout(harness, {
          caller: harness.caller,
          amount: '1',
          destination: toCard,
          orderId: `order-${client}`,
          idempotencyKey: undefined,
        }).then(
          ({ ok }) => ok,
          () => false,
        ),
      );
      const made = (await Promise.all(asked)).filter(Boolean).length;
      const tries = counts.transactions - before.transactions;
      const seconds = (performance.now() - begun) / 1000;
      rows.push([
        `${lockMs} ms`,
        count,
        made,
        count - made,
        (tries / count).toFixed(1),
        `${seconds.toFixed(1)} s`,
      ]);
    }
  }
  console.log(table(['Lock', 'Clients', 'Created', 'Gave up', 'Tries each', 'All done after'], rows));
});
