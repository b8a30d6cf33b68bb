import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextRun } from '../../lib/payout/auto-payout.ts';
import { localTime, type Weekday, weekdays } from '../../lib/payout/calendar.ts';

const saturday = new Date('2026-11-21T12:00:00Z');
const mondayAtNine = { weekday: 'Mon', hour: 9 } as const;

describe('the next automatic payout', () => {
  it("is at the hour of the environment's own clock", () => {
    expect(nextRun(mondayAtNine, saturday, 'UTC')).toEqual(new Date('2026-11-23T09:00:00Z'));
    expect(nextRun(mondayAtNine, saturday, 'Europe/Moscow')).toEqual(new Date('2026-11-23T06:00:00Z'));
    expect(nextRun(mondayAtNine, saturday, 'Asia/Kathmandu')).toEqual(new Date('2026-11-23T03:15:00Z'));
  });

  it('is a week after a run that is due now', () => {
    const due = new Date('2026-11-23T09:00:00Z');
    expect(nextRun(mondayAtNine, due, 'UTC')).toEqual(new Date('2026-11-30T09:00:00Z'));
  });

  it('waits for the next week when the clock change skips the hour', () => {
    const before = new Date('2026-03-28T12:00:00Z');
    const atTwo = { weekday: 'Sun', hour: 2 } as const;
    expect(nextRun(atTwo, before, 'Europe/Berlin')).toEqual(new Date('2026-04-05T00:00:00Z'));
  });

  it('runs once in the night when its hour occurs twice', () => {
    const before = new Date('2026-10-24T12:00:00Z');
    const atTwo = { weekday: 'Sun', hour: 2 } as const;
    const first = nextRun(atTwo, before, 'Europe/Berlin');
    expect(first).toEqual(new Date('2026-10-25T00:00:00Z'));
    expect(nextRun(atTwo, first, 'Europe/Berlin')).toEqual(new Date('2026-11-01T01:00:00Z'));
  });

  it('is the beginning of each such hour of each day that the wall clock shows, once, in every zone', () => {
    const spans = fc.record({
      from: fc
        .tuple(fc.constantFrom(...movingTimes), fc.integer({ min: 0, max: 10 * 24 * 60 }))
        .map(([begin, minutes]) => new Date(Date.parse(begin) + minutes * 60_000)),
      timeZone: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...movingZones) },
        { weight: 1, arbitrary: fc.constantFrom(...Intl.supportedValuesOf('timeZone')) },
      ),
    });
    const anyHour = fc.record({
      weekday: fc.constantFrom(...weekdays),
      hour: fc.integer({ min: 0, max: 23 }),
    });
    // Clocks change in the nights around a weekend, most of them before Sunday.
    const ofRest = fc.record({
      weekday: fc.constantFrom('Thu', 'Sat', 'Sun', 'Sun', 'Sun'),
      hour: fc.integer({ min: 0, max: 2 }),
    });
    const wanted = fc.oneof({ weight: 3, arbitrary: ofRest }, { weight: 1, arbitrary: anyHour });
    fc.assert(
      fc.property(spans, wanted, ({ from, timeZone }, at) => {
        const until = from.getTime() + 15 * dayMs;
        const runs: string[] = [];
        for (
          let next = nextRun(at, from, timeZone);
          next.getTime() < until;
          next = nextRun(at, next, timeZone)
        )
          runs.push(next.toISOString());
        expect(runs).toEqual(hoursShown(at, { from, until, timeZone }));
      }),
      { numRuns: 60 },
    );
  });
});

const dayMs = 24 * 3600_000;
const quarterMs = 15 * 60_000;
/** A date shortly before zones change their clocks. */
const movingTimes = ['2026-03-15', '2026-04-01', '2026-10-15', '2026-10-25', '2027-03-20', '2028-10-20'];
const movingZones = [
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Atlantic/Azores',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Antarctica/Troll',
];

/** The times at which a day's hour first occurs in local time, all of them after `from`. */
function hoursShown(
  { weekday, hour }: { readonly weekday: Weekday; readonly hour: number },
  { from, until, timeZone }: { readonly from: Date; readonly until: number; readonly timeZone: string },
): readonly string[] {
  const beginnings = new Map<string, Date>();
  const start = Math.floor(from.getTime() / quarterMs) * quarterMs - 2 * dayMs;
  for (let time = start; time < until; time += quarterMs) {
    const local = localTime(new Date(time), timeZone);
    if (local.weekday !== weekday || local.hour !== hour || beginnings.has(local.day)) continue;
    beginnings.set(local.day, new Date(time));
  }
  return [...beginnings.values()].filter((at) => at > from).map((at) => at.toISOString());
}
