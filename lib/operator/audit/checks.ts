import { JournalCheck } from './journal.ts';
import { PostbackCheck } from './postbacks.ts';
import type { AuditRecord, Difference } from './records.ts';

/** The checks that sum over all records of a table. */
export function checksAt(now: Date) {
  const checks = [new JournalCheck(), new PostbackCheck(now)];
  return {
    see: (record: AuditRecord) => {
      for (const check of checks) check.see(record);
    },
    differences: (): readonly Difference[] => checks.flatMap((check) => check.differences()),
  };
}
