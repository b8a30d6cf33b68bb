import * as z from 'zod/mini';
import type { MerchantId } from '../ids.ts';
import type { ListHistory } from '../search/ports.ts';
import { orAbsent } from './attributes.ts';
import { batchGet } from './batch-get.ts';
import { getItem } from './get-item.ts';
import { merchantKey } from './merchant-item.ts';
import { moment } from './moment.ts';
import type { Table } from './table.ts';

/** The migration that gives items from before the LIST index their keys. Absent until it is first started. */
export const migrationKey = { PK: 'MIGRATION#LIST', SK: 'MIGRATION' } as const;

const item = z.object({
  SK: z.string(),
  startedAt: orAbsent(moment),
  endedAt: orAbsent(moment),
  list: orAbsent(z.string()),
});

/** Whether a merchant's lists have everything, from two items that are read at once. */
export const dynamoListHistory = (table: Table): ListHistory => ({
  async incompleteBefore(merchantId: MerchantId, now: Date) {
    const items = (await batchGet(table, [migrationKey, merchantKey(merchantId)])).map((raw) =>
      item.parse(raw),
    );
    const migration = items.find(({ SK }) => SK === migrationKey.SK);
    if (migration) return migration.endedAt ? undefined : migration.startedAt;
    // Without a migration a merchant who is listed was created after the index was, and so was everything of theirs.
    const isNew = items.some(({ list }) => list !== undefined);
    return isNew ? undefined : now;
  },

  async incompleteForAll(now: Date) {
    const migration = await getItem(table, migrationKey, (raw) => item.parse(raw));
    if (!migration) return now;
    return migration.endedAt ? undefined : migration.startedAt;
  },
});
