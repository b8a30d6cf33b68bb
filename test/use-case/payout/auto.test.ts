import { describe, expect, it } from 'vitest';
import { readAccountId, toAccountId } from '../../../lib/ids.ts';
import { createPayouts } from '../../../lib/payout/create-payouts.ts';
import { addPayoutAccount, setPayoutAccount } from '../../../lib/payout/payout-accounts.ts';
import { groupOfAutoRun } from '../../../lib/payout/payout-group.ts';
import { runAutoPayouts } from '../../../lib/payout/run-auto-payouts.ts';
import { setAutoPayout, stopAutoPayout } from '../../../lib/payout/set-auto-payout.ts';
import { merchantId } from '../../support/builders.ts';
import { balanceOf, card, payoutHarness, putBalance } from '../../support/payout-harness.ts';

const monday = new Date('2026-11-23T09:00:00Z');
const nextMonday = new Date('2026-11-30T09:00:00Z');

/** A merchant with a standing order: the whole balance, from 500.00, to a card every Monday at nine. */
async function autoHarness(given: Parameters<typeof payoutHarness>[0] = {}) {
  const harness = await payoutHarness(given);
  const added = await addPayoutAccount(harness, {
    merchantId,
    type: 'credit_card',
    number: card,
    currency: 'RUB',
  });
  if (!added.ok) throw new Error(added.error);
  const accountId = added.value.id;
  const setting = { merchantId, accountId, thresholdMinor: 50_000n, weekday: 'Mon', hour: 9 } as const;
  const set = await setAutoPayout(harness, setting);
  if (!set.ok) throw new Error(set.error);
  return { ...harness, accountId, setting };
}

const payoutsOf = (harness: Awaited<ReturnType<typeof autoHarness>>, at = monday) =>
  harness.payouts.findGroup(groupOfAutoRun(merchantId, at));

describe('an automatic payout', () => {
  it('runs at its hour, not before, and sends everything with its fee', async () => {
    const harness = await autoHarness({ availableMinor: 101_000n });
    harness.clock.at = new Date(monday.getTime() - 1000);
    await runAutoPayouts(harness);
    expect(await payoutsOf(harness)).toEqual([]);

    harness.clock.at = monday;
    await runAutoPayouts(harness);

    const [payout] = await payoutsOf(harness);
    expect(payout).toMatchObject({
      isAuto: true,
      kind: 'personal',
      status: 'MODERATING',
      mask: '411111******1111',
    });
    expect(await balanceOf(harness.table)).toMatchObject({ available: 0n, locked: 100_000n, held: 1_000n });
    const auto = await harness.autoPayouts.find(merchantId);
    expect(auto).toMatchObject({ nextAt: nextMonday, lastRun: { at: monday, outcome: payout?.id } });
  });

  it('sends nothing of the rolling reserve, which does not reach its threshold either', async () => {
    const harness = await autoHarness();
    await putBalance(harness.table, 101_000n, 1_000_000n);
    harness.clock.at = monday;
    await runAutoPayouts(harness);
    expect((await payoutsOf(harness)).map(({ amount }) => amount.minor)).toEqual([100_000n]);

    await putBalance(harness.table, 49_999n, 1_000_000n);
    harness.clock.at = nextMonday;
    await runAutoPayouts(harness);
    expect(await payoutsOf(harness, nextMonday)).toEqual([]);
    expect(await harness.autoPayouts.find(merchantId)).toMatchObject({
      lastRun: { outcome: 'balance_not_enough' },
    });
  });

  it('runs once per hour however often it is started', async () => {
    const harness = await autoHarness();
    harness.clock.at = monday;
    await Promise.all([runAutoPayouts(harness), runAutoPayouts(harness)]);
    await runAutoPayouts(harness);
    expect(await payoutsOf(harness)).toHaveLength(1);
  });

  it('is not created again after a crash right after its creation', async () => {
    const harness = await autoHarness({ availableMinor: 101_000n });
    harness.clock.at = monday;
    const made = await createPayouts(harness, {
      merchantId,
      kind: 'personal',
      target: { accountId: harness.accountId },
      requested: { everythingFromMinor: 50_000n },
      autoGroupId: groupOfAutoRun(merchantId, monday),
      idempotencyKey: undefined,
      orderId: undefined,
    });
    await runAutoPayouts(harness);
    expect(await payoutsOf(harness)).toEqual(made.ok && made.value.payouts);
    expect(await harness.autoPayouts.find(merchantId)).toMatchObject({ nextAt: nextMonday });
  });

  it('below its threshold waits for the next week, and records why', async () => {
    const harness = await autoHarness({ availableMinor: 49_999n });
    harness.clock.at = monday;
    await runAutoPayouts(harness);
    const auto = await harness.autoPayouts.find(merchantId);
    expect(auto).toMatchObject({ nextAt: nextMonday, lastRun: { outcome: 'balance_not_enough' } });
  });

  it('to a banned account is refused like any other payout', async () => {
    const harness = await autoHarness();
    await setPayoutAccount(harness, { merchantId, accountId: harness.accountId, banned: true });
    harness.clock.at = monday;
    await runAutoPayouts(harness);
    expect(await harness.autoPayouts.find(merchantId)).toMatchObject({
      lastRun: { outcome: 'payout_account_banned' },
    });
  });

  it('sends no more than the limits allow', async () => {
    const harness = await autoHarness({ availableMinor: 1_000_000n, terms: { dayLimitMinor: 70_000n } });
    harness.clock.at = monday;
    await runAutoPayouts(harness);
    expect((await payoutsOf(harness)).map(({ amount }) => amount.minor)).toEqual([70_000n]);
  });

  it('that fails is logged with its merchant and retried at the next run', async () => {
    const harness = await autoHarness();
    harness.clock.at = monday;
    const fingerprintSecret = () => Promise.reject(new Error('no secret'));
    await expect(runAutoPayouts({ ...harness, fingerprintSecret })).rejects.toThrow('did not run');
    const line = { error: 'Error', merchant: merchantId };
    expect(harness.logged).toEqual([['error', 'auto_payout_failed', line]]);
    await runAutoPayouts(harness);
    expect(await payoutsOf(harness)).toHaveLength(1);
  });

  it('does not overwrite a setting the operator makes while it runs', async () => {
    const harness = await autoHarness();
    harness.clock.at = monday;
    const fingerprintSecret = async () => {
      await setAutoPayout(harness, { ...harness.setting, weekday: 'Fri' });
      return 'secret';
    };
    await runAutoPayouts({ ...harness, fingerprintSecret });
    const auto = await harness.autoPayouts.find(merchantId);
    expect(auto).toMatchObject({ weekday: 'Fri', nextAt: new Date('2026-11-27T09:00:00Z') });
    expect(auto).not.toHaveProperty('lastRun');
  });

  it('can be stopped', async () => {
    const harness = await autoHarness();
    await stopAutoPayout(harness, { merchantId });
    harness.clock.at = monday;
    await runAutoPayouts(harness);
    expect(await payoutsOf(harness)).toEqual([]);
  });

  it.each([
    ['auto_account_banned', { banned: true }],
    ['auto_account_out_of_use', { available: false }],
  ])('is refused for an account that cannot be paid: %s', async (error, changes) => {
    const harness = await autoHarness();
    await setPayoutAccount(harness, { merchantId, accountId: harness.accountId, ...changes });
    const before = await harness.autoPayouts.find(merchantId);
    expect(await setAutoPayout(harness, { ...harness.setting, hour: 10 })).toEqual({ ok: false, error });
    expect(await harness.autoPayouts.find(merchantId)).toEqual(before);
  });

  it('is refused for an account in a currency without payouts', async () => {
    const harness = await autoHarness();
    const account = { merchantId, type: 'credit_card', number: card, currency: 'USD' } as const;
    const added = await addPayoutAccount(harness, account);
    const accountId = toAccountId(added.ok ? added.value.id : '');
    const error = 'auto_account_currency';
    expect(await setAutoPayout(harness, { ...harness.setting, accountId })).toEqual({ ok: false, error });
  });

  it.each([
    ['payout_account_not_found', { accountId: readAccountId('x') }],
    ['payout_account_not_found', { accountId: toAccountId('NoSuchAccount001') }],
    ['hour_invalid', { hour: 24, accountId: readAccountId('x') }],
    ['hour_invalid', { hour: 1.5 }],
    ['threshold_invalid', { thresholdMinor: 0n }],
  ])('is refused with %s', async (error, wrong) => {
    const harness = await autoHarness();
    expect(await setAutoPayout(harness, { ...harness.setting, ...wrong })).toEqual({ ok: false, error });
  });
});
