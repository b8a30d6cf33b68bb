import { describe, expect, it } from 'vitest';
import { createPayouts } from '../../lib/payout/create-payouts.ts';
import { addPayoutAccount, setPayoutAccount } from '../../lib/payout/payout-accounts.ts';
import { groupOfAutoRun } from '../../lib/payout/payout-id.ts';
import { runAutoPayouts } from '../../lib/payout/run-auto-payouts.ts';
import { setAutoPayout, stopAutoPayout } from '../../lib/payout/set-auto-payout.ts';
import { merchantId } from '../support/builders.ts';
import { balanceOf, card, payoutHouse } from '../support/payout-house.ts';

const monday = new Date('2026-11-23T09:00:00Z');
const nextMonday = new Date('2026-11-30T09:00:00Z');

/** A merchant who has everything from 500.00 on sent to their card each Monday at nine. */
async function autoHouse(given: Parameters<typeof payoutHouse>[0] = {}) {
  const house = await payoutHouse(given);
  const added = await addPayoutAccount(house, {
    merchantId,
    type: 'credit_card',
    number: card,
    currency: 'RUB',
  });
  if (!added.ok) throw new Error(added.error);
  const accountId = added.value.id;
  const setting = { merchantId, accountId, thresholdMinor: 50_000n, weekday: 'Mon', hour: 9 } as const;
  const set = await setAutoPayout(house, setting);
  if (!set.ok) throw new Error(set.error);
  return { ...house, accountId, setting };
}

const payoutsOf = (house: Awaited<ReturnType<typeof autoHouse>>, at = monday) =>
  house.payouts.findGroup(groupOfAutoRun(merchantId, at));

describe('an automatic payout', () => {
  it('runs at its hour, not before, and sends everything with its fee', async () => {
    const house = await autoHouse({ availableMinor: 101_000n });
    house.clock.at = new Date(monday.getTime() - 1000);
    await runAutoPayouts(house);
    expect(await payoutsOf(house)).toEqual([]);

    house.clock.at = monday;
    await runAutoPayouts(house);

    const [payout] = await payoutsOf(house);
    expect(payout).toMatchObject({
      isAuto: true,
      kind: 'personal',
      status: 'MODERATING',
      mask: '411111******1111',
    });
    expect(await balanceOf(house.table)).toMatchObject({ available: 0n, locked: 100_000n, held: 1_000n });
    const auto = await house.autoPayouts.find(merchantId);
    expect(auto).toMatchObject({ nextAt: nextMonday, lastRun: { at: monday, outcome: payout?.id } });
  });

  it('runs once an hour however often it is started', async () => {
    const house = await autoHouse();
    house.clock.at = monday;
    await Promise.all([runAutoPayouts(house), runAutoPayouts(house)]);
    await runAutoPayouts(house);
    expect(await payoutsOf(house)).toHaveLength(1);
  });

  it('that died after it was created is not created again', async () => {
    const house = await autoHouse({ availableMinor: 101_000n });
    house.clock.at = monday;
    const made = await createPayouts(house, {
      merchantId,
      kind: 'personal',
      target: { accountId: house.accountId },
      asked: { everythingFromMinor: 50_000n },
      autoGroupId: groupOfAutoRun(merchantId, monday),
    });
    await runAutoPayouts(house);
    expect(await payoutsOf(house)).toEqual(made.ok && made.value.payouts);
    expect(await house.autoPayouts.find(merchantId)).toMatchObject({ nextAt: nextMonday });
  });

  it('below its threshold waits for the next week, and says why', async () => {
    const house = await autoHouse({ availableMinor: 49_999n });
    house.clock.at = monday;
    await runAutoPayouts(house);
    const auto = await house.autoPayouts.find(merchantId);
    expect(auto).toMatchObject({ nextAt: nextMonday, lastRun: { outcome: 'balance_not_enough' } });
  });

  it('to an account that was banned is refused like any other', async () => {
    const house = await autoHouse();
    await setPayoutAccount(house, { merchantId, accountId: house.accountId, banned: true });
    house.clock.at = monday;
    await runAutoPayouts(house);
    expect(await house.autoPayouts.find(merchantId)).toMatchObject({
      lastRun: { outcome: 'payout_account_banned' },
    });
  });

  it('sends no more than the limits leave room for', async () => {
    const house = await autoHouse({ availableMinor: 1_000_000n, terms: { dayLimitMinor: 70_000n } });
    house.clock.at = monday;
    await runAutoPayouts(house);
    expect((await payoutsOf(house)).map(({ amount }) => amount.minor)).toEqual([70_000n]);
  });

  it('that fails is told, and is tried again at the next run', async () => {
    const house = await autoHouse();
    house.clock.at = monday;
    const fingerprintSecret = () => Promise.reject(new Error('no secret'));
    await expect(runAutoPayouts({ ...house, fingerprintSecret })).rejects.toThrow('did not run');
    await runAutoPayouts(house);
    expect(await payoutsOf(house)).toHaveLength(1);
  });

  it('does not undo what the operator sets while it runs', async () => {
    const house = await autoHouse();
    house.clock.at = monday;
    const fingerprintSecret = async () => {
      await setAutoPayout(house, { ...house.setting, weekday: 'Fri' });
      return 'secret';
    };
    await runAutoPayouts({ ...house, fingerprintSecret });
    const auto = await house.autoPayouts.find(merchantId);
    expect(auto).toMatchObject({ weekday: 'Fri', nextAt: new Date('2026-11-27T09:00:00Z') });
    expect(auto).not.toHaveProperty('lastRun');
  });

  it('can be stopped', async () => {
    const house = await autoHouse();
    await stopAutoPayout(house, { merchantId });
    house.clock.at = monday;
    await runAutoPayouts(house);
    expect(await payoutsOf(house)).toEqual([]);
  });

  it.each([
    ['payout_account_not_found', { accountId: 'x' }],
    ['hour_invalid', { hour: 24 }],
    ['hour_invalid', { hour: 1.5 }],
    ['threshold_invalid', { thresholdMinor: 0n }],
  ])('is refused with %s', async (error, wrong) => {
    const house = await autoHouse();
    expect(await setAutoPayout(house, { ...house.setting, ...wrong })).toEqual({ ok: false, error });
  });
});
