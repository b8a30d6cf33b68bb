import { describe, expect, it } from 'vitest';
import { create } from '../../functions/payout-personal-create.ts';
import { toMerchantId } from '../../lib/ids.ts';
import { addPayoutAccount, setPayoutAccount } from '../../lib/payout/payout-accounts.ts';
import { aCaller, form, invalid, json, multipart, post, refusal, type Sent } from '../support/api-event.ts';
import { merchantId } from '../support/builders.ts';
import { itemsOf } from '../support/items-of.ts';
import { payoutHarness, phone } from '../support/payout-harness.ts';

/** A harness with one stored account: a phone. */
async function accountHarness(given: Parameters<typeof payoutHarness>[0] = {}) {
  const harness = await payoutHarness(given);
  const owner = given.merchant?.id ?? merchantId;
  const added = await addPayoutAccount(harness, {
    merchantId: owner,
    type: 'sbp',
    number: phone,
    currency: 'RUB',
  });
  if (!added.ok) throw new Error(added.error);
  const { id: accountId } = added.value;
  return { ...harness, accountId, order: { amount: '1000.50', payout_account_id: accountId } };
}

describe('POST /api/v1/payout/personal/create', () => {
  it('returns the created payout', async () => {
    const harness = await accountHarness();
    const answer = await post(create(harness), form(harness.order));
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
            account_identifier: '7******6789',
            currency: 'RUB',
            created_at: '2026-11-21 12:34:56',
          },
        ],
      },
    });
    expect(JSON.stringify(answer)).not.toContain(phone);
  });

  it('splits by the limits of the account type', async () => {
    const harness = await accountHarness({ availableMinor: 100_000_000n });
    const answer = await post(create(harness), form({ ...harness.order, amount: '500000.50' }));
    expect(answer.body['data']).toMatchObject([{ amount: 499999.5 }, { amount: 1 }]);
  });

  it('needs no grant for regular payouts', async () => {
    const harness = await accountHarness({ merchant: { regularPayouts: false } });
    const sent = form(harness.order, { caller: aCaller({ regularPayouts: false }) });
    expect(await post(create(harness), sent)).toMatchObject({ status: 200 });
  });

  it('accepts a form, multipart, JSON and query parameters alone, with nulls and unknown fields', async () => {
    const harness = await accountHarness();
    const ways: readonly Sent[] = [
      form({ ...harness.order, foo: 'bar', order_id: '' }),
      multipart(harness.order),
      json({ ...harness.order, amount: 1000.5, order_id: null, items: [{ name: 'Tea' }] }),
      { query: harness.order },
    ];
    for (const sent of ways) {
      expect(await post(create(harness), sent)).toMatchObject({
        status: 200,
        body: { data: [{ amount: 1000.5 }] },
      });
    }
  });

  it('repeats its response for the same order', async () => {
    const harness = await accountHarness();
    const sent = form({ ...harness.order, order_id: 'order-1' });
    const first = await post(create(harness), sent);
    const again = await post(create(harness), sent);
    expect(again.body).toEqual(first.body);
    expect(again.headers).toMatchObject({ 'Idempotency-Replayed': 'true' });
  });
});

describe('POST /api/v1/payout/personal/create refuses', () => {
  it.each([
    ['a banned merchant', { merchant: { banned: true } }, {}, 'merchant_banned'],
    [
      'an inactive subscription',
      { merchant: { subscription: 'inactive' } },
      {},
      'merchant_subscription_inactive',
    ],
    ['no subscription', { merchant: { subscription: 'none' } }, {}, 'merchant_subscription_not_found'],
    ['no Verified status', { merchant: { verified: false } }, {}, 'merchant_not_verified'],
    ['an unknown merchant', { merchant: { id: toMerchantId('Somebody1Else234') } }, {}, 'merchant_not_found'],
    ['an unknown account', {}, { payout_account_id: 'NoSuchAccount123' }, 'payout_account_not_found'],
    ['a malformed account id', {}, { payout_account_id: '\u0000 ¿' }, 'payout_account_not_found'],
    ['an overlong account id', {}, { payout_account_id: 'x'.repeat(5000) }, 'payout_account_not_found'],
    ['a negative amount', {}, { amount: '-1' }, 'invalid_amount'],
    ['an exceeded daily limit', { terms: { dayLimitMinor: 100_049n } }, {}, 'daily_payout_limit_exceeded'],
    [
      'an exceeded monthly limit',
      { terms: { monthLimitMinor: 100_049n } },
      {},
      'monthly_payout_limit_exceeded',
    ],
    ['an insufficient balance', { availableMinor: 101_050n }, {}, 'balance_not_enough'],
  ] as const)('for %s, and changes nothing', async (_why, given, fields, key) => {
    const harness = await accountHarness(given);
    const before = await itemsOf(harness.table);
    const sent = form({ ...harness.order, order_id: 'order-1', ...fields });
    expect(await post(create(harness), sent)).toMatchObject(refusal(400, key));
    expect(await itemsOf(harness.table)).toEqual(before);
  });

  it.each([
    ['a banned account', { banned: true }, 'payout_account_banned'],
    ['an account out of use', { available: false }, 'direction_not_available'],
  ])('%s, before the amount is checked', async (_what, changes, key) => {
    const harness = await accountHarness();
    await setPayoutAccount(harness, { merchantId, accountId: harness.accountId, ...changes });
    expect(await post(create(harness), form({ ...harness.order, amount: 'x' }))).toMatchObject(
      refusal(400, key),
    );
  });

  it.each([
    ['an empty request', {}, ['amount', 'payout_account_id']],
    ['no account', { amount: '1' }, ['payout_account_id']],
    ['an endless order_id', { amount: '1', payout_account_id: 'x', order_id: 'x'.repeat(256) }, ['order_id']],
  ])('%s as invalid data, before the merchant is checked', async (_what, fields, named) => {
    const harness = await accountHarness({ merchant: { banned: true } });
    expect(await post(create(harness), form(fields))).toMatchObject(invalid(...named));
  });

  it('an order_id already used with other data', async () => {
    const harness = await accountHarness();
    await post(create(harness), form({ ...harness.order, order_id: 'order-1' }));
    const other = form({ ...harness.order, amount: '1', order_id: 'order-1' });
    expect(await post(create(harness), other)).toMatchObject(invalid('order_id'));
  });
});
