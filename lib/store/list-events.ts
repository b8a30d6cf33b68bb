import { sendingList, undeliverableList } from './event-item.ts';
import { shards } from './shards.ts';
import type { Table } from './table.ts';
import { dueOn, everythingOn, type Listed } from './work-list.ts';

/** More than this of one shard waits for the next minute, so that one sweep ends within its own. */
const perShard = 100;

/** The keys of events that the sweeper should send by now. */
export const dueKeys = (table: Table, now: Date): Promise<readonly Listed[]> =>
  dueOn(table, shards.map(sendingList), { now, limit: perShard });

/** The keys of everything undelivered. */
export const undeliveredKeys = (table: Table): Promise<readonly Listed[]> =>
  everythingOn(
    table,
    shards.flatMap((shard) => [sendingList(shard), undeliverableList(shard)]),
  );
