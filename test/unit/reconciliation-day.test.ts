import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localTime } from '../../lib/payout/calendar.ts';
import { dateAfter, dayOf, edgeMs, joinedTo, partsOf, readDate } from '../../lib/reconciliation/day.ts';

const hoursOf = (date: string, zone: string) => {
  const { from, to } = dayOf(date, zone);
  return (to.getTime() - from.getTime()) / 3_600_000;
};

describe('a day', () => {
  it('is that of the time zone', () => {
    expect(dayOf('2026-11-20', 'Europe/Moscow')).toMatchObject({
      from: new Date('2026-11-19T21:00:00.000Z'),
      to: new Date('2026-11-20T21:00:00.000Z'),
    });
    expect(dayOf('2026-11-20', 'UTC')).toMatchObject({ from: new Date('2026-11-20T00:00:00.000Z') });
  });

  it('has 23 or 25 hours when the clocks change, and none where the calendar skips it', () => {
    expect(hoursOf('2026-03-29', 'Europe/Berlin')).toBe(23);
    expect(hoursOf('2026-10-25', 'Europe/Berlin')).toBe(25);
    expect(hoursOf('2011-12-30', 'Pacific/Apia')).toBe(0);
  });

  it('begins where the day before ends, and has exactly the times of its date', () => {
    const zones = fc.constantFrom(
      'Europe/Moscow',
      'Asia/Kolkata',
      'America/New_York',
      'Pacific/Kiritimati',
      'UTC',
    );
    fc.assert(
      fc.property(zones, fc.integer({ min: 0, max: 5_000 }), (zone, days) => {
        const date = dateAfter('2020-01-01', days);
        const { from, to } = dayOf(date, zone);
        expect(dayOf(dateAfter(date, 1), zone).from).toEqual(to);
        expect(localTime(from, zone).day).toBe(date);
        expect(localTime(new Date(to.getTime() - 1), zone).day).toBe(date);
        expect(localTime(to, zone).day).not.toBe(date);
      }),
    );
  });

  it.each(['2026-13-01', '2026-02-30', '20261120', '2026-11-20T00:00', '', '0000-00-00'])(
    '%s is no date',
    (text) => expect(readDate(text)).toBeUndefined(),
  );

  it('is read in parts without a gap, from 15 minutes before it to 15 minutes after it', () => {
    const day = dayOf('2026-10-25', 'Europe/Berlin');
    const parts = partsOf(day);
    expect(parts[0]?.from.getTime()).toBe(day.from.getTime() - edgeMs);
    expect(parts.at(-1)?.to.getTime()).toBe(day.to.getTime() + edgeMs);
    for (const [at, part] of parts.entries()) {
      expect(part.to.getTime() - part.from.getTime()).toBeLessThanOrEqual(3_600_000);
      expect(parts[at + 1]?.from ?? part.to).toEqual(part.to);
    }
  });
});

describe('after a change of the record’s time zone', () => {
  it('the first day begins where the last one ended, so no hour belongs to no day', () => {
    const before = dayOf('2026-11-19', 'Asia/Almaty');
    const day = dayOf('2026-11-20', 'Europe/Moscow');
    expect(day.from > before.to).toBe(true);
    expect(joinedTo(day, before)).toEqual({ ...day, from: before.to });
  });

  it('an overlap stays: what is in both days is matched in both', () => {
    const day = dayOf('2026-11-20', 'Asia/Almaty');
    expect(joinedTo(day, dayOf('2026-11-19', 'Europe/Moscow'))).toEqual(day);
  });

  it('nothing is joined to an older result, or to none', () => {
    const day = dayOf('2026-11-20', 'Europe/Moscow');
    expect(joinedTo(day, undefined)).toEqual(day);
    expect(joinedTo(day, dayOf('2026-11-17', 'Europe/Moscow'))).toEqual(day);
  });
});
