import { AdjustmentCheck } from './adjustments.ts';
import { ChargebackCheck } from './chargebacks.ts';
import { JournalCheck } from './journal.ts';
import { PaymentCheck } from './payments.ts';
import { PayoutCheck } from './payouts.ts';
import { PostbackCheck } from './postbacks.ts';
import { ProviderFeeCheck } from './provider-fees.ts';
import type { AuditRecord, Difference } from './records.ts';
import { ReserveCheck } from './reserves.ts';

/** The checks that sum over all records of a table. */
export function checksAt(now: Date) {
  const checks = [
    new JournalCheck(),
    new PayoutCheck(),
    new PaymentCheck(),
    new ReserveCheck(now),
    new ProviderFeeCheck(),
    new PostbackCheck(now),
    new AdjustmentCheck(),
    new ChargebackCheck(),
  ];
  return {
    see: (record: AuditRecord) => {
      for (const check of checks) check.see(record);
    },
    differences: (): readonly Difference[] => checks.flatMap((check) => check.differences()),
  };
}
