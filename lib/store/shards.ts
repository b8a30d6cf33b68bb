import { createHash } from 'node:crypto';

/** A work list is spread over 64 keys of the index, so that a storm never meets the limit of one partition. */
export const shards: readonly string[] = Array.from({ length: 64 }, (_, shard) =>
  shard.toString().padStart(2, '0'),
);

/** The shard that an item with this id is listed in. */
export const shardOf = (id: string): string =>
  shards[createHash('sha256').update(id).digest().readUInt8(0) % shards.length] ?? '00';
