import { audit } from '../../lib/operator/audit/audit.ts';
import { dynamoAuditRecords } from '../../lib/store/audit-records.ts';
import { dynamoAuditRuns } from '../../lib/store/audit-runs.ts';
import { dynamoBalanceBooks } from '../../lib/store/balance-books.ts';
import { dynamoBooks } from '../../lib/store/books.ts';
import { dynamoReconciliations } from '../../lib/store/reconciliations.ts';
import { dynamoSealedJournal } from '../../lib/store/sealed-journal.ts';
import { dynamoSeals } from '../../lib/store/seals.ts';
import type { Table } from '../../lib/store/table.ts';

type Given = { readonly table: Table; readonly now: () => Date };

/** What the steps of an audit use, on a table that nobody writes meanwhile, so that they need not wait between their reads. */
export const auditPortsOn = ({ table, now }: Given) => ({
  auditSource: dynamoAuditRecords(table),
  auditRuns: dynamoAuditRuns(table),
  balanceBooks: dynamoBalanceBooks(table),
  books: dynamoBooks(table),
  reconciliations: dynamoReconciliations(table),
  seals: dynamoSeals(table),
  sealedJournal: dynamoSealedJournal(table),
  timeZone: 'UTC',
  now,
  wait: async () => undefined,
});

/** Returns what `audit` finds there. */
export const differencesIn = async (given: Given) => (await audit(auditPortsOn(given))).differences;
