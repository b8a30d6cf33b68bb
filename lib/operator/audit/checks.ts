import { JournalCheck } from './journal.ts';
import type { AuditRecord, Difference } from './records.ts';

/** The checks that sum over all records of a table. */
export function checksAt(_now: Date) {
  const checks = [new JournalCheck()];
  return {
    see: (record: AuditRecord) => {
      for (const check of checks) check.see(record);
    },
    differences: (): readonly Difference[] => checks.flatMap((check) => check.differences()),
  };
}
