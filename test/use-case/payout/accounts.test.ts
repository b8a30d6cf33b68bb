import { describe, expect, it } from 'vitest';
import { type AccountId, toAccountId, toMerchantId } from '../../../lib/ids.ts';
import { readDestination } from '../../../lib/payout/destination.ts';
import {
  addPayoutAccount,
  indexPayoutAccounts,
  listPayoutAccounts,
  setPayoutAccount,
} from '../../../lib/payout/payout-accounts.ts';
import { createPersonalPayout } from '../../../lib/payout/create-personal-payout.ts';
import { createRegularPayout } from '../../../lib/payout/create-regular-payout.ts';
import { dispatchPayout } from '../../../lib/payout/dispatch-payout.ts';
import { approvePayout } from '../../../lib/payout/moderate.ts';
import { merchantId } from '../../support/builders.ts';
import {
  card,
  created,
  type PayoutHarness,
  payoutHarness,
  phone,
  reread,
  toCard,
  toPhone,
} from '../../support/payout-harness.ts';
import { withoutNumberHashes } from '../../support/payout-accounts.ts';

const aCard = { merchantId, type: 'credit_card', number: '4111 1111 1111 1111', currency: 'RUB' } as const;
const aPhone = { merchantId, type: 'sbp', number: '+7 (912) 345-67-89', currency: 'RUB' } as const;

describe('a payout account', () => {
  it('is stored sealed, with its mask in the clear', async () => {
    const harness = await payoutHarness();
    const added = await addPayoutAccount(harness, { ...aCard, holder: 'Ivan Petrov' });
    if (!added.ok) throw new Error(added.error);
    const { sealed } = added.value.destination;
    const context = { use: 'payout-destination', account: added.value.id };
    expect(added.value).toMatchObject({ mask: '411111******1111', banned: false, available: true });
    const opened = readDestination(await harness.destinationOpener.open(sealed, context));
    expect(opened).toEqual({ type: 'credit_card', number: card, holder: 'Ivan Petrov' });
    expect(await listPayoutAccounts(harness, { merchantId })).toEqual([added.value]);
  });

  it('may be a phone, with or without a bank', async () => {
    const harness = await payoutHarness();
    const added = await addPayoutAccount(harness, { ...aPhone, bankId: 100000000004 });
    if (!added.ok) throw new Error(added.error);
    const { sealed } = added.value.destination;
    const context = { use: 'payout-destination', account: added.value.id };
    const opened = readDestination(await harness.destinationOpener.open(sealed, context));
    expect(opened).toEqual({ type: 'sbp', phone, bankId: 100000000004 });
    expect(await addPayoutAccount(harness, aPhone)).toMatchObject({ ok: true });
  });

  it.each([
    ['card_number_invalid', { ...aCard, number: '4111111111111112' }],
    ['card_holder_invalid', { ...aCard, holder: '17' }],
    ['phone_invalid', { ...aPhone, number: '12345' }],
    ['bank_unknown', { ...aPhone, bankId: 1 }],
    ['merchant_not_found', { ...aCard, merchantId: toMerchantId('NoSuchMerchant01') }],
  ])('is refused with %s', async (error, command) => {
    const harness = await payoutHarness();
    expect(await addPayoutAccount(harness, command)).toEqual({ ok: false, error });
    expect(await listPayoutAccounts(harness, { merchantId })).toEqual([]);
  });

  it('can be banned and taken out of use, and only the given flags change', async () => {
    const harness = await payoutHarness();
    const added = await addPayoutAccount(harness, aCard);
    if (!added.ok) throw new Error(added.error);
    const accountId = added.value.id;
    const banned = await setPayoutAccount(harness, { merchantId, accountId, banned: true });
    expect(banned).toEqual({ ok: true, value: { ...added.value, banned: true } });
    const both = await setPayoutAccount(harness, { merchantId, accountId, available: false });
    expect(both).toEqual({ ok: true, value: { ...added.value, banned: true, available: false } });
    const nothing = await setPayoutAccount(harness, { merchantId, accountId });
    expect(nothing).toEqual(both);
  });

  it('that does not exist, or belongs to another merchant, cannot be changed', async () => {
    const harness = await payoutHarness();
    const added = await addPayoutAccount(harness, aCard);
    const accountId = toAccountId(added.ok ? added.value.id : '');
    const noAccount = toAccountId('NoSuchAccount001');
    const missing = { ok: false, error: 'payout_account_not_found' };
    expect(await setPayoutAccount(harness, { merchantId, accountId: noAccount, banned: true })).toEqual(
      missing,
    );
    expect(
      await setPayoutAccount(harness, {
        merchantId: toMerchantId('OtherOtherOther1'),
        accountId,
        banned: true,
      }),
    ).toEqual(missing);
  });
});

async function stored(harness: PayoutHarness, given: Partial<Parameters<typeof addPayoutAccount>[1]> = {}) {
  const added = await addPayoutAccount(harness, { ...aCard, ...given });
  if (!added.ok) throw new Error(added.error);
  return added.value;
}

const ban = (harness: PayoutHarness, accountId: AccountId, banned = true) =>
  setPayoutAccount(harness, { merchantId, accountId, banned });

const regular = (harness: PayoutHarness, destination: typeof toCard | typeof toPhone = toCard) =>
  createRegularPayout(harness, {
    caller: harness.caller,
    amount: '100',
    destination,
    idempotencyKey: undefined,
    orderId: undefined,
  });
const personal = (harness: PayoutHarness, accountId: AccountId) =>
  createPersonalPayout(harness, {
    caller: harness.caller,
    amount: '100',
    accountId,
    idempotencyKey: undefined,
    orderId: undefined,
  });

const isBanned = { ok: false, error: 'payout_account_banned' };

describe('the number of a banned account', () => {
  it.each([
    ['card', aCard, toCard],
    ['phone, at whatever bank,', aPhone, toPhone],
  ])('cannot be paid by a regular payout either: a %s', async (_what, account, destination) => {
    const harness = await payoutHarness();
    const { id } = await stored(harness, account);
    await ban(harness, id);
    expect(await regular(harness, destination)).toEqual(isBanned);
    await ban(harness, id, false);
    expect(await regular(harness, destination)).toMatchObject({ ok: true });
  });

  it('is banned in every account with that number, stored before or after the ban', async () => {
    const harness = await payoutHarness();
    const [one, twin] = [await stored(harness), await stored(harness, { holder: 'Anna Ivanova' })];
    const another = await stored(harness, { number: '5555555555554444' });
    await ban(harness, one.id);
    const later = await stored(harness);
    expect(later.banned).toBe(true);
    for (const { id } of [one, twin, later]) expect(await personal(harness, id)).toEqual(isBanned);
    expect(await personal(harness, another.id)).toMatchObject({ ok: true });

    await ban(harness, later.id, false);
    expect((await listPayoutAccounts(harness, { merchantId })).map(({ banned }) => banned)).not.toContain(
      true,
    );
    expect(await personal(harness, one.id)).toMatchObject({ ok: true });
  });

  it('stays banned when accounts with it are stored and banned concurrently', async () => {
    const harness = await payoutHarness();
    const accounts = await Promise.all([stored(harness), stored(harness), stored(harness)]);
    await Promise.all([stored(harness), ...accounts.map(({ id }) => ban(harness, id))]);
    const banned = (await listPayoutAccounts(harness, { merchantId })).map((account) => account.banned);
    expect(banned).toEqual([true, true, true, true]);
    expect(await regular(harness)).toEqual(isBanned);
  });

  it('stops a payout released but not sent: approve and send check it in their transactions', async () => {
    const harness = await payoutHarness();
    const { id } = await stored(harness);
    const payout = await created(harness);
    const decision = { payoutId: payout.id, by: 'olga' };
    await approvePayout(harness, { ...decision, revision: 1 });
    await ban(harness, id);
    await dispatchPayout(harness, payout.id);
    const stopped = await reread(harness, payout);
    expect(stopped).toMatchObject({ status: 'MODERATING' });
    expect(harness.rail.calls).toEqual([]);
    expect(await approvePayout(harness, { ...decision, revision: stopped.revision })).toEqual(isBanned);
  });

  it('does not affect another merchant', async () => {
    const harness = await payoutHarness();
    const { numberHash = '', ...account } = await stored(harness);
    const stranger = {
      ...account,
      id: toAccountId('StrangerAccount1'),
      merchantId: toMerchantId('OtherOtherOther1'),
      banned: true,
    };
    await harness.payoutAccounts.create({ ...stranger, numberHash });
    expect(await regular(harness)).toMatchObject({ ok: true });
  });

  it('is stored as a keyed hash only', async () => {
    const harness = await payoutHarness();
    const [one, other] = [await stored(harness), await stored(harness)];
    expect(one.numberHash).toMatch(/^[0-9a-f]{64}$/);
    expect(other.numberHash).toBe(one.numberHash);
  });
});

describe('an account that was stored without the hash of its number', () => {
  it('gets the hash when it is banned, and its number is banned', async () => {
    const harness = await payoutHarness();
    const { id } = await stored(harness);
    await withoutNumberHashes(harness.table);
    expect(await ban(harness, id)).toMatchObject({ ok: true, value: { banned: true } });
    expect(await regular(harness)).toEqual(isBanned);
  });

  it('and was banned before gets the hash from the index command, as do the other accounts of the number, once', async () => {
    const harness = await payoutHarness();
    const [one, twin] = [await stored(harness), await stored(harness)];
    await harness.payoutAccounts.set(merchantId, one.id, { banned: true });
    await withoutNumberHashes(harness.table);
    await harness.payoutAccounts.set(merchantId, twin.id, { banned: false });
    expect(await regular(harness)).toMatchObject({ ok: true });

    expect(await indexPayoutAccounts(harness, { merchantId })).toHaveLength(2);

    expect(await regular(harness)).toEqual(isBanned);
    expect((await listPayoutAccounts(harness, { merchantId })).map(({ banned }) => banned)).toEqual([
      true,
      true,
    ]);
    expect(await indexPayoutAccounts(harness, { merchantId })).toEqual([]);
  });
});
