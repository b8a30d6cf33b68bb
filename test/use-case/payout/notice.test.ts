import { describe, expect, it } from 'vitest';
import { toPayoutId } from '../../../lib/ids.ts';
import { dispatchPayout } from '../../../lib/payout/dispatch-payout.ts';
import { approvePayout } from '../../../lib/payout/moderate.ts';
import type { Payout } from '../../../lib/payout/payout.ts';
import { receivePayoutNotice } from '../../../lib/payout/receive-payout-notice.ts';
import { created, type PayoutHarness, payoutHarness, reread } from '../../support/payout-harness.ts';
import type { RailAct } from '../../support/rail.ts';

async function sent(harness: PayoutHarness, act: RailAct): Promise<Payout> {
  const payout = await created(harness);
  await approvePayout(harness, { payoutId: payout.id, revision: 1, by: 'olga' });
  harness.rail.will(act);
  await dispatchPayout(harness, payout.id);
  return reread(harness, payout);
}

describe('a notice about a payout', () => {
  it('whose outcome is open has it checked at once, and believes nothing', async () => {
    const harness = await payoutHarness();
    const payout = await sent(harness, 'lost_after');
    expect(await receivePayoutNotice(harness, payout.id)).toBe('noted');
    expect(await reread(harness, payout)).toMatchObject({ status: 'PROCESS', dueAt: harness.clock.at });
    expect(harness.queued.at(-1)).toMatchObject({ id: payout.id });
    await dispatchPayout(harness, payout.id);
    expect(await reread(harness, payout)).toMatchObject({ status: 'SUCCESS' });
  });

  it.each([
    ['paid', 'refused', 'payout_undone'],
    ['paid', 'provider_empty', 'payout_undone'],
    ['refused', 'paid', 'paid_after_failure'],
  ] as const)('that was %s and is now reported as %s raises the alarm %s', async (first, now, alarm) => {
    const harness = await payoutHarness();
    const payout = await sent(harness, first);
    harness.rail.will(now);
    expect(await receivePayoutNotice(harness, payout.id)).toBe('noted');
    expect(harness.alarms.at(-1)).toBe(`${alarm} ${payout.id}`);
    expect(await reread(harness, payout)).toEqual(payout);
  });

  it.each(['paid', 'refused'] as const)('that confirms what we have (%s) changes nothing', async (state) => {
    const harness = await payoutHarness();
    const payout = await sent(harness, state);
    harness.rail.will(state);
    expect(await receivePayoutNotice(harness, payout.id)).toBe('noted');
    expect(harness.alarms).toEqual([]);
  });

  it('in ERROR tells its person again', async () => {
    const harness = await payoutHarness();
    const payout = await sent(harness, { state: 'accepted' });
    harness.pass(10);
    harness.rail.will('unknown');
    await dispatchPayout(harness, payout.id);
    harness.alarms.length = 0;
    expect(await receivePayoutNotice(harness, payout.id)).toBe('noted');
    expect(harness.alarms).toEqual([`payout_error ${payout.id}`]);
  });

  it('is to be sent again when the rail does not answer', async () => {
    const harness = await payoutHarness();
    const payout = await sent(harness, 'paid');
    harness.rail.will('lost_before');
    expect(await receivePayoutNotice(harness, payout.id)).toBe('no_answer');
  });

  it('of a payout that we do not have is reported as such', async () => {
    const harness = await payoutHarness();
    const nobody = toPayoutId(`${'0'.repeat(20)}01`);
    expect(await receivePayoutNotice(harness, nobody)).toBe('unknown_payout');
    expect(harness.rail.calls).toEqual([]);
  });
});
