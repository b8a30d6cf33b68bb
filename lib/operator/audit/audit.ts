import { AdjustmentCheck } from './adjustments.ts';
import { ChargebackCheck } from './chargebacks.ts';
import { JournalCheck } from './journal.ts';
import { PaymentCheck } from './payments.ts';
import { PayoutCheck } from './payouts.ts';
import { PostbackCheck } from './postbacks.ts';
import { ProviderFeeCheck } from './provider-fees.ts';
import type { AuditRecord, AuditSource, Difference } from './records.ts';
import { ReserveCheck } from './reserves.ts';
import { foundIn } from './rule.ts';
import { judge } from './rules.ts';
import { WorkListCheck } from './work-lists.ts';

type Ports = { readonly auditSource: AuditSource; readonly now: () => Date };

export type AuditReport = {
  readonly differences: readonly Difference[];
  /** The number of items read in the last pass, and the number of passes. */
  readonly items: number;
  readonly passes: number;
};

/** The table changes while it is read, so only a difference that is found again in each later pass counts. */
const mostPasses = 3;

/** Recomputes from every item of the table the invariants that need no provider (lib/ledger/README.md). Read-only. */
export async function audit(ports: Ports): Promise<AuditReport> {
  let report = await onePass(ports);
  for (let passes = 2; passes <= mostPasses && report.differences.length > 0; passes += 1) {
    const before = new Set(report.differences.map(keyOf));
    const again = await onePass(ports);
    const differences = again.differences.filter((each) => before.has(keyOf(each)));
    report = { differences, items: again.items, passes };
  }
  return report;
}

async function onePass({ auditSource, now }: Ports): Promise<AuditReport> {
  const checks = [
    new WorkListCheck(),
    new JournalCheck(),
    new PayoutCheck(),
    new PaymentCheck(),
    new ReserveCheck(now()),
    new ProviderFeeCheck(),
    new PostbackCheck(now()),
    new AdjustmentCheck(),
    new ChargebackCheck(),
  ];
  const records: AuditRecord[] = [];
  for await (const record of auditSource.records()) {
    records.push(record);
    for (const check of checks) check.see(record);
  }
  const found = foundIn(records);
  const judged = records.flatMap((record) => judge(record, found, now()));
  const differences = [...judged, ...checks.flatMap((check) => check.differences())];
  return { differences, items: records.length, passes: 1 };
}

const keyOf = ({ invariant, about }: Difference): string => `${invariant} ${about}`;
