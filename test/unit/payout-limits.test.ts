import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localTime } from '../../lib/payout/calendar.ts';
import {
  type PayoutLimits,
  reservation,
  remainingLimit,
  type LimitUsage,
  whyOverLimit,
} from '../../lib/payout/limits.ts';

const today = { day: '2026-11-21', month: '2026-11' };
const limits: PayoutLimits = { dayLimitMinor: 1_000n, monthLimitMinor: 3_000n };
const nothing: LimitUsage = {
  day: undefined,
  dayTotal: 0n,
  month: undefined,
  monthTotal: 0n,
  byRule: undefined,
};

const refusal = (minor: bigint, usage: LimitUsage) =>
  whyOverLimit(reservation(minor, limits, usage, today), usage);

describe('payout limits', () => {
  it('are exact to the kopeck', () => {
    const usage = { ...nothing, day: today.day, dayTotal: 400n, month: today.month, monthTotal: 400n };
    expect(refusal(600n, usage)).toBeUndefined();
    expect(refusal(601n, usage)).toBe('daily_payout_limit_exceeded');
  });

  it("name the day's limit before the month's", () => {
    const usage = { ...nothing, day: today.day, dayTotal: 1_000n, month: today.month, monthTotal: 3_000n };
    expect(refusal(1n, usage)).toBe('daily_payout_limit_exceeded');
    expect(refusal(1n, { ...usage, day: '2026-11-20' })).toBe('monthly_payout_limit_exceeded');
  });

  it('reset with the day and with the month', () => {
    expect(refusal(1_000n, nothing)).toBeUndefined();
    const usage = { ...nothing, day: '2026-10-31', dayTotal: 1_000n, month: '2026-10', monthTotal: 3_000n };
    expect(refusal(1_000n, usage)).toBeUndefined();
  });

  it('count for the later day when another clock is already past midnight', () => {
    const usage = { ...nothing, day: '2026-11-22', dayTotal: 900n, month: '2026-11', monthTotal: 900n };
    expect(reservation(100n, limits, usage, today).day).toMatchObject({
      period: '2026-11-22',
      running: true,
    });
    expect(refusal(101n, usage)).toBe('daily_payout_limit_exceeded');
  });

  it('report as remaining exactly what they do not refuse', () => {
    const total = fc.bigInt({ min: 0n, max: 3_000n });
    const day = fc.constantFrom(undefined, '2026-11-20', '2026-11-21', '2026-11-22');
    const month = fc.constantFrom(undefined, '2026-10', '2026-11');
    fc.assert(
      fc.property(total, total, day, month, (dayTotal, monthTotal, onDay, inMonth) => {
        const usage = { ...nothing, day: onDay, dayTotal, month: inMonth, monthTotal };
        const room = remainingLimit(limits, usage, today);
        if (room > 0n) expect(refusal(room, usage)).toBeUndefined();
        expect(refusal(room + 1n, usage)).toBeDefined();
      }),
    );
  });
});

describe('the calendar', () => {
  it("is the environment's: in Moscow the day begins three hours before UTC's", () => {
    const lateEvening = new Date('2026-11-30T21:30:00Z');
    expect(localTime(lateEvening, 'UTC')).toMatchObject({ day: '2026-11-30', month: '2026-11', hour: 21 });
    expect(localTime(lateEvening, 'Europe/Moscow')).toMatchObject({
      day: '2026-12-01',
      month: '2026-12',
      hour: 0,
      minute: 30,
      weekday: 'Tue',
    });
  });
});
