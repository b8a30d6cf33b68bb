import { type MerchantAccount, merchantAccounts } from '../../ledger/entry.ts';

/** What a merchant's accounts hold in one currency, or what an entry moves on them, in minor units. */
export type Holdings = Readonly<Record<MerchantAccount, bigint>>;

/** The part of a journal entry that moves one balance. `id` is its key. */
export type Posting = { readonly id: string; readonly at: Date; readonly moved: Holdings };

/** A balance as read between two readings of its journal; `readAt` is the time directly after it was read. */
export type Sample = {
  readonly balance: Holdings;
  /** The sum of the entries that had been read before the balance, so that the balance contains them. */
  readonly seen: Holdings;
  /** The recent ones of these entries, by their ids. */
  readonly recent: ReadonlyMap<string, Posting>;
  readonly readAt: Date;
};

/** Beyond this number of sums the entries of a bracket explain almost every difference, so it says nothing. */
const mostSums = 4096;

/**
 * Returns every difference between a balance and its journal that this sample allows, as texts of `differenceOf`; undefined when there
 * are too many to say anything.
 *
 * No read shows balance and journal at one time. Entries read before the balance are in it. Entries read only afterwards (`later`) may or
 * may not be in it, so each sum of some of them is possible, on all accounts together. `at` is taken before an entry is written: an entry
 * whose time is after the reading, by more than clocks differ, is not in it.
 */
export function possibleDifferences(
  { balance, seen, recent, readAt }: Sample,
  later: ReadonlyMap<string, Posting>,
  clockSkewMs: number,
): ReadonlySet<string> | undefined {
  // A reader whose clock is slow takes the time from the entries that it has read.
  const newest = [...recent.values()].reduce((latest, { at }) => Math.max(latest, at.getTime()), 0);
  const until = Math.max(readAt.getTime(), newest) + clockSkewMs;
  let possible = new Map([[textOf(minus(balance, seen)), minus(balance, seen)]]);
  for (const { id, at, moved } of later.values()) {
    if (recent.has(id) || at.getTime() > until) continue;
    const without = [...possible.values()].map((each) => minus(each, moved));
    possible = new Map([...possible, ...without.map((each) => [textOf(each), each] as const)]);
    if (possible.size > mostSums) return undefined;
  }
  return new Set(possible.keys());
}

/** Returns what all sets have in common. A sample that says nothing is left out; undefined when none says anything. */
export function inAll(sets: readonly (ReadonlySet<string> | undefined)[]): ReadonlySet<string> | undefined {
  const known = sets.filter((each) => each !== undefined);
  const [first, ...others] = known;
  return first && others.reduce((common, each) => new Set([...common].filter((one) => each.has(one))), first);
}

export const nothing: Holdings = { available: 0n, locked: 0n, held: 0n, reserved: 0n };
const combined =
  (combine: (one: bigint, other: bigint) => bigint) =>
  (one: Holdings, other: Holdings): Holdings => ({
    available: combine(one.available, other.available),
    locked: combine(one.locked, other.locked),
    held: combine(one.held, other.held),
    reserved: combine(one.reserved, other.reserved),
  });
export const plus = combined((one, other) => one + other);
const minus = combined((one, other) => one - other);

export const isSame = (one: Holdings, other: Holdings): boolean =>
  merchantAccounts.every((account) => one[account] === other[account]);

const textOf = (holdings: Holdings): string => merchantAccounts.map((account) => holdings[account]).join(' ');
export const noDifference = textOf(nothing);

/** Reads a possible difference: what the balance has more than its journal. */
export function differenceOf(text: string): Holdings {
  const [available = 0n, locked = 0n, held = 0n, reserved = 0n] = text.split(' ').map(BigInt);
  return { available, locked, held, reserved };
}

/** What the rounds so far say of one balance. */
export type Verdict =
  | { readonly kind: 'agrees' }
  /** What was written meanwhile can explain the difference, and other differences as well. */
  | { readonly kind: 'explained' }
  /** Too much was written meanwhile to say anything. */
  | { readonly kind: 'unsettled' }
  | { readonly kind: 'differs'; readonly possible: ReadonlySet<string> };

/** A difference is told when three rounds show it, and no round since contradicts it. */
const roundsToTell = 3;
/** The pause of each round, before its journal is read for the last time: the index may lag for as long. */
export const pausesMs: readonly number[] = [5_000, 10_000, 20_000, 20_000, 20_000, 20_000];
const mostRounds = pausesMs.length;

type Round = ReadonlySet<string> | undefined;

/** Returns the verdict of the rounds, each with the differences that it allows; undefined when another round is needed. */
export function verdictOf(rounds: readonly Round[]): Verdict | undefined {
  const last = rounds.at(-1);
  if (last?.size === 1 && last.has(noDifference)) return { kind: 'agrees' };
  // A round whose samples contradict each other saw an index that lagged for longer than the round.
  const telling = rounds.filter((each) => each !== undefined && each.size > 0);
  const standing = standingOf(telling);
  const differing = standing.rounds.filter((each) => each?.has(noDifference) === false);
  const isKnown = standing.possible.size === 1 || rounds.length === mostRounds;
  if (differing.length >= roundsToTell && isKnown) return { kind: 'differs', possible: standing.possible };
  if (rounds.length < roundsToTell || (differing.length > 0 && rounds.length < mostRounds)) return undefined;
  return { kind: telling.some((each) => each?.has(noDifference)) ? 'explained' : 'unsettled' };
}

/** Returns the latest rounds that allow one difference in common: an earlier one saw an entry late, or a correction since. */
function standingOf(rounds: readonly Round[]) {
  for (let from = 0; from < rounds.length; from += 1) {
    const possible = inAll(rounds.slice(from));
    if (possible && possible.size > 0) return { rounds: rounds.slice(from), possible };
  }
  return { rounds: [], possible: new Set<string>() };
}
