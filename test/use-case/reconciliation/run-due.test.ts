import { describe, expect, it } from 'vitest';
import { create } from '../../../functions/reconcile.ts';
import type { StatementSource } from '../../../lib/reconciliation/ports.ts';
import { freshTable } from '../../support/dynamo.ts';
import { reconcilePortsOn } from '../../support/reconciliation.ts';

const nobody = { named: () => undefined };

/** The function on an empty table, at a time that the test sets, with one provider that fails while `fails`. */
async function aService() {
  const table = await freshTable();
  const clock = { at: new Date('2026-11-22T00:30:00.000Z') };
  const state = { fails: false };
  const source: StatementSource = {
    provider: 'yookassa',
    role: 'rail',
    tellsFees: false,
    statement: async () => {
      if (state.fails) throw new Error('timeout');
      return [];
    },
  };
  const { ports, alarms } = reconcilePortsOn({
    table,
    now: () => clock.at,
    acquirers: nobody,
    rails: nobody,
  });
  const handle = create({ ...ports, sources: [source] });
  return {
    ports,
    clock,
    state,
    alarms,
    /** The schedule runs the function at this time. */
    at: async (time: string) => {
      clock.at = new Date(`2026-11-${time}:00.000Z`);
      return handle({ source: 'aws.events', detail: {} });
    },
    handle,
  };
}

describe('the hourly run', () => {
  it('compares yesterday from 3 o’clock of the record’s time zone on, then the days before that have no result', async () => {
    const { at } = await aService();
    // 02:59 in Moscow.
    expect(await at('21T23:59')).toEqual({ refused: 'nothing_due' });
    expect(await at('22T00:00')).toEqual({ ran: '2026-11-21' });
    for (const day of ['20', '19', '18', '17', '16', '15'])
      expect(await at('22T01:00')).toEqual({ ran: `2026-11-${day}` });
    expect(await at('22T08:00')).toEqual({ refused: 'nothing_due' });
    expect(await at('23T00:00')).toEqual({ ran: '2026-11-22' });
  });

  it('compares each day a last time a week later: a refund may be pending for days, and a fee be changed', async () => {
    const { at } = await aService();
    for (let hour = 0; hour < 7; hour += 1) await at(`22T0${hour}:00`);
    await at('23T00:00');
    expect(await at('23T01:00')).toEqual({ ran: '2026-11-16' });
    expect(await at('23T02:00')).toEqual({ refused: 'nothing_due' });
  });

  it('repeats yesterday every hour while a statement fails, and an older day once a day', async () => {
    const { at, state, alarms } = await aService();
    state.fails = true;
    expect(await at('22T00:00')).toEqual({ ran: '2026-11-21' });
    expect(await at('22T01:00')).toEqual({ ran: '2026-11-21' });
    state.fails = false;
    expect(await at('22T02:00')).toEqual({ ran: '2026-11-21' });
    expect(await at('22T03:00')).toEqual({ ran: '2026-11-20' });
    expect(alarms).toEqual(Array(2).fill('reconciliation_incomplete 2026-11-21'));
  });

  it('compares the day that an operator names, at any time, and refuses what is no date', async () => {
    const { handle, clock } = await aService();
    clock.at = new Date('2026-11-21T22:00:00.000Z');
    expect(await handle({ date: '2026-11-01' })).toEqual({ ran: '2026-11-01' });
    expect(await handle({ date: '2026-11-23' })).toEqual({ refused: 'day_not_begun' });
    await expect(handle({ date: '2026-11-31' })).rejects.toThrow();
  });

  it('joins a day to the end of the day before, where the record’s time zone was changed', async () => {
    const { handle, clock, ports } = await aService();
    clock.at = new Date('2026-11-23T00:00:00.000Z');
    const almaty = create({ ...ports, timeZone: 'Asia/Almaty' });
    await almaty({ date: '2026-11-20' });
    await handle({ date: '2026-11-21' });
    const [before, after] = await Promise.all(
      ['2026-11-20', '2026-11-21'].map((date) => ports.reconciliations.find(date)),
    );
    expect(after?.day.from).toEqual(before?.day.to);
  });
});
