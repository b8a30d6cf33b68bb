import type { MerchantId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Entry } from '../ledger/entry.ts';
import type { Period } from '../reconciliation/day.ts';
import type { Result } from '../result.ts';
import type { Checkpoint, Head } from './checkpoint.ts';
import type { Chain, Seal, SealWithLines } from './seal.ts';

/** The stored seals. Reads are strongly consistent; nothing is ever changed. */
export interface Seals {
  lastOf(chain: Chain): Promise<StoredSeal | undefined>;
  /** The chain, oldest first. */
  allOf(chain: Chain): Promise<readonly StoredSeal[]>;
  /** The seals under these heads that exist and can be read, in no particular order. */
  named(heads: readonly Head[]): Promise<readonly Seal[]>;
  /** The lines that the seal's hash covers; undefined where the day had too many to store. */
  linesOf(seal: Seal): Promise<readonly string[] | undefined>;
  /** Refused when the chain has a seal of this date. */
  write(sealed: SealWithLines): Promise<Result<void, 'seal_exists'>>;

  lastCheckpoint(): Promise<StoredCheckpoint | undefined>;
  /** Oldest first. */
  checkpoints(): Promise<readonly StoredCheckpoint[]>;
  /** The heads of a part; empty when it does not exist. */
  headsOf(checkpoint: Pick<Checkpoint, 'date'>, part: number): Promise<readonly Head[]>;
  /** Replaces the part of a run that was interrupted: it counts when its checkpoint is written. */
  writeHeads(checkpoint: Pick<Checkpoint, 'date'>, part: number, heads: readonly Head[]): Promise<void>;
  /** Refused when a checkpoint of this date exists. */
  writeCheckpoint(checkpoint: Checkpoint): Promise<Result<void, 'checkpoint_exists'>>;
}

/** A seal that cannot be read is undefined. */
export type StoredSeal = { readonly date: string; readonly seal: Seal | undefined };

/** A checkpoint that cannot be read is undefined. */
export type StoredCheckpoint = { readonly date: string; readonly checkpoint: Checkpoint | undefined };

/** The journal as it is sealed. */
export interface SealedJournal {
  /**
   * The chain's entries of the period, whole and by their time, page by page. The index says which, so an entry that was just written may be
   * missing; an entry that cannot be read is undefined.
   */
  entriesOf(chain: Chain, period: Period): AsyncIterable<readonly StoredEntry[]>;
  /** When the merchant was created; undefined when no record says. */
  createdAt(merchantId: MerchantId): Promise<Date | undefined>;
  /** The merchants that may have entries, ordered: those whose balance ever moved, or these and every other, which scans the table. */
  merchants(which: { readonly everyone: boolean }): Promise<readonly MerchantId[]>;
}

export type StoredEntry = { readonly id: string; readonly at: Date; readonly entry: Entry | undefined };

/** Where each seal is written as well, so that who can change the table cannot change it. Writing again is harmless. */
export interface SealArchive {
  keepSeal(seal: Seal): Promise<void>;
  keepCheckpoint(checkpoint: Checkpoint): Promise<void>;
}

export type SealsRead = Pick<Seals, 'allOf' | 'named' | 'linesOf' | 'checkpoints' | 'headsOf'>;

/** What reading seals takes. */
export type SealReadPorts = {
  readonly now: () => Date;
  readonly seals: SealsRead;
  readonly sealedJournal: SealedJournal;
};

/** What sealing takes. */
export type SealPorts = SealReadPorts & {
  readonly seals: Seals;
  readonly timeZone: string;
  readonly log: Log;
  /** Undefined: the record names no bucket. */
  readonly sealArchive: SealArchive | undefined;
};
