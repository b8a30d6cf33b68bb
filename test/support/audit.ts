import { audit } from '../../lib/operator/audit/audit.ts';
import { dynamoAuditRecords } from '../../lib/store/audit-records.ts';
import type { Table } from '../../lib/store/table.ts';

/** Returns what `audit` finds in a table that nobody writes meanwhile, so that it need not wait between its reads. */
export const differencesIn = async ({ table, now }: { readonly table: Table; readonly now: () => Date }) =>
  (await audit({ auditSource: dynamoAuditRecords(table), now, wait: async () => undefined })).differences;
