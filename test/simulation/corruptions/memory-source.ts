import type { AuditItem, AuditSource } from '../../../lib/operator/audit/source.ts';
import { auditItem } from '../../../lib/store/audit-items.ts';
import { loadRecords } from '../../../lib/store/audit-load.ts';
import type { Table } from '../../../lib/store/table.ts';
import type { Item } from './items.ts';
import { memoryTable } from './memory-table.ts';

/** What was read in an item. Hundreds of audits have most items in common, so each is parsed once. */
const parsed = new WeakMap<Item, AuditItem>();

function read(item: Item): AuditItem {
  const known = parsed.get(item) ?? auditItem(item);
  parsed.set(item, known);
  return known;
}

/** A table in memory with these items, and its items as the audit reads them, by the store's own readers. */
export function inMemory(items: readonly Item[]): {
  readonly table: Table;
  readonly auditSource: AuditSource;
} {
  const table = memoryTable(items);
  const all = items.map(read);
  const byKey = new Map(all.map((item) => [item.key, item]));
  const partitions = Map.groupBy(items, ({ PK }) => PK);
  const loaded = {
    items: byKey,
    partitions: new Map([...partitions].map(([PK, own]) => [PK, own.map(read)])),
  };
  const load: AuditSource['load'] = (refs) => loadRecords(table, refs, { loaded, ConsistentRead: true });
  const auditSource: AuditSource = {
    async *pages() {
      yield { items: all, load, next: undefined };
    },
    again: async (keys) => keys.flatMap((key) => byKey.get(key) ?? []),
    load,
  };
  return { table, auditSource };
}
