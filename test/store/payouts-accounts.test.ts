import { describe, expect, it } from 'vitest';
import { readDestination } from '../../lib/payout/destination.ts';
import { addPayoutAccount, listPayoutAccounts, setPayoutAccount } from '../../lib/payout/payout-accounts.ts';
import { merchantId } from '../support/builders.ts';
import { card, payoutHouse, phone } from '../support/payout-house.ts';

const aCard = { merchantId, type: 'credit_card', number: '4111 1111 1111 1111', currency: 'RUB' } as const;
const aPhone = { merchantId, type: 'sbp', number: '+7 (912) 345-67-89', currency: 'RUB' } as const;

describe('a payout account', () => {
  it('is stored sealed, known by its mask', async () => {
    const house = await payoutHouse();
    const added = await addPayoutAccount(house, { ...aCard, holder: 'Ivan Petrov' });
    if (!added.ok) throw new Error(added.error);
    const { sealed, context } = added.value.destination;
    expect(added.value).toMatchObject({ mask: '411111******1111', banned: false, available: true });
    expect(context).toEqual({ use: 'payout-destination', account: added.value.id });
    const opened = readDestination(await house.destinationOpener.open(sealed, context));
    expect(opened).toEqual({ type: 'credit_card', number: card, holder: 'Ivan Petrov' });
    expect(await listPayoutAccounts(house, { merchantId })).toEqual([added.value]);
  });

  it('may be a phone, with or without its bank', async () => {
    const house = await payoutHouse();
    const added = await addPayoutAccount(house, { ...aPhone, bankId: 100000000004 });
    if (!added.ok) throw new Error(added.error);
    const { sealed, context } = added.value.destination;
    const opened = readDestination(await house.destinationOpener.open(sealed, context));
    expect(opened).toEqual({ type: 'sbp', phone, bankId: 100000000004 });
    expect(await addPayoutAccount(house, aPhone)).toMatchObject({ ok: true });
  });

  it.each([
    ['card_number_invalid', { ...aCard, number: '4111111111111112' }],
    ['card_holder_invalid', { ...aCard, holder: '17' }],
    ['phone_invalid', { ...aPhone, number: '12345' }],
    ['bank_unknown', { ...aPhone, bankId: 1 }],
    ['merchant_not_found', { ...aCard, merchantId: 'NoSuchMerchant01' }],
  ])('is refused with %s', async (error, command) => {
    const house = await payoutHouse();
    expect(await addPayoutAccount(house, command)).toEqual({ ok: false, error });
    expect(await listPayoutAccounts(house, { merchantId })).toEqual([]);
  });

  it('can be banned and taken out of use, and only what is named changes', async () => {
    const house = await payoutHouse();
    const added = await addPayoutAccount(house, aCard);
    if (!added.ok) throw new Error(added.error);
    const accountId = added.value.id;
    const banned = await setPayoutAccount(house, { merchantId, accountId, banned: true });
    expect(banned).toEqual({ ok: true, value: { ...added.value, banned: true } });
    const both = await setPayoutAccount(house, {
      merchantId,
      accountId,
      banned: undefined,
      available: false,
    });
    expect(both).toEqual({ ok: true, value: { ...added.value, banned: true, available: false } });
    const nothing = await setPayoutAccount(house, { merchantId, accountId });
    expect(nothing).toEqual(both);
  });

  it('that there is not, or is of another merchant, cannot be set', async () => {
    const house = await payoutHouse();
    const added = await addPayoutAccount(house, aCard);
    const accountId = added.ok ? added.value.id : '';
    const missing = { ok: false, error: 'payout_account_not_found' };
    expect(await setPayoutAccount(house, { merchantId, accountId: 'x', banned: true })).toEqual(missing);
    expect(await setPayoutAccount(house, { merchantId: 'other', accountId, banned: true })).toEqual(missing);
  });
});
