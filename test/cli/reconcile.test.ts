import { describe, expect, it } from 'vitest';
import { reconciliationTold } from '../../lib/cli/reconciliation-told.ts';
import { dayOf } from '../../lib/reconciliation/day.ts';
import type { Difference } from '../../lib/reconciliation/reconciliation.ts';
import { operatorHarness } from '../support/operator.ts';
import { created } from '../support/payout-harness.ts';
import { approvePayout } from '../../lib/payout/moderate.ts';
import { dispatchPayout } from '../../lib/payout/dispatch-payout.ts';

/** A day on which one payout was paid that the rail's statement does not have. */
async function aDay() {
  const harness = await operatorHarness();
  const { id, revision } = await created(harness);
  await approvePayout(harness, { payoutId: id, revision, by: 'olga' });
  await dispatchPayout(harness, id);
  harness.pass(24 * 3600);
  return { harness, id };
}

const nothing = { amountMinor: undefined, currency: undefined, at: undefined };
const aStateOf = (about: Difference['about'], state: string): Difference => ({
  kind: 'state',
  about,
  why: undefined,
  provider: 'sandbox',
  subject: 'subject',
  reference: 'reference',
  there: undefined,
  here: { ...nothing, state },
  decidedBy: undefined,
});

/** A day that is over and has this difference, as `reconcile show` prints it. */
const told = (difference: Difference): string =>
  reconciliationTold({
    day: dayOf('2026-11-21', 'UTC'),
    isOver: true,
    startedAt: new Date('2026-11-22T04:00:00.000Z'),
    endedAt: new Date('2026-11-22T04:01:00.000Z'),
    compared: [],
    totals: [],
    accounts: [],
    counts: { matched: 0, onAnotherDay: 0, explained: 0, foreign: 0, feesDue: 0, postbacks: 0 },
    differences: [difference],
    moreDifferences: 0,
  });

describe('reconcile', () => {
  it.each([
    ['payment', 'FAIL', 'payments ask has it refunded'],
    ['payment', 'PROCESS/CAPTURING', 'payments ask'],
    ['payment', 'CAPTURE', 'adjustments propose'],
    ['payout', 'ERROR', 'payouts resolve'],
    ['payout', 'FAIL', 'adjustments propose'],
    ['payout', 'SETTLE', 'payouts returned'],
    ['payout', 'PROCESS', 'trace it'],
  ] as const)('names a command that a %s in state %s allows: %s', (about, state, remedy) => {
    expect(told(aStateOf(about, state))).toContain(remedy);
  });

  it('prints each difference with what to do, and exits with 1 while the day does not agree', async () => {
    const { harness, id } = await aDay();
    const { said, complained, exitCode } = await harness.type('reconcile --date 2026-11-21');
    expect(exitCode).toBe(1);
    expect(complained).toContain('Comparing 2026-11-21');
    expect(said).toContain(`missing_there  payout ${id}`);
    expect(said).toMatch(/test \(rail\) +RUB +0\.00 .* 1000\.00 .* 1000\.00\n/);
    expect(said).toContain('Nothing was changed.');
    expect((await harness.type('reconcile show 2026-11-21')).said).toBe(said);
    expect((await harness.type('reconcile list')).said).toMatch(/2026-11-21 +differs/);
  });

  it('prints one JSON document', async () => {
    const { harness, id } = await aDay();
    const { said } = await harness.type('reconcile --date 2026-11-21 --json');
    expect(JSON.parse(said)).toMatchObject({
      date: '2026-11-21',
      isOver: true,
      result: 'differs',
      accounts: [
        {
          role: 'rail',
          provider: 'test',
          currency: 'RUB',
          statement: '0.00',
          differing: '1000.00',
          journal: '1000.00',
        },
      ],
      differences: [{ kind: 'missing_there', id, here: { state: 'SETTLE', currency: 'RUB' } }, {}],
    });
  });

  it('exits with 0 for a day that agrees', async () => {
    const { harness } = await aDay();
    const { said, exitCode } = await harness.type('reconcile --date 2026-11-20');
    expect(exitCode).toBe(0);
    expect(said).toContain('agrees: 0 movements and 0 postbacks agree');
  });

  it('refuses a day that has not begun, what is no date, and a day that has no result', async () => {
    const { harness } = await aDay();
    for (const [words, error] of [
      ['reconcile --date 2026-11-30', 'has not begun'],
      ['reconcile --date 2026-02-30', 'Give a date'],
      ['reconcile show 2026-11-01', 'was not reconciled yet'],
    ] as const)
      expect((await harness.type(words)).complained).toContain(error);
    expect((await harness.type('reconcile list')).said).toContain('No day was reconciled yet');
  });
});
