import { describe, expect, it } from 'vitest';
import { dispatchPayout } from '../../../lib/payout/dispatch-payout.ts';
import { approvePayout } from '../../../lib/payout/moderate.ts';
import { sandboxRail } from '../../../lib/provider/sandbox-rail.ts';
import { payoutValues, type TransferOutcome } from '../../../lib/sandbox/test-values.ts';
import {
  balanceOf,
  created,
  movedOn,
  payoutHarness,
  reread,
  toCard,
  toPhone,
} from '../../support/payout-harness.ts';
import { onlyRail } from '../../support/rail.ts';
import { aSandbox, sandboxSecret, sandboxUrl } from '../../support/sandbox.ts';

/** A card that the sandbox has no plan for, so that amounts decide. */
const usual = { amount: '1500', destination: { ...toCard, number: '5555555555554444' } };

/** The request by which a merchant triggers an outcome of the sandbox. */
const asked = {
  'payout card': (value: string) => ({ ...usual, destination: { ...toCard, number: value } }),
  'payout phone': (value: string) => ({ ...usual, destination: { ...toPhone, phone: value } }),
  'payout amount': (value: string) => ({ ...usual, amount: value }),
};

/** A harness whose rail is the sandbox, reached through its own adapter. */
async function sandboxHarness() {
  const sandbox = await aSandbox();
  const rail = sandboxRail({ url: sandboxUrl, secret: sandboxSecret, fetch: sandbox.send });
  return { ...(await payoutHarness({ availableMinor: 10_000_000n })), rails: onlyRail(rail), sandbox };
}

/** The outcomes after which nothing is paid. */
const refusals: readonly TransferOutcome[] = ['refused', 'refused_later', 'rejected'];

describe('the documented outcomes of the sandbox rail', () => {
  it.each(payoutValues)('$use $value ($outcome) has that outcome, and nothing is paid twice', async (row) => {
    const harness = await sandboxHarness();
    const payout = await created(harness, asked[row.use](row.value));
    await approvePayout(harness, { payoutId: payout.id, revision: 1, by: 'olga' });

    await dispatchPayout(harness, payout.id);
    for (let asks = 0; asks < 6; asks += 1) {
      harness.pass(3600);
      await dispatchPayout(harness, payout.id);
    }

    const { status } = await reread(harness, payout);
    expect(status).toBe(refusals.includes(row.outcome) ? 'FAIL' : 'SUCCESS');
    const paid = status === 'SUCCESS' ? payout.amount.minor : 0n;
    const { totals } = (await harness.sandbox.books()).rail;
    expect(totals).toEqual(paid === 0n ? [] : [{ currency: 'RUB', paidOut: Number(paid) }]);
    expect(await movedOn(harness.table, 'clearing')).toBe(paid);
    expect(await balanceOf(harness.table)).toMatchObject({ locked: 0n, held: 0n });
  });
});
