import type { MerchantId } from '../ids.ts';
import { type Entry, entryId, type Line } from '../ledger/entry.ts';
import type { BillCurrency } from '../money/money.ts';
import { canonicalText, compareText, entryHash, linesHash, noHash, sha256 } from './canonical.ts';
import { DayLines } from './day-lines.ts';
import type { SealedDay } from './sealed-day.ts';

/** Seals of one merchant and currency form a chain. The currency is that of the merchant's timeline; lines may have another one too. */
export type Chain = { readonly merchantId: MerchantId; readonly currency: BillCurrency };

/** What an account gained in a currency, or holds; in minor units, never zero. Ordered by account and currency. */
export type Sums = readonly Line[];

/** The seal of a day: the entries of one merchant and currency that were in the journal when the day was over. */
export type Seal = Chain &
  SealedDay & {
    /** The number of entries, at least one. */
    readonly count: number;
    /** What the day's entries posted. */
    readonly sums: Sums;
    /** What all entries up to the end of the day posted. */
    readonly closing: Sums;
    /** The hash over the day's entries in key order. */
    readonly entriesHash: string;
    /** The hash of the chain's seal before; 64 zeros in the first. */
    readonly previous: string;
    /** The hash over everything above. */
    readonly hash: string;
  };

/** A seal and the lines that `entriesHash` covers, in their order: each entry's key and hash. */
export type SealWithLines = { readonly seal: Seal; readonly lines: Iterable<string> };

/** The entries of a day, added in any order: it keeps their lines and adds up what they post. */
export class DayEntries {
  readonly #lines = new DayLines();
  readonly #totals: Totals = new Map();

  static of(entries: readonly Entry[]): DayEntries {
    const day = new DayEntries();
    for (const entry of entries) day.add(entry);
    return day;
  }

  add(entry: Entry): void {
    this.#lines.add(entryId(entry), entryHash(entry));
    addUp(this.#totals, entry.lines);
  }

  /** Adds an entry that cannot be read: no sealed day has its line. */
  addUnreadable(id: string): void {
    this.#lines.add(id, noHash);
  }

  get count(): number {
    return this.#lines.count;
  }

  sums(): Sums {
    return sumsIn(this.#totals);
  }

  /** Returns the lines in the order of their keys, which are sorted each time that it is called. */
  lines(): Iterable<string> {
    return this.#lines.inOrder();
  }
}

/** Seals the entries of a day. `before` is the chain's last seal. */
export function sealOf(
  { merchantId, currency }: Chain,
  day: SealedDay,
  entries: DayEntries,
  before: Pick<Seal, 'closing' | 'hash'> | undefined,
): SealWithLines {
  const sums = entries.sums();
  const { date, timeZone, from, to } = day;
  const content = {
    merchantId,
    currency,
    date,
    timeZone,
    from,
    to,
    count: entries.count,
    sums,
    closing: sumsOf([...(before?.closing ?? []), ...sums]),
    entriesHash: linesHash(entries.lines()),
    previous: before?.hash ?? noHash,
  };
  return { seal: { ...content, hash: sealHash(content) }, lines: entries.lines() };
}

/** Returns the hash that a seal with this content has. */
export const sealHash = (seal: Omit<Seal, 'hash'>): string => sha256(canonicalText(canonicalSeal(seal)));

/** Returns the canonical form of a seal without its own hash (docs/seals.md). */
export const canonicalSeal = (seal: Omit<Seal, 'hash'>) => ({
  closing: canonicalSums(seal.closing),
  count: seal.count,
  currency: seal.currency,
  date: seal.date,
  entries: seal.entriesHash,
  from: seal.from.toISOString(),
  merchant: seal.merchantId,
  previous: seal.previous,
  sums: canonicalSums(seal.sums),
  timeZone: seal.timeZone,
  to: seal.to.toISOString(),
});

const canonicalSums = (sums: Sums) =>
  sums.map(({ account, currency, minor }) => ({ account, amount: String(minor), currency }));

/** Adds up lines by account and currency. */
export function sumsOf(lines: readonly Line[]): Sums {
  const totals: Totals = new Map();
  addUp(totals, lines);
  return sumsIn(totals);
}

type Totals = Map<string, Line>;

function addUp(totals: Totals, lines: readonly Line[]): void {
  for (const line of lines) {
    const key = `${line.account} ${line.currency}`;
    totals.set(key, { ...line, minor: (totals.get(key)?.minor ?? 0n) + line.minor });
  }
}

const sumsIn = (totals: Totals): Sums =>
  [...totals]
    .filter(([, { minor }]) => minor !== 0n)
    .toSorted(([one], [other]) => compareText(one, other))
    .map(([, { account, currency, minor }]) => ({ account, currency, minor }));

/** Whether two lists of sums are the same. */
export const areSameSums = (one: Sums, other: Sums): boolean =>
  canonicalText(canonicalSums(one)) === canonicalText(canonicalSums(other));
