import { canonicalText, noHash, sha256 } from './canonical.ts';
import type { Chain, Seal } from './seal.ts';
import type { SealedTo } from './sealed-day.ts';

/** A chain's last seal when a checkpoint was written. */
export type Head = Chain & Pick<Seal, 'date' | 'hash'>;

/**
 * What one sealing run leaves: everything before `to` is sealed. It lists the last seal of every chain that grew, in parts, so a chain that
 * lost its last seals is noticed. Checkpoints form a chain of their own.
 */
export type Checkpoint = SealedTo & {
  readonly parts: number;
  /** The number of chains that grew. */
  readonly chains: number;
  /** The hash over the heads, folded part by part. */
  readonly headsHash: string;
  /** The hash of the checkpoint before; 64 zeros in the first. */
  readonly previous: string;
  readonly hash: string;
};

/** Continues the hash over a checkpoint's heads with those of the next part. */
export const foldHeads = (hash: string, heads: readonly Head[]): string =>
  heads.reduce(
    (folded, head) => sha256(`${folded} ${head.merchantId} ${head.currency} ${head.date} ${head.hash}`),
    hash,
  );

export function checkpointOf(
  content: Omit<Checkpoint, 'previous' | 'hash'>,
  before: Pick<Checkpoint, 'hash'> | undefined,
): Checkpoint {
  const linked = { ...content, previous: before?.hash ?? noHash };
  return { ...linked, hash: checkpointHash(linked) };
}

/** Returns the hash that a checkpoint with this content has. */
export const checkpointHash = (checkpoint: Omit<Checkpoint, 'hash'>): string =>
  sha256(canonicalText(canonicalCheckpoint(checkpoint)));

export const canonicalCheckpoint = (checkpoint: Omit<Checkpoint, 'hash'>) => ({
  chains: checkpoint.chains,
  date: checkpoint.date,
  heads: checkpoint.headsHash,
  parts: checkpoint.parts,
  previous: checkpoint.previous,
  to: checkpoint.to.toISOString(),
});
