import { createHash } from 'node:crypto';

/** A work list is spread over 64 keys of the index, so that a peak does not reach the throughput limit of one partition. */
export const shards: readonly string[] = Array.from({ length: 64 }, (_, shard) =>
  shard.toString().padStart(2, '0'),
);

/** Returns the shard of the item with this id. */
export const shardOf = (id: string): string =>
  shards[createHash('sha256').update(id).digest().readUInt8(0) % shards.length] ?? '00';
