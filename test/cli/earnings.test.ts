import { describe, expect, it } from 'vitest';
import type { Entry } from '../../lib/ledger/entry.ts';
import { newPaymentId, toMerchantId } from '../../lib/ids.ts';
import { dispatchPayout } from '../../lib/payout/dispatch-payout.ts';
import { captureEntry, providerFeeEntry } from '../../lib/payment/payment-postings.ts';
import type { Payment } from '../../lib/payment/payment.ts';
import { creditCapture } from '../../lib/store/balances.ts';
import { putEntry } from '../../lib/store/entry-item.ts';
import { transact } from '../../lib/store/transact.ts';
import { aPayment, billId } from '../support/builders.ts';
import { inTenge } from '../support/chargebacks.ts';
import { type OperatorHarness, operatorHarness } from '../support/operator.ts';
import { created } from '../support/payout-harness.ts';

const november = '2026-11-20T09:00:00.000Z';
let payments = 0;

/** Posts a capture of 100.50, and the acquirer's fee if it is told. */
async function captured(
  { table }: OperatorHarness,
  at: string,
  { feeMinor, ...traits }: Partial<Payment> & { readonly feeMinor?: bigint } = {},
): Promise<void> {
  payments += 1;
  const id = newPaymentId(billId, String(payments).padStart(8, '0'));
  const payment = aPayment({ id, ...traits });
  const capture = captureEntry(payment, 10_050n, new Date(at));
  const entries: readonly Entry[] = [
    capture,
    ...(feeMinor === undefined ? [] : [providerFeeEntry(payment, feeMinor, new Date(at))]),
  ];
  const written = await transact(table, [
    creditCapture(table, capture, payment.settlement.currency),
    ...entries.map((entry) => putEntry(table, entry)),
  ]);
  expect(written.ok).toBe(true);
}

describe('earnings', () => {
  it('are the fees of payments and payouts less what acquirers kept, of all merchants', async () => {
    const harness = await operatorHarness();
    await captured(harness, november, { feeMinor: 352n });
    await captured(harness, november, { merchantId: toMerchantId('AnotherMerchant1'), feeMinor: 100n });
    const { month, earnings } = await harness.json('earnings --month 2026-11');
    expect(month).toBe('2026-11');
    expect(earnings).toEqual([
      { currency: 'RUB', paymentFees: '4.02', payoutFees: '0.00', providerFees: '4.52', earned: '-0.50' },
    ]);
  });

  it('count each currency on its own: a fee of tenge is not exchanged', async () => {
    const harness = await operatorHarness();
    await captured(harness, november, { ...inTenge, feeMinor: 352n });
    const { earnings } = await harness.json('earnings --month 2026-11');
    expect(earnings).toEqual([
      { currency: 'RUB', paymentFees: '0.35', payoutFees: '0.00', providerFees: '0.00', earned: '0.35' },
      { currency: 'KZT', paymentFees: '0.00', payoutFees: '0.00', providerFees: '3.52', earned: '-3.52' },
    ]);
  });

  it('are of a month of the record’s time zone', async () => {
    const harness = await operatorHarness();
    Object.assign(harness.context, { timeZone: 'Europe/Moscow' });
    await captured(harness, '2026-10-31T21:00:00.000Z', { feeMinor: 1n });
    await captured(harness, '2026-10-31T20:59:59.999Z', { feeMinor: 10n });
    await captured(harness, '2026-11-30T20:59:59.999Z', { feeMinor: 100n });
    await captured(harness, '2026-11-30T21:00:00.000Z', { feeMinor: 1000n });
    const providerFees = async (month: string) =>
      (await harness.json(`earnings --month ${month}`)).earnings[0]?.providerFees;
    expect([
      await providerFees('2026-10'),
      await providerFees('2026-11'),
      await providerFees('2026-12'),
    ]).toEqual(['0.10', '1.01', '10.00']);
  });

  it('have the fees of paid payouts', async () => {
    const harness = await operatorHarness();
    const payout = await created(harness, { amount: '1000' });
    await harness.json(`payouts approve ${payout.id}`);
    await dispatchPayout(harness, payout.id);
    const { earnings } = await harness.json('earnings');
    expect(earnings).toMatchObject([{ currency: 'RUB', payoutFees: '10.00', earned: '10.00' }]);
  });

  it('are shown as a table, with what they do not count', async () => {
    const harness = await operatorHarness();
    expect((await harness.type('earnings --month 2025-01')).said).toContain('Nothing was earned in 2025-01.');
    await captured(harness, november, { feeMinor: 352n });
    const { said } = await harness.type('earnings --month 2026-11');
    expect(said).toContain('RUB       2.01              0.00             3.52               -1.51');
    expect(said).toContain('are not counted');
  });

  it.each(['2026-13', '2026', 'november'])('refuse %s as a month', async (month) => {
    const { exitCode, complained } = await (await operatorHarness()).type(`earnings --month ${month}`);
    expect(exitCode).not.toBe(0);
    expect(complained).toContain('Give a month like 2026-11.');
  });
});
