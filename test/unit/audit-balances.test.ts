import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BalanceBooks, checkBalances } from '../../lib/operator/audit/balance-check.ts';
import {
  type Holdings,
  noDifference,
  nothing,
  plus,
  possibleDifferences,
  type Posting,
  verdictOf,
} from '../../lib/operator/audit/bracket.ts';
import { merchantId } from '../support/builders.ts';

/** An entry with its transaction: `at` is taken before it is written, `visibleAt` is when the index lists it. */
type Commit = Posting & { readonly committedAt: number; readonly visibleAt: number };
type World = {
  readonly commits: readonly Commit[];
  /** What the balance has more than its journal. */
  readonly off?: Holdings;
  /** How long each read takes, in turn. */
  readonly latencies?: readonly number[];
  /** How far the clock of the audit is ahead of those of the entries. */
  readonly clockAheadMs?: number;
  /** Entries that the index lists, and the table does not have. */
  readonly ghosts?: readonly Posting[];
  readonly sealed?: Awaited<ReturnType<BalanceBooks['closing']>>;
};

/** Without shrinking: a counterexample is a schedule of hundreds of commits, and its seed is enough. */
const runs = { numRuns: 30, endOnFailure: true };

const start = Date.parse('2026-11-21T12:00:00Z');
const name = { merchantId, currency: 'RUB' } as const;
const onAvailable = (minor: bigint): Holdings => ({ ...nothing, available: minor });

/** A balance and its journal, whose index lags, while the audit reads them and money moves. */
async function audited({
  commits,
  off = nothing,
  latencies = [10],
  clockAheadMs = 0,
  ghosts = [],
  sealed,
}: World) {
  let [time, reads, whole] = [start, 0, 0];
  const readTakes = () => void (time += latencies[(reads += 1) % latencies.length] ?? 0);
  const balanceBooks: BalanceBooks = {
    missing: async () => [],
    async *names() {
      yield { names: [name], next: undefined };
    },
    async balance() {
      readTakes();
      return commits
        .filter(({ committedAt }) => committedAt <= time)
        .reduce((sum, { moved }) => plus(sum, moved), off);
    },
    closing: async () => sealed,
    async *postings(_name, { from, byKey }) {
      if (byKey && !from) whole += 1;
      const isFrom = ({ at }: Posting) => !from || at >= from;
      for (const part of [commits.slice(0, 5), commits.slice(5)]) {
        readTakes();
        yield part.filter(({ visibleAt }) => visibleAt <= time).filter(isFrom);
      }
      if (!byKey) yield ghosts.filter(isFrom);
    },
  };
  const report = await checkBalances(
    {
      balanceBooks,
      now: () => new Date(time + clockAheadMs),
      wait: async (ms) => void (time += ms),
    },
    [name],
  );
  return { ...report, texts: report.differences.map(({ text }) => text), tookMs: time - start, whole };
}

const commitOf = (
  moved: Holdings,
  id: number,
  { committedAt, lagMs = 0, writeMs = 0 }: { committedAt: number; lagMs?: number; writeMs?: number },
): Commit => ({
  id: `J#payment-${id} CAPTURE`,
  at: new Date(committedAt - writeMs),
  moved,
  committedAt,
  visibleAt: committedAt + lagMs,
});

/** Captures, payouts and releases of the reserve, one after another; `unit` divides all of their amounts. */
const unit = 50n;
const movement = fc.oneof(
  fc.bigInt({ min: 1n, max: 40n }).map((units) => onAvailable(units * unit)),
  fc.constantFrom(2n, 7n).map(
    (units): Holdings => ({
      available: -units * unit,
      locked: (units - 1n) * unit,
      held: unit,
      reserved: 0n,
    }),
  ),
  fc.constant<Holdings>({ ...nothing, locked: -unit, held: -unit }),
  fc.constant<Holdings>({ ...nothing, available: unit, reserved: -unit }),
);
const traffic = (longestLagMs: number, { untilMs, everyMs }: { untilMs: number; everyMs: number }) =>
  fc
    .array(
      fc.record({
        moved: movement,
        gapMs: fc.integer({ min: 1, max: 2 * everyMs }),
        lagMs: fc.integer({ min: 0, max: longestLagMs }),
        writeMs: fc.integer({ min: -400, max: 7_000 }),
      }),
      { minLength: 1, maxLength: Math.ceil((60_000 + untilMs) / everyMs), size: 'max' },
    )
    .map((made) => {
      let committedAt = start - 60_000;
      return made.map(({ moved, gapMs, ...lag }, id) =>
        commitOf(moved, id, { committedAt: (committedAt += gapMs), ...lag }),
      );
    });
const latencies = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 9 });
const real = fc.bigInt({ min: -9_999n, max: 9_999n }).filter((minor) => minor !== 0n);

describe('a balance is compared with its journal while money moves', () => {
  it('and never differs, however commits, readings and an index that lags for seconds fall together', async () => {
    const world = fc.record({
      commits: traffic(5_000, { untilMs: 120_000, everyMs: 700 }),
      latencies,
      clockAheadMs: fc.integer({ min: -100, max: 10_000 }),
    });
    await fc.assert(
      fc.asyncProperty(world, async (given) => {
        expect(await audited(given)).toMatchObject({ texts: [], compared: 1 });
      }),
      runs,
    );
  });

  it('and does not differ after a lag of half a minute, once the traffic is over', async () => {
    await fc.assert(
      fc.asyncProperty(traffic(30_000, { untilMs: 0, everyMs: 700 }), async (commits) => {
        const before = commits.filter(({ committedAt }) => committedAt <= start);
        expect((await audited({ commits: before })).texts).toEqual([]);
      }),
      runs,
    );
  });

  it('and a real difference is told, exactly, once the traffic is over', async () => {
    const world = fc.record({ commits: traffic(5_000, { untilMs: 0, everyMs: 700 }), latencies });
    await fc.assert(
      fc.asyncProperty(world, real, async ({ commits, ...given }, minor) => {
        const before = commits.filter(({ committedAt }) => committedAt <= start);
        const { differences } = await audited({ ...given, commits: before, off: onAvailable(minor) });
        expect(differences).toMatchObject([
          { invariant: 'balance_matches_journal', about: `${merchantId} RUB available` },
        ]);
      }),
      runs,
    );
  });

  it('and a difference that no movement explains is told beside them', async () => {
    const world = fc.record({ commits: traffic(500, { untilMs: 120_000, everyMs: 700 }), latencies });
    await fc.assert(
      fc.asyncProperty(world, async (given) => {
        const off = onAvailable(unit - 1n);
        expect((await audited({ ...given, off })).differences).toHaveLength(1);
      }),
      runs,
    );
  });
});

const capture = (id: number, committedAt: number, lagMs = 0) =>
  commitOf(onAvailable(1_000n), id, { committedAt, lagMs });
const hour = 3_600_000;
/** Two entries of an earlier hour. */
const old = [capture(1, start - 3 * hour), capture(2, start - 2 * hour)];
/** A capture every tenth of a second. */
const busy = (lagMs: number) =>
  Array.from({ length: 2_000 }, (_, id) => capture(id + 10, start - 2_000 + id * 100, lagMs));

describe('a balance is compared with its journal', () => {
  it('at once, without a pause, when they agree', async () => {
    expect(await audited({ commits: old })).toMatchObject({ texts: [], tookMs: 30 });
  });

  it('on all four accounts, and each that differs is told with both amounts', async () => {
    const off = { available: 1n, locked: -2n, held: 0n, reserved: 300n };
    expect((await audited({ commits: old, off })).texts).toEqual([
      `balance ${merchantId} RUB available is 20.01, but its journal lines sum to 20.00`,
      `balance ${merchantId} RUB locked is -0.02, but its journal lines sum to 0.00`,
      `balance ${merchantId} RUB reserved is 3.00, but its journal lines sum to 0.00`,
    ]);
  });

  it('from its last seal on; a seal that is wrong itself makes no difference', async () => {
    const to = new Date(start - 2.5 * hour);
    const sealed = { to, sums: onAvailable(1_000n) };
    expect(await audited({ commits: old, sealed })).toMatchObject({ texts: [], tookMs: 30 });
    expect((await audited({ commits: old, sealed: { to, sums: onAvailable(1n) } })).texts).toEqual([]);
  });

  it('and an entry that only the index has does not count', async () => {
    const report = await audited({ commits: old, ghosts: [capture(3, start - hour)] });
    expect(report).toMatchObject({ texts: [], explained: 0, unsettled: 0 });
  });

  it('exactly, beside ten captures of the same amount a second', async () => {
    expect(await audited({ commits: busy(20) })).toMatchObject({
      texts: [],
      explained: 0,
      unsettled: 0,
      whole: 0,
    });
    // The whole journal, however long it is, is read once.
    const off = await audited({ commits: busy(20), off: onAvailable(1_001n) });
    expect(off.differences).toHaveLength(1);
    expect(off.whole).toBe(1);
  });

  it('and a clock that is two minutes slow sees no difference beside them', async () => {
    expect(await audited({ commits: busy(20), clockAheadMs: -120_000 })).toMatchObject({ texts: [] });
  });
});

describe('an entry that was read only after the balance', () => {
  const read = new Date(start);
  const later = (ms: number) => new Map([['new', { ...capture(1, start + ms), id: 'new' }]]);
  const sample = { balance: nothing, seen: nothing, recent: new Map<string, Posting>(), readAt: read };
  const numberOf = (given: typeof sample, ms: number) => possibleDifferences(given, later(ms), 500)?.size;

  it('may be in it, unless its time is later by more than clocks differ', () => {
    expect([numberOf(sample, 0), numberOf(sample, 500), numberOf(sample, 501)]).toEqual([2, 2, 1]);
  });

  it('is compared with the latest time that was read, where the clock of the reader is slow', () => {
    const recent = new Map([['seen', capture(2, start + 60_000)]]);
    expect(numberOf({ ...sample, recent }, 60_400)).toBe(2);
  });
});

describe('the rounds of a balance', () => {
  const [none, one, two] = [new Set([noDifference]), new Set(['1 0 0 0']), new Set(['2 0 0 0'])];
  const both = new Set([...none, ...one]);

  it('tell a difference that three of them show, and none since contradicts', () => {
    expect(verdictOf([one, one])).toBeUndefined();
    expect(verdictOf([one, both, undefined, one, one])).toEqual({ kind: 'differs', possible: one });
    expect(verdictOf([two, one, one, one])).toEqual({ kind: 'differs', possible: one });
    expect(verdictOf([one, two, one, two, one, two])).toEqual({ kind: 'unsettled' });
  });

  it('agree as soon as one leaves no other possibility', () => {
    expect(verdictOf([one, both, none])).toEqual({ kind: 'agrees' });
    expect(verdictOf([both, both, both])).toEqual({ kind: 'explained' });
    expect(verdictOf([undefined, undefined, undefined])).toEqual({ kind: 'unsettled' });
  });
});
