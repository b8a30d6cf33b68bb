import { describe, expect, it } from 'vitest';
import { dispatchPayout } from '../../../lib/payout/dispatch-payout.ts';
import { approvePayout } from '../../../lib/payout/moderate.ts';
import type { PayoutRail } from '../../../lib/payout/payout-rail.ts';
import { transferOf } from '../../../lib/payout/transfer.ts';
import { sandboxRail } from '../../../lib/provider/sandbox-rail.ts';
import { kindManners, type SandboxManners, unkindManners } from '../../../lib/sandbox/manners.ts';
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

/** A harness whose rail is the sandbox with these manners, reached through its own adapter. */
async function sandboxHarness(manners: SandboxManners) {
  const harness = await payoutHarness({ availableMinor: 10_000_000n });
  const sandbox = await aSandbox({ manners, now: () => harness.clock.at });
  const { tombstones } = manners;
  const rail = sandboxRail({ url: sandboxUrl, secret: sandboxSecret, fetch: sandbox.send, tombstones });
  return { ...harness, rails: onlyRail(rail), sandbox };
}

/** The outcomes after which nothing is paid. */
const refusals: readonly TransferOutcome[] = ['refused', 'refused_later', 'rejected'];

describe.each([
  ['kind', kindManners],
  ['unkind', unkindManners],
])('the documented outcomes of the %s sandbox rail', (_how, manners) => {
  it.each(payoutValues)('$use $value ($outcome) has that outcome, and nothing is paid twice', async (row) => {
    const harness = await sandboxHarness(manners);
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

describe('the sandbox rail whose keys have a life', () => {
  const manners = { ...kindManners, tombstones: false, keyLifeHours: 24 };
  const phone = payoutValues.find(({ use, outcome }) => use === 'payout phone' && outcome === 'fails_after');

  it('pays a second time under a key that it has forgotten, which the dispatcher never sends', async () => {
    const harness = await sandboxHarness({ ...manners, searchLagSeconds: 30 * 24 * 3600 });
    const payout = await created(harness, asked['payout phone'](phone?.value ?? ''));
    await approvePayout(harness, { payoutId: payout.id, revision: 1, by: 'olga' });
    const lost = { ...harness, rails: onlyRail(loses(harness.rails.forNew('sbp'))) };
    for (let hours = 0; hours < 60; hours += 1) {
      await dispatchPayout(lost, payout.id);
      harness.pass(3600);
    }
    expect(await reread(harness, payout)).toMatchObject({ status: 'ERROR' });
    const { totals } = (await harness.sandbox.books()).rail;
    expect(totals).toEqual([{ currency: 'RUB', paidOut: 150_000 }]);

    const destination = { ...toPhone, phone: phone?.value ?? '' };
    const again = { ...transferOf(await reread(harness, payout)), destination };
    await harness.rails
      .forNew('sbp')
      ?.send(again)
      .catch(() => undefined);
    expect((await harness.sandbox.books()).rail.totals).toEqual([{ currency: 'RUB', paidOut: 300_000 }]);
  });
});

/** The rail, of which no answer to `send` arrives. */
function loses(rail: PayoutRail | undefined): PayoutRail {
  if (!rail) throw new Error('There is no rail');
  const send: PayoutRail['send'] = async (transfer) => {
    await rail.send(transfer);
    throw new Error('no answer');
  };
  return { ...rail, send };
}
