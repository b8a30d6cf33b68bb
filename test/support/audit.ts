import { audit } from '../../lib/operator/audit/audit.ts';
import { dynamoAuditRecords } from '../../lib/store/audit-records.ts';
import { dynamoBooks } from '../../lib/store/books.ts';
import { dynamoReconciliations } from '../../lib/store/reconciliations.ts';
import type { Table } from '../../lib/store/table.ts';

/** Returns what `audit` finds in a table that nobody writes meanwhile, so that it need not wait between its reads. */
export const differencesIn = async ({ table, now }: { readonly table: Table; readonly now: () => Date }) => {
  const ports = {
    auditSource: dynamoAuditRecords(table),
    books: dynamoBooks(table),
    reconciliations: dynamoReconciliations(table),
    timeZone: 'UTC',
    now,
    wait: async () => undefined,
  };
  return (await audit(ports)).differences;
};
