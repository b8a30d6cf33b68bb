import { describe, expect, it } from 'vitest';
import { createRegularPayout } from '../../../lib/payout/create-regular-payout.ts';
import { dispatchPayout } from '../../../lib/payout/dispatch-payout.ts';
import { listSbpBanks } from '../../../lib/payout/list-sbp-banks.ts';
import { approvePayout } from '../../../lib/payout/moderate.ts';
import { refreshSbpBanks } from '../../../lib/payout/refresh-sbp-banks.ts';
import { builtInBanks, type RailBank } from '../../../lib/payout/sbp-banks.ts';
import { created, payoutHarness, type PayoutHarness, reread, toPhone } from '../../support/payout-harness.ts';
import { onlyRail, testRail } from '../../support/rail.ts';
import { yookassaPayouts } from '../../support/yookassa-harness.ts';

const gone = toPhone.bankId;
const asListed = builtInBanks.map(({ memberId, name, bic }): RailBank => ({ memberId, name, bic }));
const without = (...ids: readonly number[]) => asListed.filter(({ memberId }) => !ids.includes(memberId));

/** A merchant whose provider of SBP payouts lists these banks. */
async function withBanks(listed: () => readonly RailBank[]) {
  const harness = await payoutHarness();
  const alarms: string[] = [];
  const rails = onlyRail({ ...testRail(), banks: async () => listed() });
  const alarm = (name: string, about: object) => void alarms.push(`${name} ${JSON.stringify(about)}`);
  return {
    ...harness,
    refreshAlarms: alarms,
    refresh: (how: { readonly acceptFewer?: boolean } = {}) =>
      refreshSbpBanks({ ...harness, rails, alarm }, how),
  };
}

const listedTo = async ({ activeBanks, caller }: PayoutHarness) => {
  const listed = await listSbpBanks({ activeBanks }, { caller });
  return listed.ok ? listed.value : [];
};

const paidTo = (
  harness: PayoutHarness,
  given: { readonly orderId?: string; readonly bankId?: number } = {},
) =>
  createRegularPayout(harness, {
    caller: harness.caller,
    amount: '100',
    destination: { ...toPhone, bankId: given.bankId ?? gone },
    orderId: given.orderId,
    idempotencyKey: undefined,
  });

describe('the banks of SBP', () => {
  it('are those of the built-in list until the provider’s was read', async () => {
    expect(await listedTo(await payoutHarness())).toEqual(builtInBanks);
  });

  it('are read from YooKassa, with the English names that are known', async () => {
    const harness = await yookassaPayouts();
    const done = await refreshSbpBanks({ ...harness, alarm: () => undefined });
    expect(done).toMatchObject({ outcome: 'refreshed', rail: 'yookassa' });
    const banks = await harness.activeBanks();
    expect(banks.find(({ memberId }) => memberId === gone)).toMatchObject({
      nameEn: 'TBank',
      bic: '044525974',
    });
    expect(await harness.sbpBanks.find()).toMatchObject({ rail: 'yookassa', refreshedAt: harness.now() });
  });

  it('include one that joined: it is listed, sorted by its id, and may be paid to', async () => {
    const joined = { memberId: 100000000002, name: 'Новый банк', bic: '044525002' };
    const harness = await withBanks(() => [...asListed, joined]);
    expect(await paidTo(harness, { bankId: joined.memberId })).toMatchObject({ error: 'sbp_bank_unknown' });
    expect(await harness.refresh()).toMatchObject({
      outcome: 'refreshed',
      added: [joined.memberId],
      gone: [],
    });
    const banks = await listedTo(harness);
    expect(banks[1]).toEqual({ ...joined, nameEn: joined.name });
    expect(banks).toHaveLength(builtInBanks.length + 1);
    expect(await paidTo(harness, { bankId: joined.memberId })).toMatchObject({ ok: true });
  });
});

describe('a bank that leaves SBP', () => {
  it('is no longer listed, and a new payout to it is refused', async () => {
    const harness = await withBanks(() => without(gone));
    expect(await harness.refresh()).toMatchObject({ outcome: 'refreshed', gone: [gone] });
    expect((await listedTo(harness)).map(({ memberId }) => memberId)).not.toContain(gone);
    expect(await paidTo(harness)).toMatchObject({ ok: false, error: 'sbp_bank_unknown' });
  });

  it('is still paid what was accepted before', async () => {
    const harness = await withBanks(() => without(gone));
    const payout = await created(harness, { amount: '100', destination: toPhone });
    await harness.refresh();
    await approvePayout(harness, { payoutId: payout.id, revision: payout.revision, by: 'olga' });
    await dispatchPayout(harness, payout.id);
    expect(await reread(harness, payout)).toMatchObject({ status: 'SUCCESS' });
  });

  it('leaves the answer to a repeated request as it was: its payout', async () => {
    const harness = await withBanks(() => without(gone));
    const first = await paidTo(harness, { orderId: 'order-1' });
    await harness.refresh();
    const again = await paidTo(harness, { orderId: 'order-1' });
    expect(again).toMatchObject({ ok: true, value: { replayed: true } });
    expect(again.ok && first.ok && again.value.payouts[0]?.id === first.value.payouts[0]?.id).toBe(true);
  });
});

describe('a list of banks that cannot be believed', () => {
  const half = asListed.slice(0, Math.floor(asListed.length / 2));

  it.each([
    ['no banks', 'no_banks', []],
    ['half of the banks gone', 'half_of_the_banks_gone', half],
    ['a bank twice', 'bank_listed_twice', [...asListed, ...asListed.slice(0, 1)]],
    [
      'more banks than SBP can have',
      'too_many_banks',
      [
        ...asListed,
        ...Array.from({ length: 2000 }, (_, n) => ({ memberId: n + 1, name: 'x', bic: '000000000' })),
      ],
    ],
  ])('%s: the old list stays in use, with an alarm', async (_what, why, listed) => {
    let banks = without(gone);
    const harness = await withBanks(() => banks);
    await harness.refresh();
    const before = await listedTo(harness);
    banks = listed;
    expect(await harness.refresh()).toMatchObject({ outcome: 'kept', why });
    expect(await listedTo(harness)).toEqual(before);
    expect(harness.refreshAlarms).toEqual([`sbp_banks_kept {"provider":"test","why":"${why}"}`]);
  });

  it('or that does not come keeps the old one, with an alarm', async () => {
    const harness = await withBanks(() => {
      throw new TypeError('fetch failed');
    });
    expect(await harness.refresh()).toMatchObject({ outcome: 'kept', why: 'no_answer' });
    expect(await listedTo(harness)).toEqual(builtInBanks);
    expect(harness.refreshAlarms).toHaveLength(1);
  });

  it('is believed when a person says that the banks are gone indeed, but never an empty one', async () => {
    let banks: readonly RailBank[] = half;
    const harness = await withBanks(() => banks);
    expect(await harness.refresh({ acceptFewer: true })).toMatchObject({ outcome: 'refreshed' });
    expect(await listedTo(harness)).toHaveLength(half.length);
    banks = [];
    expect(await harness.refresh({ acceptFewer: true })).toMatchObject({ outcome: 'kept', why: 'no_banks' });
  });
});

describe('a provider without a list of banks', () => {
  it('leaves the built-in one in use', async () => {
    const harness = await payoutHarness();
    const alarm = () => expect.unreachable();
    expect(await refreshSbpBanks({ ...harness, alarm })).toEqual({ outcome: 'built_in' });
    expect(await harness.sbpBanks.find()).toBeUndefined();
  });

  it('ends the use of the list of the provider before it', async () => {
    const harness = await withBanks(() => without(gone));
    await harness.refresh();
    const other = onlyRail({ ...testRail(), name: 'another' });
    await refreshSbpBanks({ ...harness, rails: other, alarm: () => expect.unreachable() });
    expect(await listedTo(harness)).toEqual(builtInBanks);
  });
});
