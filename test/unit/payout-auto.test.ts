import { describe, expect, it } from 'vitest';
import { nextRun } from '../../lib/payout/auto-payout.ts';

const saturday = new Date('2026-11-21T12:00:00Z');
const mondayAtNine = { weekday: 'Mon', hour: 9 } as const;

describe('the next automatic payout', () => {
  it("is at the hour of the environment's own clock", () => {
    expect(nextRun(mondayAtNine, saturday, 'UTC')).toEqual(new Date('2026-11-23T09:00:00Z'));
    expect(nextRun(mondayAtNine, saturday, 'Europe/Moscow')).toEqual(new Date('2026-11-23T06:00:00Z'));
    expect(nextRun(mondayAtNine, saturday, 'Asia/Kathmandu')).toEqual(new Date('2026-11-23T03:15:00Z'));
  });

  it('is a week after the one that has just come', () => {
    const due = new Date('2026-11-23T09:00:00Z');
    expect(nextRun(mondayAtNine, due, 'UTC')).toEqual(new Date('2026-11-30T09:00:00Z'));
  });

  it('waits for the next week when clocks leave the hour out', () => {
    const before = new Date('2026-03-28T12:00:00Z');
    const atTwo = { weekday: 'Sun', hour: 2 } as const;
    expect(nextRun(atTwo, before, 'Europe/Berlin')).toEqual(new Date('2026-04-05T00:00:00Z'));
  });
});
