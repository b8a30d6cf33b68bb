import * as z from 'zod/mini';
import type { MerchantId } from '../ids.ts';
import { billCurrencies } from '../money/money.ts';
import { inParallel } from '../reconciliation/in-parallel.ts';
import { compareText, noHash } from './canonical.ts';
import { type Checkpoint, checkpointOf, foldHeads, type Head } from './checkpoint.ts';
import { cursorText, readCursor } from './cursor.ts';
import type { SealFinding } from './finding.ts';
import { chainsAtOnce, LargeDays, type Turn } from './large-days.ts';
import type { SealPorts } from './ports.ts';
import { type Chain, DayEntries, type Seal, sealOf } from './seal.ts';
import { dayContaining, dueUntil, type SealedDay, type SealedTo } from './sealed-day.ts';

/** A part of a sealing run. It continues from its cursor in the next call; `done` when everything that is due is sealed. */
export type SealingPart = {
  readonly done: boolean;
  /** Opaque; pass it to the next call. */
  readonly cursor: string | undefined;
  /** What prevented a chain from being sealed. The run ends without a checkpoint, and the next one tries again. */
  readonly findings: readonly SealFinding[];
  /** The number of seals written. */
  readonly written: number;
  /** The number of checkpoints written: one, by the last part. */
  readonly checkpoints: number;
};

/** Merchants whose chains are sealed between two cursors. */
const merchantsPerPart = 100;

const cursorSchema = z.object({
  to: z.string(),
  date: z.string(),
  after: z.string(),
  part: z.number(),
  chains: z.number(),
  headsHash: z.string(),
  blocked: z.boolean(),
});
type Cursor = z.infer<typeof cursorSchema>;

/**
 * Seals each day of each merchant and currency that ended an hour ago and has entries, in the order of the days, and then writes the
 * checkpoint. A call stops before its time is over. Calls that repeat, or begin anew after a crash, write no seal twice; two runs at the same
 * time must be prevented by the caller. The first run seals the journal from its first entry.
 */
export async function sealDays(
  ports: SealPorts,
  {
    after: continued,
    mayGoOn = () => true,
  }: { readonly after: string | undefined; readonly mayGoOn?: () => boolean } = { after: undefined },
): Promise<SealingPart> {
  const stored = await ports.seals.lastCheckpoint();
  if (stored && !stored.checkpoint) return unreadableCheckpoint(stored.date);
  const last = stored?.checkpoint;
  const cursor = continued === undefined ? begin(ports, last) : readCursor(cursorSchema, continued);
  // Nothing is due, or a part is repeated that had written its checkpoint.
  if (!cursor || (last && last.date >= cursor.date))
    return { done: true, cursor: undefined, findings: [], written: 0, checkpoints: 0 };
  const run = new SealingRun(ports, last, { to: new Date(cursor.to), date: cursor.date }, mayGoOn);
  const everyone = await ports.sealedJournal.merchants({ everyone: last === undefined });
  const merchants = everyone.filter((id) => compareText(id, cursor.after) > 0);
  let state = cursor;
  for (let at = 0; at < merchants.length; at += merchantsPerPart) {
    const batch = merchants.slice(at, at + merchantsPerPart);
    const heads = await run.sealMerchants(batch);
    if (!heads) return run.part(state);
    if (heads.length > 0) await ports.seals.writeHeads(cursor, state.part, heads);
    state = {
      ...state,
      after: batch.at(-1) ?? state.after,
      part: state.part + (heads.length > 0 ? 1 : 0),
      chains: state.chains + heads.length,
      headsHash: foldHeads(state.headsHash, heads),
      blocked: state.blocked || run.findings.length > 0,
    };
  }
  const isWritten = !state.blocked && (await writeCheckpoint(ports, last, state));
  return { ...run.part(undefined), checkpoints: isWritten ? 1 : 0 };
}

function unreadableCheckpoint(date: string): SealingPart {
  const text = `The checkpoint of ${date} cannot be read: nothing is sealed any further.`;
  return {
    done: true,
    cursor: undefined,
    findings: [{ invariant: 'seals_chained', about: `checkpoint ${date}`, text }],
    written: 0,
    checkpoints: 0,
  };
}

function begin({ now, timeZone }: SealPorts, last: Checkpoint | undefined): Cursor | undefined {
  const due = dueUntil(now(), last, timeZone);
  return (
    due && {
      to: due.to.toISOString(),
      date: due.date,
      after: '',
      part: 0,
      chains: 0,
      headsHash: noHash,
      blocked: false,
    }
  );
}

/**
 * A checkpoint that is there already was written by this run, before it was interrupted. Its hash is logged: a copy that who can write the
 * table cannot change.
 */
async function writeCheckpoint(
  { seals, sealArchive, log }: SealPorts,
  last: Checkpoint | undefined,
  state: Cursor,
): Promise<boolean> {
  const { date, part: parts, chains, headsHash } = state;
  const checkpoint = checkpointOf({ to: new Date(state.to), date, parts, chains, headsHash }, last);
  await sealArchive?.keepCheckpoint(checkpoint);
  log('info', 'days_sealed', { day: date, seal: checkpoint.hash });
  return (await seals.writeCheckpoint(checkpoint)).ok;
}

class OutOfTime extends Error {}
/** The chain has an item of this date already, which this run did not write. */
class DayTaken extends Error {}

class SealingRun {
  readonly findings: SealFinding[] = [];
  #written = 0;
  readonly #largeDays = new LargeDays();
  readonly #ports: SealPorts;
  readonly #sealed: SealedTo | undefined;
  readonly #until: SealedTo;
  readonly #mayGoOn: () => boolean;

  constructor(ports: SealPorts, sealed: SealedTo | undefined, until: SealedTo, mayGoOn: () => boolean) {
    this.#mayGoOn = mayGoOn;
    this.#ports = ports;
    this.#sealed = sealed;
    this.#until = until;
  }

  part(state: Cursor | undefined): SealingPart {
    const cursor = state && cursorText(state);
    return { done: !state, cursor, findings: this.findings, written: this.#written, checkpoints: 0 };
  }

  /** Returns the last seals of the chains that grew, ordered; undefined when the time was over before all were sealed. */
  async sealMerchants(merchants: readonly MerchantId[]): Promise<readonly Head[] | undefined> {
    const heads: Head[] = [];
    const chains = merchants.flatMap((merchantId) =>
      billCurrencies.map((currency) => ({ merchantId, currency })),
    );
    if (!this.#mayGoOn()) return undefined;
    try {
      await inParallel(chains, chainsAtOnce, async (chain) => {
        const head = await this.#sealChain(chain).catch((error: unknown) => {
          if (error instanceof DayTaken) return this.#blocked(chain, `A seal of ${error.message} exists`);
          throw error;
        });
        if (head) heads.push({ ...chain, date: head.date, hash: head.hash });
      });
    } catch (error) {
      if (error instanceof OutOfTime) return undefined;
      throw error;
    }
    return heads.toSorted((one, other) => compareText(textOf(one), textOf(other)));
  }

  /** Returns the chain's last seal if the chain has grown since the last checkpoint. */
  async #sealChain(chain: Chain): Promise<Seal | undefined> {
    const stored = await this.#ports.seals.lastOf(chain);
    if (stored && !stored.seal) return this.#blocked(chain, `The seal of ${stored.date} cannot be read`);
    const turn = this.#largeDays.turn();
    try {
      return await this.#sealAfter(chain, stored?.seal, turn);
    } finally {
      turn.end();
    }
  }

  async #sealAfter(chain: Chain, stored: Seal | undefined, turn: Turn): Promise<Seal | undefined> {
    let last = stored;
    let sealed = later(this.#sealed, last);
    let day: { readonly of: SealedDay; readonly entries: DayEntries } | undefined;
    const close = async () => {
      if (!day) return;
      const { seal, lines } = sealOf(chain, day.of, day.entries, last);
      // First to the archive: a run that is interrupted in between writes it there again.
      await this.#ports.sealArchive?.keepSeal(seal);
      const written = await this.#ports.seals.write({ seal, lines });
      if (!written.ok) throw new DayTaken(seal.date);
      this.#written += 1;
      last = seal;
      sealed = later(sealed, seal);
      day = undefined;
      turn.end();
    };
    const from = sealed?.to ?? (await this.#ports.sealedJournal.createdAt(chain.merchantId));
    if (!from || from >= this.#until.to) return this.#grown(last);
    // Entries are listed by month, and those of the first hours may be older than the merchant's record says.
    const first = sealed ? from : new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth()));
    for await (const page of this.#ports.sealedJournal.entriesOf(chain, {
      from: first,
      to: this.#until.to,
    })) {
      this.#stopInTime();
      for (const { id, at, entry } of page) {
        if (!entry) {
          return this.#blocked(chain, `Entry ${id} cannot be read`);
        }
        if (day && at >= day.of.to) {
          await close();
          this.#stopInTime();
        }
        day ??= { of: this.#cut(dayContaining(at, sealed, this.#ports.timeZone)), entries: new DayEntries() };
        day.entries.add(entry);
      }
      if (day) await turn.take(day.entries);
    }
    await close();
    return this.#grown(last);
  }

  #blocked({ merchantId, currency }: Chain, why: string): undefined {
    const text = `${why}: merchant ${merchantId} ${currency} is not sealed any further.`;
    this.findings.push({ invariant: 'seals_chained', about: `seals ${merchantId} ${currency}`, text });
  }

  /** After a change of the zone during an interrupted run, a chain's day could end after what this run seals. */
  #cut(day: SealedDay): SealedDay {
    return day.to > this.#until.to ? { ...day, to: this.#until.to } : day;
  }

  #grown(last: Seal | undefined): Seal | undefined {
    return last && (!this.#sealed || last.to > this.#sealed.to) ? last : undefined;
  }

  /** Never before a seal is written: a day may take longer than a part, and its reading begins anew in the next one. */
  #stopInTime(): void {
    if (this.#written > 0 && !this.#mayGoOn()) throw new OutOfTime();
  }
}

const textOf = ({ merchantId, currency }: Chain): string => `${merchantId} ${currency}`;

function later(one: SealedTo | undefined, other: SealedTo | undefined): SealedTo | undefined {
  if (!one || !other) return one ?? other;
  const { to } = one.to > other.to ? one : other;
  return { to, date: one.date > other.date ? one.date : other.date };
}
