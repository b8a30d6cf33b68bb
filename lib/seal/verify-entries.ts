import { merchantAccounts } from '../ledger/entry.ts';
import type { Period } from '../reconciliation/day.ts';
import { linesHash } from './canonical.ts';
import type { SealFinding } from './finding.ts';
import type { LargeDays, Turn } from './large-days.ts';
import type { SealedJournal, Seals, StoredEntry } from './ports.ts';
import { areSameSums, type Chain, DayEntries, type Seal, sealHash, sumsOf } from './seal.ts';

type Ports = { readonly seals: Pick<Seals, 'linesOf'>; readonly sealedJournal: SealedJournal };

type Verified = {
  /** The chain's seals, oldest first. */
  readonly seals: readonly Seal[];
  /** Its beginning is not within a seal's day. */
  readonly span: Period;
  /** Since when anything of the merchant is sealed. */
  readonly knownFrom: Date | undefined;
  readonly findings: SealFinding[];
  readonly mayGoOn: () => boolean;
  /** Of all chains that are read at the same time. */
  readonly largeDays: LargeDays;
};

/** Names that a finding lists. */
const mostNames = 20;

/**
 * Reads the chain's entries of the span again and compares each day with its seal, and tells of entries that no seal has. Returns up to where
 * it came: the end of the span, or of the last day that was compared before the time was over.
 */
export async function verifyEntries(ports: Ports, chain: Chain, verified: Verified): Promise<Date> {
  const walk = new Walk(ports, chain, verified);
  try {
    for await (const page of ports.sealedJournal.entriesOf(chain, verified.span))
      if (!(await walk.see(page))) return walk.reached;
    await walk.end();
  } finally {
    walk.leave();
  }
  return verified.span.to;
}

/** Goes through entries and seals in the order of time. */
class Walk {
  readonly #ports: Ports;
  readonly #chain: Chain;
  readonly #verified: Verified;
  readonly #days: Seal[];
  #entries = new DayEntries();
  #strays = new Strays();
  readonly #turn: Turn;
  reached: Date;

  constructor(ports: Ports, chain: Chain, verified: Verified) {
    const { seals, span } = verified;
    this.#ports = ports;
    this.#chain = chain;
    this.#verified = verified;
    this.#turn = verified.largeDays.turn();
    this.#days = seals.filter(({ from, to }) => from >= span.from && to <= span.to);
    this.reached = span.from;
  }

  /**
   * Returns false when the time is over: what follows `reached` is not seen. Never before a day is compared: one may take longer than a
   * part, and its reading begins anew in the next.
   */
  async see(page: readonly StoredEntry[]): Promise<boolean> {
    if (this.#isOver()) return false;
    for (const stored of page) if (!(await this.#see(stored))) return false;
    await this.#turn.take(this.#entries);
    return true;
  }

  async #see(stored: StoredEntry): Promise<boolean> {
    for (let [day] = this.#days; day && stored.at >= day.to; [day] = this.#days) {
      await this.#close(day);
      if (this.#isOver()) return false;
    }
    const [day] = this.#days;
    if (!day || stored.at < day.from) this.#strays.see(stored, this.#verified);
    else if (stored.entry) this.#entries.add(stored.entry);
    else this.#entries.addUnreadable(stored.id);
    return true;
  }

  async end(): Promise<void> {
    for (let [day] = this.#days; day; [day] = this.#days) await this.#close(day);
    this.#tellStrays();
  }

  leave(): void {
    this.#turn.end();
  }

  #isOver(): boolean {
    return this.reached > this.#verified.span.from && !this.#verified.mayGoOn();
  }

  async #close(day: Seal): Promise<void> {
    this.#verified.findings.push(...(await dayFindings(this.#ports, day, this.#entries)));
    this.#tellStrays();
    this.#entries = new DayEntries();
    this.#turn.end();
    this.#days.shift();
    this.reached = day.to;
  }

  #tellStrays(): void {
    this.#verified.findings.push(...this.#strays.findings(this.#chain));
    this.#strays = new Strays();
  }
}

/** Compares the entries of a day with its seal. Where the day's lines are stored, it names the entries that differ. */
async function dayFindings(
  { seals }: Pick<Ports, 'seals'>,
  seal: Seal,
  stored: DayEntries,
): Promise<readonly SealFinding[]> {
  const hash = linesHash(stored.lines());
  const sums = stored.sums();
  if (hash === seal.entriesHash && stored.count === seal.count && areSameSums(sums, seal.sums)) return [];
  const sealed = await seals.linesOf(seal);
  const { hash: own, ...content } = seal;
  // Then the seal was changed, which its chain tells, and not the journal.
  if (sealed && sealHash(content) !== own && linesHash(sealed) === hash) return [];
  const { merchantId, currency, date } = seal;
  const what =
    sealed && linesHash(sealed) === seal.entriesHash
      ? differing(sealed, stored.lines())
      : `${seal.count} entries were sealed, ${stored.count} are there, or some were changed; ${moved(seal, sums)}`;
  return [
    {
      invariant: 'seals_match_journal',
      about: `day ${merchantId} ${currency} ${date}`,
      text: `Sealed day ${date} of merchant ${merchantId} in ${currency}: ${what}.`,
    },
  ];
}

/** Names the entries that were removed, changed or added. */
function differing(sealed: readonly string[], found: Iterable<string>): string {
  const before = new Map(sealed.map(split));
  const after = new Map(Array.from(found, split));
  const removed = [...before.keys()].filter((id) => !after.has(id));
  const added = [...after.keys()].filter((id) => !before.has(id));
  const changed = [...after].filter(([id, hash]) => before.has(id) && before.get(id) !== hash);
  return [
    { what: 'removed', ids: removed },
    { what: 'changed', ids: changed.map(([id]) => id) },
    { what: 'added after it was sealed', ids: added },
  ]
    .filter(({ ids }) => ids.length > 0)
    .map(({ what, ids }) => `${what}: ${named(ids)}`)
    .join('; ');
}

const split = (line: string): [string, string] => {
  const at = line.lastIndexOf(' ');
  return [line.slice(0, at), line.slice(at + 1)];
};

/** Names the first ones. `count` is the number of all, where `ids` are fewer. */
const named = (ids: readonly string[], count = ids.length): string => {
  const more = count - mostNames;
  return [...ids.slice(0, mostNames), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
};

/** Says by how much the sums of the day moved since it was sealed. */
function moved(seal: Seal, sums: Seal['sums']): string {
  const opposite = seal.sums.map((line) => ({ ...line, minor: -line.minor }));
  const by = sumsOf([...sums, ...opposite]);
  if (by.length === 0) return 'the sums are those sealed';
  return `against the seal ${by.map(({ account, currency, minor }) => `${account} ${currency} ${minor}`).join(', ')} minor units`;
}

/**
 * Entries in sealed time that no seal has. Left out: entries without a line of the merchant's, from before anything of the merchant
 * was sealed. A captured payment that had failed makes them, and no balance lists the merchant until one is credited.
 */
class Strays {
  #first: StoredEntry | undefined;
  readonly #names: string[] = [];
  #count = 0;

  see(stored: StoredEntry, { knownFrom }: Pick<Verified, 'knownFrom'>): void {
    const { id, at, entry } = stored;
    const isKnown = knownFrom !== undefined && at >= knownFrom;
    if (
      entry &&
      !isKnown &&
      !entry.lines.some(({ account }) => merchantAccounts.some((each) => each === account))
    )
      return;
    this.#first ??= stored;
    this.#count += 1;
    if (this.#count <= mostNames) this.#names.push(id);
  }

  findings({ merchantId, currency }: Chain): readonly SealFinding[] {
    if (!this.#first) return [];
    const { id, at } = this.#first;
    return [
      {
        invariant: 'seals_match_journal',
        about: `unsealed ${merchantId} ${currency} ${id}`,
        text: `Merchant ${merchantId} in ${currency}, ${at.toISOString()}: in no seal, though everything up to then is sealed: ${named(this.#names, this.#count)}. They were added later, or their seal was removed.`,
      },
    ];
  }
}
