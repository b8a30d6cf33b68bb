import * as z from 'zod/mini';
import type { MerchantId } from '../ids.ts';
import { billCurrencies } from '../money/money.ts';
import { inParallel } from '../reconciliation/in-parallel.ts';
import { compareText } from './canonical.ts';
import { cursorText, readCursor } from './cursor.ts';
import type { SealFinding } from './finding.ts';
import { chainsAtOnce, LargeDays } from './large-days.ts';
import type { SealReadPorts, StoredCheckpoint, StoredSeal } from './ports.ts';
import { chainFindings } from './verify-chain.ts';
import { verifyCheckpoint } from './verify-checkpoint.ts';
import { verifyEntries } from './verify-entries.ts';
import type { Chain, Seal } from './seal.ts';

/** What is verified. Every seal of the merchants, and every checkpoint, is always read. */
export type VerifyScope = {
  /** Undefined: all of them. */
  readonly merchantId: MerchantId | undefined;
  /** Entries and checkpoints' lists are read again from then on; undefined: from the beginning. */
  readonly since: Date | undefined;
  /** How many checkpoints an earlier audit read or wrote: there are never fewer. */
  readonly knownCheckpoints: number;
  /** Whether a sealing run is under way, whose seals have no checkpoint yet. */
  readonly isSealing: () => Promise<boolean>;
};

export type VerificationPart = {
  readonly done: boolean;
  /** Opaque; pass it to the next call, with the same scope. */
  readonly cursor: string | undefined;
  readonly findings: readonly SealFinding[];
  /** The number of seals that were read. */
  readonly seals: number;
  /** The number of checkpoints, told by the first part alone. */
  readonly checkpoints: number;
};

const merchantsPerBatch = 20;

const cursorSchema = z.object({
  /** The checkpoint up to which this run verifies. */
  to: z.string(),
  /** The next checkpoint. */
  checkpoint: z.number(),
  /** The last merchant that is done. */
  after: z.string(),
  /** Up to where the chains of the next batch are done. */
  within: z.record(z.string(), z.string()),
  /** Whether it was told that seals have no checkpoint, which many may have together. */
  isTold: z.boolean(),
});
type Cursor = z.infer<typeof cursorSchema>;

/**
 * Recomputes seals and checkpoints from the journal and compares: an entry that was removed, changed or added to a sealed day, a seal or
 * checkpoint that was removed or changed, and a chain that lost its last seals. Read-only. A call stops before its time is over.
 */
export async function verifySeals(
  ports: SealReadPorts,
  scope: VerifyScope,
  {
    after: continued,
    mayGoOn = () => true,
  }: { readonly after: string | undefined; readonly mayGoOn?: () => boolean } = { after: undefined },
): Promise<VerificationPart> {
  const stored = await ports.seals.checkpoints();
  const last = stored.at(-1);
  const begin = {
    to: (last?.checkpoint?.to ?? new Date(0)).toISOString(),
    checkpoint: 0,
    after: '',
    within: {},
    isTold: false,
  };
  const run = new Verification(
    ports,
    scope,
    continued === undefined ? begin : readCursor(cursorSchema, continued),
    mayGoOn,
  );
  const part = await run.run(stored);
  return { ...part, checkpoints: continued === undefined ? stored.length : 0 };
}

type Part = Omit<VerificationPart, 'checkpoints'>;

class Verification {
  readonly #findings: SealFinding[] = [];
  #seals = 0;
  readonly #largeDays = new LargeDays();
  readonly #ports: SealReadPorts;
  readonly #mayGoOn: () => boolean;
  readonly #scope: VerifyScope;
  #cursor: Cursor;

  constructor(ports: SealReadPorts, scope: VerifyScope, cursor: Cursor, mayGoOn: () => boolean) {
    this.#mayGoOn = mayGoOn;
    this.#ports = ports;
    this.#scope = scope;
    this.#cursor = cursor;
  }

  async run(stored: readonly StoredCheckpoint[]): Promise<Part> {
    if (this.#cursor.checkpoint === 0) this.#countCheckpoints(stored.length);
    for (let at = this.#cursor.checkpoint; at < stored.length; at += 1) {
      if (!this.#mayGoOn()) return this.#part(false);
      const { since } = this.#scope;
      const to = stored[at]?.checkpoint?.to;
      const isRead = !since || !to || to > since;
      this.#findings.push(...(await verifyCheckpoint(this.#ports.seals, stored, at, { isRead })));
      this.#cursor = { ...this.#cursor, checkpoint: at + 1 };
    }
    const merchants = (await this.#merchants()).filter((id) => compareText(id, this.#cursor.after) > 0);
    for (let at = 0; at < merchants.length; at += merchantsPerBatch) {
      const batch = merchants.slice(at, at + merchantsPerBatch);
      await inParallel(batch, chainsAtOnce, (merchantId) => this.#merchant(merchantId));
      if (!this.#isDone(batch)) return this.#part(false);
      this.#cursor = { ...this.#cursor, after: batch.at(-1) ?? '', within: {} };
    }
    return this.#part(true);
  }

  async #merchants(): Promise<readonly MerchantId[]> {
    const { since, merchantId } = this.#scope;
    return merchantId ? [merchantId] : this.#ports.sealedJournal.merchants({ everyone: !since });
  }

  async #merchant(merchantId: MerchantId): Promise<void> {
    const chains = billCurrencies.map((currency): Chain => ({ merchantId, currency }));
    const until = new Date(this.#cursor.to);
    const all = await Promise.all(chains.map((chain) => this.#ports.seals.allOf(chain)));
    const seals = all.map((each) => each.flatMap(({ seal }) => (seal && seal.from < until ? [seal] : [])));
    const firsts = seals.flatMap(([first]) => first?.from.getTime() ?? []);
    for (const [index, chain] of chains.entries()) {
      const from = this.#cursor.within[textOf(chain)];
      if (from === undefined) this.#seals += all[index]?.length ?? 0;
      if (from === undefined)
        this.#findings.push(...chainFindings(chain, all[index] ?? [], this.#ports.now()));
      if (from === undefined) await this.#uncovered(chain, all[index] ?? [], until);
      const span = { from: await this.#start(chain, seals[index] ?? [], from), to: until };
      const reached = await verifyEntries(this.#ports, chain, {
        seals: seals[index] ?? [],
        span,
        knownFrom: firsts.length > 0 ? new Date(Math.min(...firsts)) : undefined,
        findings: this.#findings,
        mayGoOn: this.#mayGoOn,
        largeDays: this.#largeDays,
      });
      this.#cursor.within[textOf(chain)] = reached.toISOString();
    }
  }

  /** From where the chain's entries are read: never from within a sealed day. */
  async #start({ merchantId }: Chain, seals: readonly Seal[], continued: string | undefined): Promise<Date> {
    if (continued !== undefined) return new Date(continued);
    const { since } = this.#scope;
    if (since) return seals.find((seal) => seal.from < since && since < seal.to)?.from ?? since;
    const created = await this.#ports.sealedJournal.createdAt(merchantId);
    const from = [created, seals[0]?.from].flatMap((date) => date?.getTime() ?? []);
    const first = new Date(from.length > 0 ? Math.min(...from) : Date.parse(this.#cursor.to));
    return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth()));
  }

  #isDone(batch: readonly MerchantId[]): boolean {
    return batch.every((merchantId) =>
      billCurrencies.every(
        (currency) => this.#cursor.within[textOf({ merchantId, currency })] === this.#cursor.to,
      ),
    );
  }

  /** Who removes the last checkpoints could have their days sealed anew; nothing else in the chain shows it. */
  #countCheckpoints(count: number): void {
    const { knownCheckpoints } = this.#scope;
    if (count >= knownCheckpoints) return;
    const text = `There are ${count} checkpoints, but an audit before counted ${knownCheckpoints}: the last ones were removed.`;
    this.#findings.push({ invariant: 'seals_chained', about: 'checkpoints', text });
  }

  /** Tells once of seals that no checkpoint covers, unless a sealing run is writing them, or has just ended. */
  async #uncovered(chain: Chain, stored: readonly StoredSeal[], until: Date): Promise<void> {
    const last = stored.findLast(({ seal }) => seal && seal.to > until)?.seal;
    if (!last || this.#cursor.isTold || (await this.#scope.isSealing())) return;
    const checkpoint = (await this.#ports.seals.checkpoints()).at(-1)?.checkpoint;
    if (this.#cursor.isTold || (checkpoint && checkpoint.to >= last.to)) return;
    this.#cursor.isTold = true;
    const text = `No checkpoint covers the seal of merchant ${textOf(chain)} ${last.date}, and maybe others: checkpoints were removed, or the sealing of another chain was prevented.`;
    this.#findings.push({ invariant: 'seals_chained', about: 'checkpoints', text });
  }

  #part(done: boolean): Part {
    return {
      done,
      cursor: done ? undefined : cursorText(this.#cursor),
      findings: this.#findings,
      seals: this.#seals,
    };
  }
}

const textOf = ({ merchantId, currency }: Chain): string => `${merchantId} ${currency}`;
