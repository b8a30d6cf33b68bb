import { describe, expect, it } from 'vitest';
import { create } from '../../functions/payout-personal-create.ts';
import { addPayoutAccount, setPayoutAccount } from '../../lib/payout/payout-accounts.ts';
import { aCaller, form, invalid, json, multipart, post, refusal, type Sent } from '../support/api-event.ts';
import { merchantId } from '../support/builders.ts';
import { itemsOf } from '../support/items-of.ts';
import { payoutHouse, phone } from '../support/payout-house.ts';

/** A house with one stored account: a phone. */
async function accountHouse(given: Parameters<typeof payoutHouse>[0] = {}) {
  const house = await payoutHouse(given);
  const owner = given.merchant?.id ?? merchantId;
  const added = await addPayoutAccount(house, {
    merchantId: owner,
    type: 'sbp',
    number: phone,
    currency: 'RUB',
  });
  if (!added.ok) throw new Error(added.error);
  const { id: accountId } = added.value;
  return { ...house, accountId, order: { amount: '1000.50', payout_account_id: accountId } };
}

describe('POST /api/v1/payout/personal/create', () => {
  it('answers with the payout that it made', async () => {
    const house = await accountHouse();
    const answer = await post(create(house), form(house.order));
    expect(answer).toMatchObject({
      status: 200,
      body: {
        success: true,
        data: [
          {
            id: expect.stringMatching(/^[0-9A-Za-z]{20}01$/),
            status: 'MODERATING',
            amount: 1000.5,
            commission: 10.01,
            account_identifier: '7912***6789',
            currency: 'RUB',
            created_at: '2026-11-21 12:34:56',
          },
        ],
      },
    });
    expect(JSON.stringify(answer)).not.toContain(phone);
  });

  it('splits as the account type needs', async () => {
    const house = await accountHouse({ availableMinor: 100_000_000n });
    const answer = await post(create(house), form({ ...house.order, amount: '500000.50' }));
    expect(answer.body['data']).toMatchObject([{ amount: 499999.5 }, { amount: 1 }]);
  });

  it('needs no grant for regular payouts', async () => {
    const house = await accountHouse({ merchant: { regularPayouts: false } });
    const sent = form(house.order, { caller: aCaller({ regularPayouts: false }) });
    expect(await post(create(house), sent)).toMatchObject({ status: 200 });
  });

  it('takes a form, multipart, JSON and the query alone, with nulls and unknown fields', async () => {
    const house = await accountHouse();
    const ways: readonly Sent[] = [
      form({ ...house.order, foo: 'bar', order_id: '' }),
      multipart(house.order),
      json({ ...house.order, amount: 1000.5, order_id: null, items: [{ name: 'Tea' }] }),
      { query: house.order },
    ];
    for (const sent of ways) {
      expect(await post(create(house), sent)).toMatchObject({
        status: 200,
        body: { data: [{ amount: 1000.5 }] },
      });
    }
  });

  it('repeats its answer to the same order', async () => {
    const house = await accountHouse();
    const sent = form({ ...house.order, order_id: 'order-1' });
    const first = await post(create(house), sent);
    const again = await post(create(house), sent);
    expect(again.body).toEqual(first.body);
    expect(again.headers).toMatchObject({ 'Idempotency-Replayed': 'true' });
  });
});

describe('POST /api/v1/payout/personal/create refuses', () => {
  it.each([
    ['a banned merchant', { merchant: { banned: true } }, {}, 'merchant_banned'],
    [
      'a lapsed subscription',
      { merchant: { subscription: 'inactive' } },
      {},
      'merchant_subscription_inactive',
    ],
    ['no subscription', { merchant: { subscription: 'none' } }, {}, 'merchant_subscription_not_found'],
    ['no Verified status', { merchant: { verified: false } }, {}, 'merchant_not_verified'],
    ['no such merchant', { merchant: { id: 'Somebody1Else234' } }, {}, 'merchant_not_found'],
    ['no such account', {}, { payout_account_id: 'NoSuchAccount123' }, 'payout_account_not_found'],
    ['what is no account id', {}, { payout_account_id: '\u0000 ¿' }, 'payout_account_not_found'],
    ['an endless account id', {}, { payout_account_id: 'x'.repeat(5000) }, 'payout_account_not_found'],
    ['no amount of money', {}, { amount: '-1' }, 'invalid_amount'],
    ['the day', { terms: { dayLimitMinor: 100_049n } }, {}, 'daily_payout_limit_exceeded'],
    ['the month', { terms: { monthLimitMinor: 100_049n } }, {}, 'monthly_payout_limit_exceeded'],
    ['a poor balance', { availableMinor: 101_050n }, {}, 'balance_not_enough'],
  ] as const)('for %s, and changes nothing', async (_why, given, fields, key) => {
    const house = await accountHouse(given);
    const before = await itemsOf(house.table);
    const sent = form({ ...house.order, order_id: 'order-1', ...fields });
    expect(await post(create(house), sent)).toMatchObject(refusal(400, key));
    expect(await itemsOf(house.table)).toEqual(before);
  });

  it.each([
    ['a banned account', { banned: true }, 'payout_account_banned'],
    ['an account out of use', { available: false }, 'direction_not_available'],
  ])('%s, before it looks at the amount', async (_what, changes, key) => {
    const house = await accountHouse();
    await setPayoutAccount(house, { merchantId, accountId: house.accountId, ...changes });
    expect(await post(create(house), form({ ...house.order, amount: 'x' }))).toMatchObject(refusal(400, key));
  });

  it.each([
    ['nothing at all', {}, ['amount', 'payout_account_id']],
    ['no account', { amount: '1' }, ['payout_account_id']],
    ['an endless order_id', { amount: '1', payout_account_id: 'x', order_id: 'x'.repeat(256) }, ['order_id']],
  ])('%s as invalid data, before anything about the merchant', async (_what, fields, named) => {
    const house = await accountHouse({ merchant: { banned: true } });
    expect(await post(create(house), form(fields))).toMatchObject(invalid(...named));
  });

  it('an order_id that was used with other data', async () => {
    const house = await accountHouse();
    await post(create(house), form({ ...house.order, order_id: 'order-1' }));
    const other = form({ ...house.order, amount: '1', order_id: 'order-1' });
    expect(await post(create(house), other)).toMatchObject(invalid('order_id'));
  });
});
