import { refundShard, sendingList, undeliverableList } from './event-item.ts';
import { shards } from './shards.ts';
import type { Table } from './table.ts';
import { dueOn, everythingOn, type Listed } from './work-list.ts';

/** The most of one shard per sweep, so that a sweep ends within its minute; the rest waits for the next. */
const perShard = 100;

const eventShards = [...shards, refundShard];

/** Returns the keys of events that the sweeper should queue now. */
export const dueKeys = (table: Table, now: Date): Promise<readonly Listed[]> =>
  dueOn(table, eventShards.map(sendingList), { now, limit: perShard });

/** Returns the keys of all undelivered events. */
export const undeliveredKeys = (table: Table): Promise<readonly Listed[]> =>
  everythingOn(
    table,
    eventShards.flatMap((shard) => [sendingList(shard), undeliverableList(shard)]),
  );
