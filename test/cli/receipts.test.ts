import { describe, expect, it } from 'vitest';
import { putUnregistered } from '../../lib/store/unregistered-receipts.ts';
import { transact } from '../../lib/store/transact.ts';
import { paymentId, today } from '../support/builders.ts';
import { operatorHarness } from '../support/operator.ts';

/** A receipt of the payment's capture that failed, and one of its refund that stayed pending. */
async function withReceipts() {
  const harness = await operatorHarness();
  const receipt = { paymentId, at: today, closed: undefined } as const;
  await transact(harness.table, [
    putUnregistered(harness.table, { ...receipt, refundId: undefined, of: 'capture', state: 'failed' }),
    putUnregistered(harness.table, { ...receipt, refundId: undefined, of: 'refund', state: 'pending' }),
  ]);
  return harness;
}
const made = '--reason "receipt 118, made by hand"';

describe('receipts', () => {
  it('lists what waits for a person; closed, a receipt is on the other list with who closed it and why', async () => {
    const harness = await withReceipts();
    expect(await harness.json('receipts list')).toMatchObject([
      { paymentId, of: 'capture', state: 'failed', noticedAt: today.toISOString() },
      { paymentId, of: 'refund', state: 'pending' },
    ]);
    expect((await harness.type('receipts list')).said).toMatch(
      new RegExp(`${paymentId} .*failed[\\s\\S]*trace <payment>[\\s\\S]*receipts close <payment>`),
    );
    const { said } = await harness.type(`receipts close ${paymentId} ${made}`);
    expect(said).toContain(`The receipt of the capture of ${paymentId} is closed`);
    expect(await harness.json('receipts list')).toMatchObject([{ of: 'refund' }]);
    await harness.json(`receipts close ${paymentId} --refund ${made}`);
    expect((await harness.type('receipts list')).said).toContain('No receipt waits for a person.');
    expect(await harness.json('receipts list --closed')).toMatchObject([
      { of: 'capture', closedBy: 'olga', reason: 'receipt 118, made by hand' },
      { of: 'refund', closedBy: 'olga' },
    ]);
  });

  it.each([
    ['a payment that is not on the list', 'nothing', 'has no such receipt on the list'],
    ['a refund that is not on the list', `${paymentId} --refund`, 'has no such receipt on the list'],
    ['a receipt that was closed', paymentId, 'is closed already'],
  ])('refuses %s', async (_what, named, complaint) => {
    const harness = await operatorHarness();
    const closed = { id: 'earlier', by: 'olga', reason: 'made by hand', at: today };
    const receipt = {
      paymentId,
      refundId: undefined,
      of: 'capture',
      state: 'failed',
      at: today,
      closed,
    } as const;
    await transact(harness.table, [putUnregistered(harness.table, receipt)]);
    const { exitCode, complained } = await harness.type(`receipts close ${named} ${made}`);
    expect([exitCode, complained]).toEqual([1, expect.stringContaining(complaint)]);
  });
});
