import { describe, expect, it } from 'vitest';
import { readDestination } from '../../lib/payout/destination.ts';
import { addPayoutAccount, listPayoutAccounts, setPayoutAccount } from '../../lib/payout/payout-accounts.ts';
import { merchantId } from '../support/builders.ts';
import { card, payoutHarness, phone } from '../support/payout-harness.ts';

const aCard = { merchantId, type: 'credit_card', number: '4111 1111 1111 1111', currency: 'RUB' } as const;
const aPhone = { merchantId, type: 'sbp', number: '+7 (912) 345-67-89', currency: 'RUB' } as const;

describe('a payout account', () => {
  it('is stored sealed, known by its mask', async () => {
    const harness = await payoutHarness();
    const added = await addPayoutAccount(harness, { ...aCard, holder: 'Ivan Petrov' });
    if (!added.ok) throw new Error(added.error);
    const { sealed, context } = added.value.destination;
    expect(added.value).toMatchObject({ mask: '411111******1111', banned: false, available: true });
    expect(context).toEqual({ use: 'payout-destination', account: added.value.id });
    const opened = readDestination(await harness.destinationOpener.open(sealed, context));
    expect(opened).toEqual({ type: 'credit_card', number: card, holder: 'Ivan Petrov' });
    expect(await listPayoutAccounts(harness, { merchantId })).toEqual([added.value]);
  });

  it('may be a phone, with or without its bank', async () => {
    const harness = await payoutHarness();
    const added = await addPayoutAccount(harness, { ...aPhone, bankId: 100000000004 });
    if (!added.ok) throw new Error(added.error);
    const { sealed, context } = added.value.destination;
    const opened = readDestination(await harness.destinationOpener.open(sealed, context));
    expect(opened).toEqual({ type: 'sbp', phone, bankId: 100000000004 });
    expect(await addPayoutAccount(harness, aPhone)).toMatchObject({ ok: true });
  });

  it.each([
    ['card_number_invalid', { ...aCard, number: '4111111111111112' }],
    ['card_holder_invalid', { ...aCard, holder: '17' }],
    ['phone_invalid', { ...aPhone, number: '12345' }],
    ['bank_unknown', { ...aPhone, bankId: 1 }],
    ['merchant_not_found', { ...aCard, merchantId: 'NoSuchMerchant01' }],
  ])('is refused with %s', async (error, command) => {
    const harness = await payoutHarness();
    expect(await addPayoutAccount(harness, command)).toEqual({ ok: false, error });
    expect(await listPayoutAccounts(harness, { merchantId })).toEqual([]);
  });

  it('can be banned and taken out of use, and only what is named changes', async () => {
    const harness = await payoutHarness();
    const added = await addPayoutAccount(harness, aCard);
    if (!added.ok) throw new Error(added.error);
    const accountId = added.value.id;
    const banned = await setPayoutAccount(harness, { merchantId, accountId, banned: true });
    expect(banned).toEqual({ ok: true, value: { ...added.value, banned: true } });
    const both = await setPayoutAccount(harness, {
      merchantId,
      accountId,
      banned: undefined,
      available: false,
    });
    expect(both).toEqual({ ok: true, value: { ...added.value, banned: true, available: false } });
    const nothing = await setPayoutAccount(harness, { merchantId, accountId });
    expect(nothing).toEqual(both);
  });

  it('that there is not, or is of another merchant, cannot be set', async () => {
    const harness = await payoutHarness();
    const added = await addPayoutAccount(harness, aCard);
    const accountId = added.ok ? added.value.id : '';
    const missing = { ok: false, error: 'payout_account_not_found' };
    expect(await setPayoutAccount(harness, { merchantId, accountId: 'x', banned: true })).toEqual(missing);
    expect(await setPayoutAccount(harness, { merchantId: 'other', accountId, banned: true })).toEqual(
      missing,
    );
  });
});
