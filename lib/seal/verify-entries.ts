import { merchantAccounts } from '../ledger/entry.ts';
import type { Period } from '../reconciliation/day.ts';
import { compareText, entryLine, linesHash } from './canonical.ts';
import type { SealFinding } from './finding.ts';
import type { SealedJournal, Seals, StoredEntry } from './ports.ts';
import { areSameSums, type Chain, type Seal, sealHash, sumsOf } from './seal.ts';

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
};

/** Names that a finding lists. */
const mostNames = 20;

/**
 * Reads the chain's entries of the span again and compares each day with its seal, and tells of entries that no seal has. Returns up to where
 * it came: the end of the span, or of the last day that was compared before the time was over.
 */
export async function verifyEntries(ports: Ports, chain: Chain, verified: Verified): Promise<Date> {
  const walk = new Walk(ports, chain, verified);
  for await (const page of ports.sealedJournal.entriesOf(chain, verified.span)) {
    for (const stored of page) if (!(await walk.see(stored))) return walk.reached;
  }
  await walk.end();
  return verified.span.to;
}

/** Goes through entries and seals in the order of time. */
class Walk {
  readonly #ports: Ports;
  readonly #chain: Chain;
  readonly #verified: Verified;
  readonly #days: Seal[];
  #entries: StoredEntry[] = [];
  #strays: StoredEntry[] = [];
  reached: Date;

  constructor(ports: Ports, chain: Chain, verified: Verified) {
    const { seals, span } = verified;
    this.#ports = ports;
    this.#chain = chain;
    this.#verified = verified;
    this.#days = seals.filter(({ from, to }) => from >= span.from && to <= span.to);
    this.reached = span.from;
  }

  /** Returns false when the time is over: the entry is not seen. */
  async see(stored: StoredEntry): Promise<boolean> {
    for (let [day] = this.#days; day && stored.at >= day.to; [day] = this.#days) {
      await this.#close(day);
      if (!this.#verified.mayGoOn()) return false;
    }
    const [day] = this.#days;
    (day && stored.at >= day.from ? this.#entries : this.#strays).push(stored);
    return true;
  }

  async end(): Promise<void> {
    for (let [day] = this.#days; day; [day] = this.#days) await this.#close(day);
    this.#tellStrays();
  }

  async #close(day: Seal): Promise<void> {
    this.#verified.findings.push(...(await dayFindings(this.#ports, day, this.#entries)));
    this.#tellStrays();
    this.#entries = [];
    this.#days.shift();
    this.reached = day.to;
  }

  #tellStrays(): void {
    this.#verified.findings.push(...strayFindings(this.#chain, this.#strays, this.#verified));
    this.#strays = [];
  }
}

/** Compares the entries of a day with its seal. Where the day's lines are stored, it names the entries that differ. */
async function dayFindings(
  { seals }: Pick<Ports, 'seals'>,
  seal: Seal,
  stored: readonly StoredEntry[],
): Promise<readonly SealFinding[]> {
  const lines = stored.map(lineOf).toSorted(compareText);
  const hash = linesHash(lines);
  const sums = sumsOf(stored.flatMap(({ entry }) => entry?.lines ?? []));
  if (hash === seal.entriesHash && stored.length === seal.count && areSameSums(sums, seal.sums)) return [];
  const sealed = await seals.linesOf(seal);
  const { hash: own, ...content } = seal;
  // Then the seal was changed, which its chain tells, and not the journal.
  if (sealed && sealHash(content) !== own && linesHash(sealed) === hash) return [];
  const { merchantId, currency, date } = seal;
  const what =
    sealed && linesHash(sealed) === seal.entriesHash
      ? differing(sealed, lines)
      : `${seal.count} entries were sealed, ${stored.length} are there, or some were changed; ${moved(seal, sums)}`;
  return [
    {
      invariant: 'seals_match_journal',
      about: `day ${merchantId} ${currency} ${date}`,
      text: `Sealed day ${date} of merchant ${merchantId} in ${currency}: ${what}.`,
    },
  ];
}

const lineOf = ({ id, entry }: StoredEntry): string => (entry ? entryLine(entry) : `${id} unreadable`);

/** Names the entries that were removed, changed or added. */
function differing(sealed: readonly string[], found: readonly string[]): string {
  const before = new Map(sealed.map(split));
  const after = new Map(found.map(split));
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

const named = (ids: readonly string[]): string => {
  const more = ids.length - mostNames;
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
 * Tells of entries in sealed time that no seal has. Not told: entries without a line of the merchant's, from before anything of the merchant
 * was sealed. A captured payment that had failed makes them, and no balance lists the merchant until one is credited.
 */
function strayFindings(
  { merchantId, currency }: Chain,
  strays: readonly StoredEntry[],
  { knownFrom }: Pick<Verified, 'knownFrom'>,
): readonly SealFinding[] {
  const told = strays.filter(
    ({ entry, at }) =>
      !entry ||
      (knownFrom !== undefined && at >= knownFrom) ||
      entry.lines.some(({ account }) => merchantAccounts.some((each) => each === account)),
  );
  const [first] = told;
  if (!first) return [];
  return [
    {
      invariant: 'seals_match_journal',
      about: `unsealed ${merchantId} ${currency} ${first.id}`,
      text: `Merchant ${merchantId} in ${currency}, ${first.at.toISOString()}: in no seal, though everything up to then is sealed: ${named(told.map(({ id }) => id))}. They were added later, or their seal was removed.`,
    },
  ];
}
