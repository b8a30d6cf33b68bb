import type { MerchantId } from '../../ids.ts';
import { merchantAccounts } from '../../ledger/entry.ts';
import { type BalanceCurrency, toDecimal } from '../../money/money.ts';
import {
  differenceOf,
  type Holdings,
  inAll,
  isSame,
  noDifference,
  nothing,
  plus,
  pausesMs,
  possibleDifferences,
  type Posting,
  type Sample,
  type Verdict,
  verdictOf,
} from './bracket.ts';
import type { Difference } from './records.ts';
import type { AuditScope } from './source.ts';

/** The name of a balance: one per merchant and currency. */
export type BalanceName = { readonly merchantId: MerchantId; readonly currency: BalanceCurrency };

/** What the audit reads of one balance and of its journal. */
export interface BalanceBooks {
  /** The balances that ever moved, or all that a merchant may have, page by page; `next` is the cursor after the page. */
  names(
    scope: Pick<AuditScope, 'merchantId'>,
    after: string | undefined,
  ): AsyncIterable<{ readonly names: readonly BalanceName[]; readonly next: string | undefined }>;
  /** Those without an item, by strongly consistent reads. */
  missing(names: readonly BalanceName[]): Promise<readonly BalanceName[]>;
  /** A strongly consistent read; zero when there is no item, undefined when it cannot be read. */
  balance(name: BalanceName): Promise<Holdings | undefined>;
  /** The end of the last sealed day, and the sum of all entries before it; undefined when no day is sealed. */
  closing(name: BalanceName): Promise<Closing | undefined>;
  /**
   * The entries from one time (or all) to another, page by page. The index that lists them lags, and may show what the table does not have:
   * `byKey` reads each listed entry from the table, strongly consistent.
   */
  postings(
    name: BalanceName,
    part: { readonly from: Date | undefined; readonly to: Date; readonly byKey: boolean },
  ): AsyncIterable<readonly Posting[]>;
}

export type BalanceCheckPorts = {
  readonly balanceBooks: BalanceBooks;
  readonly now: () => Date;
  readonly wait: (ms: number) => Promise<void>;
};

export type BalanceReport = {
  readonly differences: readonly Difference[];
  /** The number of balances that were compared. */
  readonly compared: number;
  /** Of these: balances that moved too often to be compared exactly; what moved explains the difference, or is too much to say. */
  readonly explained: number;
  readonly unsettled: number;
};

/** What a reader holds of the journals of so many balances at a time: the entries of their last minutes. */
const atOnce = 16;
/** Clocks of functions may be ahead, and the index lists entries by their month. */
const aheadMs = 60 * 60_000;
/** An entry is written this long after its time at most, or the next round reads it. */
const recentMs = 2 * 60_000;
/** No entry is written this long after its time. So a journal of years is read once, however many rounds follow. */
const settledMs = 60 * 60_000;
const clockSkewMs = 500;
const samplesPerRound = 6;
const betweenSamplesMs = 200;
/**
 * Compares balances with their journals while money moves. There is no consistent cut, so each balance is read between two readings of its
 * journal (bracket.ts). What does not agree at once is read again, by rounds, all of them together; what still differs then by its whole
 * journal, each entry by its key, without the seals.
 */
export async function checkBalances(
  ports: BalanceCheckPorts,
  names: readonly BalanceName[],
): Promise<BalanceReport> {
  const suspects = await collected(names, (name) => suspectOf(ports, name));
  let open = suspects;
  for (const pauseMs of pausesMs) {
    if (open.length === 0) break;
    await oneRound(ports, open, pauseMs);
    open = open.filter((suspect) => (suspect.verdict = verdictOf(suspect.rounds)) === undefined);
  }
  const count = (kind: Verdict['kind']) => suspects.filter(({ verdict }) => verdict?.kind === kind).length;
  return {
    differences: suspects.flatMap(differencesOf),
    compared: names.length,
    explained: count('explained'),
    unsettled: count('unsettled'),
  };
}

/** A journal as read: the sum of the entries before `since`; the later ones are read again for every sample. */
type Journal = {
  readonly before: Holdings;
  readonly since: Date;
  readonly byKey: boolean;
  /** The sum of the entries that are too old to be read again in this check. */
  readonly settled: Closing;
};
type Closing = { readonly to: Date; readonly sums: Holdings };

type Suspect = {
  readonly name: BalanceName;
  journal: Journal;
  readonly rounds: (ReadonlySet<string> | undefined)[];
  balance: Holdings;
  verdict: Verdict | undefined;
};

/** Reads a journal from its last seal on, then the balance; returns a suspect when they differ. */
async function suspectOf(ports: BalanceCheckPorts, name: BalanceName): Promise<Suspect | undefined> {
  const closing = await ports.balanceBooks.closing(name);
  const { journal, seen } = await readJournal(ports, name, closing);
  const balance = await ports.balanceBooks.balance(name);
  // An item that cannot be read is a difference of its own.
  if (!balance || isSame(balance, seen)) return undefined;
  return { name, journal, rounds: [], balance, verdict: undefined };
}

async function readJournal(
  { balanceBooks, now }: BalanceCheckPorts,
  name: BalanceName,
  closing: Closing | undefined,
  byKey = false,
): Promise<{ readonly journal: Journal; readonly seen: Holdings }> {
  const since = new Date(Math.max(now().getTime() - recentMs, closing?.to.getTime() ?? 0));
  const settledTo = new Date(Math.max(since.getTime() - settledMs, closing?.to.getTime() ?? 0));
  const sums = closing?.sums ?? nothing;
  let [settled, before, seen] = [sums, sums, sums];
  const to = new Date(now().getTime() + aheadMs);
  for await (const page of balanceBooks.postings(name, { from: closing?.to, to, byKey })) {
    for (const { at, moved } of page) {
      seen = plus(seen, moved);
      if (at < since) before = plus(before, moved);
      if (at < settledTo) settled = plus(settled, moved);
    }
  }
  return { journal: { before, since, byKey, settled: { to: settledTo, sums: settled } }, seen };
}

async function oneRound(
  ports: BalanceCheckPorts,
  suspects: readonly Suspect[],
  pauseMs: number,
): Promise<void> {
  const sampled = await collected(suspects, async (suspect) => {
    const { name, rounds, journal } = suspect;
    // What moves alone explains needs no reading of all that was sealed.
    if (rounds.some((round) => round?.has(noDifference) === false))
      suspect.journal = (
        await readJournal(ports, name, journal.byKey ? journal.settled : undefined, true)
      ).journal;
    return { suspect, samples: await samplesOf(ports, suspect) };
  });
  await ports.wait(pauseMs);
  await collected(sampled, async ({ suspect, samples }) => {
    const tails = [...samples.map(({ recent }) => recent), await tailOf(ports, suspect)];
    const later = new Map(tails.flatMap((tail) => [...tail]));
    const possible = inAll(samples.map((sample) => possibleDifferences(sample, later, clockSkewMs)));
    suspect.rounds.push(possible);
    return undefined;
  });
}

async function samplesOf(ports: BalanceCheckPorts, suspect: Suspect): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for (let each = 0; each < samplesPerRound; each += 1) {
    const recent = await tailOf(ports, suspect);
    const balance = await ports.balanceBooks.balance(suspect.name);
    if (!balance) break;
    const seen = [...recent.values()].reduce((sum, { moved }) => plus(sum, moved), suspect.journal.before);
    samples.push({ balance, seen, recent, readAt: ports.now() });
    suspect.balance = balance;
    await ports.wait(betweenSamplesMs);
  }
  return samples;
}

async function tailOf(
  { balanceBooks, now }: BalanceCheckPorts,
  { name, journal: { since, byKey } }: Suspect,
): Promise<ReadonlyMap<string, Posting>> {
  const tail = new Map<string, Posting>();
  const to = new Date(now().getTime() + aheadMs);
  for await (const page of balanceBooks.postings(name, { from: since, to, byKey }))
    for (const posting of page) tail.set(posting.id, posting);
  return tail;
}

function differencesOf({ name, balance, verdict }: Suspect): readonly Difference[] {
  if (verdict?.kind !== 'differs') return [];
  const of = `${name.merchantId} ${name.currency}`;
  const possible = [...verdict.possible].map(differenceOf);
  return merchantAccounts
    .filter((account) => possible.every((difference) => difference[account] !== 0n))
    .map((account) => {
      const about = `${of} ${account}`;
      const posted = new Set(possible.map((difference) => balance[account] - difference[account]));
      const journal = `its journal lines sum to ${[...posted].map((minor) => toDecimal(minor)).join(' or ')}`;
      const text = `balance ${about} is ${toDecimal(balance[account])}, but ${journal}`;
      return { invariant: 'balance_matches_journal', about, text };
    });
}

/** Runs `work` on each item, a few at a time, and returns what it found. */
async function collected<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R | undefined>,
): Promise<readonly R[]> {
  const found: R[] = [];
  for (let from = 0; from < items.length; from += atOnce) {
    const results = await Promise.all(items.slice(from, from + atOnce).map(work));
    found.push(...results.filter((each) => each !== undefined));
  }
  return found;
}
