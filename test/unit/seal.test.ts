import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Entry, entryId, type Line } from '../../lib/ledger/entry.ts';
import {
  canonicalEntry,
  canonicalText,
  entryHash,
  linesHash,
  noHash,
  sha256,
} from '../../lib/seal/canonical.ts';
import { DayEntries, type Seal, sealHash, sealOf, sumsOf } from '../../lib/seal/seal.ts';
import { DayLines } from '../../lib/seal/day-lines.ts';
import { LargeDays } from '../../lib/seal/large-days.ts';
import { dayContaining, dueUntil, type SealedDay, type SealedTo } from '../../lib/seal/sealed-day.ts';
import { merchantId } from '../support/builders.ts';

const chain = { merchantId, currency: 'RUB' } as const;
const at = (text: string) => new Date(`2026-${text}:00.000Z`);
const day: SealedDay = {
  date: '2026-11-21',
  timeZone: 'Europe/Moscow',
  from: at('11-20T21:00'),
  to: at('11-21T21:00'),
};
const rub = (account: Line['account'], minor: bigint): Line => ({ account, currency: 'RUB', minor });
const entry = (about: string, minor: bigint, traits: Partial<Entry> = {}): Entry => ({
  about,
  kind: 'CAPTURE',
  merchantId,
  lines: [rub('acquirer', -minor), rub('available', minor)],
  at: at('11-21T10:00'),
  adjustment: undefined,
  ...traits,
});

const lineOf = (given: Entry): string => `${entryId(given)} ${entryHash(given)}`;

const entries = fc.uniqueArray(
  fc.record({ about: fc.stringMatching(/^[A-Za-z0-9]{1,8}$/), minor: fc.bigInt(1n, 10n ** 12n) }),
  { minLength: 1, maxLength: 20, selector: ({ about }) => about },
);

describe('the canonical form', () => {
  it('is RFC 8785: ordered members without blanks, amounts as text', () => {
    expect(canonicalText(canonicalEntry(entry('P1', 10_050n)))).toBe(
      '{"about":"P1","at":"2026-11-21T10:00:00.000Z","kind":"CAPTURE","lines":[' +
        '{"account":"acquirer","amount":"-10050","currency":"RUB"},' +
        '{"account":"available","amount":"10050","currency":"RUB"}],"merchant":"MerchantMerchant"}',
    );
  });

  it('has people and reasons only as a hash', () => {
    const adjustment = { id: 'A1', reason: 'goods lost', proposedBy: 'alice', approvedBy: 'bob' };
    const { authorization } = canonicalEntry(entry('P1', 1n, { kind: 'ADJUST', adjustment }));
    expect(authorization).toBe(
      sha256('{"approvedBy":"bob","id":"A1","proposedBy":"alice","reason":"goods lost"}'),
    );
  });

  it.each<[string, Partial<Entry>]>([
    ['the subject', { about: 'P2' }],
    ['the kind', { kind: 'SURPLUS' }],
    ['the time', { at: at('11-21T10:01') }],
    ['an amount', { lines: [rub('acquirer', -2n), rub('available', 2n)] }],
    ['an account', { lines: [rub('acquirer', -1n), rub('fees', 1n)] }],
    ['a currency', { lines: [rub('acquirer', -1n), { account: 'available', currency: 'USD', minor: 1n }] }],
    ['a person', { adjustment: { id: 'A', reason: 'r', proposedBy: 'eve', approvedBy: undefined } }],
  ])('differs when %s does', (_what, traits) => {
    const people = { id: 'A', reason: 'r', proposedBy: 'alice', approvedBy: undefined };
    const given = entry('P1', 1n, 'adjustment' in traits ? { adjustment: people } : {});
    expect(lineOf({ ...given, ...traits })).not.toBe(lineOf(given));
  });
});

describe('a seal', () => {
  it('counts and sums the day, and adds it to the closing sums before', () => {
    const first = sealOf(chain, day, DayEntries.of([entry('P1', 500n), entry('P2', 300n)]), undefined).seal;
    expect(first).toMatchObject({
      count: 2,
      sums: [rub('acquirer', -800n), rub('available', 800n)],
      closing: [rub('acquirer', -800n), rub('available', 800n)],
      previous: noHash,
    });
    const back = entry('P2', 300n, { lines: [rub('acquirer', 800n), rub('available', -800n)] });
    expect(sealOf(chain, day, DayEntries.of([back]), first).seal).toMatchObject({
      closing: [],
      previous: first.hash,
    });
  });

  it('is the same for entries in any order, and its lines have its hash', () => {
    fc.assert(
      fc.property(entries, fc.infiniteStream(fc.nat()), (given, ranks) => {
        const all = given.map(({ about, minor }) => entry(about, minor));
        const shuffled = all
          .map((each) => [ranks.next().value ?? 0, each] as const)
          .toSorted(([one], [other]) => one - other)
          .map(([, each]) => each);
        const { seal, lines: sealed } = sealOf(chain, day, DayEntries.of(all), undefined);
        expect(sealOf(chain, day, DayEntries.of(shuffled), undefined).seal).toEqual(seal);
        const lines = [...sealed];
        expect(linesHash(lines)).toBe(seal.entriesHash);
        expect(lines.map((line) => line.split(' ')[0])).toEqual(given.map(({ about }) => about).toSorted());
      }),
    );
  });

  it('has another hash when an entry is removed, changed or added', () => {
    fc.assert(
      fc.property(entries, fc.nat(), (given, index) => {
        const all = given.map(({ about, minor }) => entry(about, minor));
        const chosen = index % all.length;
        const changed = all.map((each, at_) => (at_ === chosen ? { ...each, at: at('11-21T11:00') } : each));
        const hashes = [
          all,
          changed,
          all.filter((_, at_) => at_ !== chosen),
          [...all, entry('added-late', 1n)],
        ].map((each) => sealOf(chain, day, DayEntries.of(each), undefined).seal.hash);
        expect(new Set(hashes).size).toBe(4);
      }),
    );
  });

  it('covers each of its own fields with its hash', () => {
    const { hash, ...content } = sealOf(chain, day, DayEntries.of([entry('P1', 500n)]), undefined).seal;
    const others: Partial<Seal>[] = [
      { currency: 'USD' },
      { date: '2026-11-22' },
      { timeZone: 'UTC' },
      { from: at('11-20T20:00') },
      { to: at('11-21T22:00') },
      { count: 2 },
      { sums: [] },
      { closing: [] },
      { entriesHash: noHash },
      { previous: sha256('') },
    ];
    expect(sealHash(content)).toBe(hash);
    expect(others.filter((other) => sealHash({ ...content, ...other }) === hash)).toEqual([]);
  });

  it('sums of parts are the sums of the whole', () => {
    fc.assert(
      fc.property(entries, fc.nat({ max: 20 }), (given, cut) => {
        const lines = given.flatMap(({ about, minor }) => entry(about, minor).lines);
        const parts = [...sumsOf(lines.slice(0, cut)), ...sumsOf(lines.slice(cut))];
        expect(sumsOf(parts)).toEqual(sumsOf(lines));
      }),
    );
  });
});

describe('the lines of a day', () => {
  it('are ordered by their bytes, whatever their number and length', () => {
    const lines = Array.from({ length: 30_000 }, (_, number) => ({
      key: `${sha256(String(number))} CAPTURE${number % 3 === 0 ? '' : `#${'é'.repeat(number % 7)}`}`,
      hash: sha256(`hash ${number}`),
    }));
    const kept = new DayLines();
    for (const { key, hash } of lines) kept.add(key, hash);
    expect(kept.count).toBe(30_000);
    expect([...kept.inOrder()]).toEqual(lines.map(({ key, hash }) => `${key} ${hash}`).toSorted());
  });
});

describe('large days', () => {
  it('are read one at a time, and small ones beside them', async () => {
    const days = new LargeDays();
    const turns = [days.turn(), days.turn(), days.turn()] as const;
    const read: string[] = [];
    await turns[0].take({ count: 20_001 });
    const second = turns[1].take({ count: 20_001 }).then(() => read.push('the second large one'));
    await turns[2].take({ count: 20_000 }).then(() => read.push('a small one'));
    read.push('the end of the first');
    turns[0].end();
    await second;
    expect(read).toEqual(['a small one', 'the end of the first', 'the second large one']);
  });
});

const zones = ['Europe/Moscow', 'UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Pacific/Auckland'] as const;

describe('the sealed days', () => {
  it('are the calendar days of the zone, also of 23 and 25 hours', () => {
    const lengthOf = (moment: string) => {
      const { from, to } = dayContaining(at(moment), undefined, 'Europe/Berlin');
      return (to.getTime() - from.getTime()) / 3600_000;
    };
    expect(['03-29T12:00', '06-01T12:00', '10-25T12:00'].map(lengthOf)).toEqual([23, 24, 25]);
  });

  it('follow each other without gap or overlap through every change of zone and clocks', () => {
    const zone = fc.constantFrom(...zones);
    const step = fc.record({ zone, days: fc.integer({ min: 1, max: 40 }) });
    fc.assert(
      fc.property(
        fc.date({ min: at('01-01T00:00'), max: at('12-31T00:00'), noInvalidDate: true }),
        fc.array(step, { minLength: 2, maxLength: 6 }),
        (start, steps) => {
          let sealed: SealedTo | undefined;
          let next = start;
          for (const { zone: timeZone, days } of steps) {
            for (let each = 0; each < days; each += 1) {
              const found = dayContaining(next, sealed, timeZone);
              if (sealed) expect(found.from).toEqual(sealed.to);
              if (sealed) expect(found.date > sealed.date).toBe(true);
              expect(found.from <= next && next < found.to).toBe(true);
              expect(found.to.getTime() - found.from.getTime()).toBeLessThan(50 * 3600_000);
              sealed = found;
              next = found.to;
            }
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  it('skip days without entries: the next one begins at its own midnight', () => {
    const sealed = { to: day.to, date: day.date };
    expect(dayContaining(at('11-25T12:00'), sealed, 'Europe/Moscow')).toEqual({
      date: '2026-11-25',
      timeZone: 'Europe/Moscow',
      from: at('11-24T21:00'),
      to: at('11-25T21:00'),
    });
  });

  it('are due an hour after their end, and once', () => {
    const yesterday = { to: day.to, date: day.date };
    const zone = 'Europe/Moscow';
    expect(dueUntil(at('11-21T21:59'), undefined, zone)).toMatchObject({ to: day.from, date: '2026-11-20' });
    expect(dueUntil(at('11-21T22:00'), undefined, zone)).toEqual(yesterday);
    expect(dueUntil(at('11-22T21:59'), yesterday, zone)).toBeUndefined();
    expect(dueUntil(at('11-22T22:00'), yesterday, zone)).toEqual({
      to: at('11-22T21:00'),
      date: '2026-11-22',
    });
  });

  it('after a change to a zone further west: a sealed date does not come again', () => {
    const sealed = { to: day.to, date: day.date };
    expect(dueUntil(at('11-22T02:00'), sealed, 'UTC')).toBeUndefined();
    expect(dayContaining(at('11-21T23:00'), sealed, 'UTC')).toMatchObject({
      date: '2026-11-22',
      from: day.to,
      to: at('11-23T00:00'),
    });
  });
});
