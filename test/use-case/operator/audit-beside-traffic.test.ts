import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { audit } from '../../../lib/operator/audit/audit.ts';
import { dispatchPayout } from '../../../lib/payout/dispatch-payout.ts';
import { balanceKey } from '../../../lib/store/balance-item.ts';
import type { Table } from '../../../lib/store/table.ts';
import { auditPortsOn } from '../../support/audit.ts';
import { merchantId } from '../../support/builders.ts';
import { withLaggingTimeline } from '../../support/lagging-index.ts';
import { paymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { created, type PayoutHarness, payoutHarness } from '../../support/payout-harness.ts';

/** The pauses of the audit are so much shorter than in operation; the index lags by less than the first of them. */
const faster = 100;
const lagMs = 40;

/** A merchant with a MULTI bill and payouts on one table, by the clock of the machine. */
async function aBusyMerchant() {
  const payments = await paymentHarness({
    bill: { type: 'MULTI' },
    merchant: { verified: true, regularPayouts: true, payoutWebhookUrl: 'https://merchant.example/payouts' },
    lockMs: 5,
  });
  const payouts = await payoutHarness({ table: payments.table });
  for (const { clock } of [payments, payouts]) Object.defineProperty(clock, 'at', { get: () => new Date() });
  for (let first = 0; first < 5; first += 1) await paid(payments, first);
  return { payments, payouts };
}

async function paid(harness: PaymentHarness, number: number) {
  const { id, pay } = await harness.begun(String(number));
  await pay();
  await harness.resolve(id);
}

async function paidOut(harness: PayoutHarness) {
  const { id } = await created(harness, { amount: '20' });
  await dispatchPayout(harness, id);
}

/** Ten payments a second, and two payouts, until it is stopped. What is slower than that does not pile up. */
function traffic({ payments, payouts }: Awaited<ReturnType<typeof aBusyMerchant>>) {
  const running = new Set<Promise<void>>();
  let number = 5;
  const begin = (work: Promise<void>) => {
    running.add(work);
    void work.finally(() => running.delete(work));
  };
  const timer = setInterval(() => {
    if (running.size >= 5) return;
    begin(paid(payments, (number += 1)));
    if (number % 5 === 0) begin(paidOut(payouts));
  }, 100);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
      return number;
    },
  };
}

const auditOf = async (table: Table) => {
  const ports = auditPortsOn({ table: withLaggingTimeline(table, lagMs), now: () => new Date() });
  const { differences } = await audit({ ...ports, wait: async (ms: number) => wait(ms / faster) });
  return differences.map(({ invariant, about, text }) =>
    invariant === 'balance_matches_journal' ? `${invariant} ${about}` : text,
  );
};

/** Ten audits that begin shortly one after another. */
const tenAudits = (table: Table) =>
  Promise.all(
    Array.from({ length: 10 }, async (_, each) => {
      await wait(each * 50);
      return auditOf(table);
    }),
  );
const ten = (found: readonly string[]) => Array.from({ length: 10 }, () => found);

describe('ten audits beside ten payments a second and payouts, with locks held and an index that lags', () => {
  it('find nothing, and after one real corruption exactly it', { timeout: 60_000 }, async () => {
    const merchant = await aBusyMerchant();
    const { client, name: TableName } = merchant.payments.table;
    const running = traffic(merchant);
    try {
      expect(await tenAudits(merchant.payments.table)).toEqual(ten([]));
      await client.send(
        new UpdateCommand({
          TableName,
          Key: balanceKey(merchantId, 'RUB'),
          UpdateExpression: 'ADD available :stolen',
          ExpressionAttributeValues: { ':stolen': -1 },
        }),
      );
      const only = [`balance_matches_journal ${merchantId} RUB available`];
      expect(await tenAudits(merchant.payments.table)).toEqual(ten(only));
    } finally {
      expect(await running.stop()).toBeGreaterThan(10);
    }
  });
});
