import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { create } from '../../functions/payout-regular-create.ts';
import { newPayoutId, toMerchantId } from '../../lib/ids.ts';
import { identify } from '../../lib/payout/request-identity.ts';
import { groupKey } from '../../lib/store/payout-claims.ts';
import { payoutItem } from '../../lib/store/payout-item.ts';
import {
  aCaller,
  form,
  invalid,
  json,
  jsonText,
  multipart,
  post,
  refusal,
  type Sent,
} from '../support/api-event.ts';
import { merchantId } from '../support/builders.ts';
import { itemsOf } from '../support/items-of.ts';
import { aPayout } from '../support/payouts.ts';
import { balanceOf, card, payoutHarness, phone } from '../support/payout-harness.ts';

const toCard = {
  amount: '1000.50',
  currency: 'RUB',
  account_type: 'credit_card',
  account_identifier: card,
  card_holder: 'IVAN PETROV',
};
const toPhone = {
  amount: '1000.50',
  currency: 'RUB',
  account_type: 'sbp',
  account_identifier: phone,
  account_bank: '100000000004',
};
const rich = { availableMinor: 100_000_000n };

const ofCard = {
  id: '0000000000000000000101',
  status: 'MODERATING',
  amount: 1000.5,
  commission: 10.01,
  account_identifier: '411111******1111',
  currency: 'RUB',
  created_at: '2026-11-21 12:34:56',
};

describe('POST /api/v1/payout/regular/create', () => {
  it('returns the created payout', async () => {
    const answer = await post(create(await payoutHarness()), form(toCard));
    expect(answer).toMatchObject({ status: 200, body: { success: true, data: [ofCard] } });
    expect(answer.headers).not.toHaveProperty('Idempotency-Replayed');
  });

  it('hides the middle of a phone', async () => {
    const answer = await post(create(await payoutHarness()), form(toPhone));
    expect(answer.body['data']).toMatchObject([{ account_identifier: '7******6789' }]);
    expect(JSON.stringify(answer)).not.toContain(phone);
  });

  it('returns every part of a split', async () => {
    const answer = await post(create(await payoutHarness(rich)), form({ ...toPhone, amount: '500000.50' }));
    expect(answer.body['data']).toMatchObject([
      { id: '0000000000000000000101', amount: 499999.5, commission: 5000 },
      { id: '0000000000000000000102', amount: 1, commission: 0.01 },
    ]);
  });

  it('marks a replayed response', async () => {
    const handler = create(await payoutHarness());
    const first = await post(handler, form({ ...toCard, order_id: 'order-1' }));
    const again = await post(handler, json({ ...toCard, amount: 1000.5, order_id: 'order-1' }));
    expect(again.body).toEqual(first.body);
    expect(again.headers).toMatchObject({ 'Idempotency-Replayed': 'true' });
  });

  it('gives two concurrent identical requests the same payouts', async () => {
    const harness = await payoutHarness(rich);
    const handler = create(harness);
    const sent = form({ ...toPhone, amount: '500000.50' }, { headers: { 'idempotency-key': '"one"' } });
    const [one, other] = await Promise.all([post(handler, sent), post(handler, sent)]);
    expect(one?.body).toEqual(other?.body);
    expect(await balanceOf(harness.table)).toMatchObject({ locked: 50_000_050n });
  });

  it.each([
    ['a form', form(toCard)],
    ['multipart', multipart(toCard)],
    ['JSON', json({ ...toCard, amount: 1000.5 })],
    ['a card number as a JSON number', jsonText(JSON.stringify(toCard).replace(`"${card}"`, card))],
    ['query parameters alone', { query: toCard }],
    ['JSON with nulls', json({ ...toCard, order_id: null, account_bank: null })],
    ['empty fields', form({ ...toCard, order_id: '', account_bank: '' })],
    ['unknown fields', form({ ...toCard, foo: 'bar', 'items[0][name]': 'Tea' })],
    ['enum values in any case', form({ ...toCard, currency: 'rub', account_type: 'Credit_Card' })],
    ['a card number with separators', form({ ...toCard, account_identifier: '4111 1111-1111 1111' })],
  ] satisfies [string, Sent][])('accepts %s', async (_what, sent) => {
    const answer = await post(create(await payoutHarness()), sent);
    expect(answer).toMatchObject({ status: 200, body: { data: [ofCard] } });
  });

  it.each(['+7 (912) 345-67-89', '89123456789', '9123456789'])('accepts the phone %s', async (spelled) => {
    const answer = await post(
      create(await payoutHarness()),
      form({ ...toPhone, account_identifier: spelled }),
    );
    expect(answer.body['data']).toMatchObject([{ account_identifier: '7******6789' }]);
  });

  it.each([
    ['16', 16],
    ['100.5', 100.5],
    ['1e+03', 1000],
    [' 100.5000 ', 100.5],
    ['100.49999999999999', 100.5],
  ])('reads the amount %s', async (amount, told) => {
    const answer = await post(create(await payoutHarness()), form({ ...toCard, amount }));
    expect(answer.body['data']).toMatchObject([{ amount: told }]);
  });

  it('never logs the request data', async () => {
    const harness = await payoutHarness();
    const payouts = { ...harness.payouts, create: () => Promise.reject(new Error(card)) };
    const answer = await post(create({ ...harness, payouts }), form(toCard));
    expect(answer).toMatchObject(refusal(500, 'general_error'));
    expect(harness.logged).toHaveLength(1);
    expect(JSON.stringify(harness.logged)).not.toMatch(/4111|PETROV/);
  });
});

describe('POST /api/v1/payout/regular/create refuses', () => {
  it('a merchant without the grant before it checks anything else', async () => {
    const caller = aCaller({ regularPayouts: false, banned: true });
    for (const sent of [form({}, { caller }), jsonText('{', { caller }), form(toCard, { caller })]) {
      expect(await post(create(await payoutHarness()), sent)).toMatchObject({
        status: 403,
        body: { success: false, message: 'This action is unauthorized' },
      });
    }
  });

  it.each([
    ['a banned merchant', { merchant: { banned: true } }, toCard, 'merchant_banned'],
    [
      'an inactive subscription',
      { merchant: { subscription: 'inactive' } },
      toCard,
      'merchant_subscription_inactive',
    ],
    ['no subscription', { merchant: { subscription: 'none' } }, toCard, 'merchant_subscription_not_found'],
    ['no Verified status', { merchant: { verified: false } }, toCard, 'merchant_not_verified'],
    [
      'an unknown merchant',
      { merchant: { id: toMerchantId('Somebody1Else234') } },
      toCard,
      'merchant_not_found',
    ],
    ['zero', {}, { ...toCard, amount: '0' }, 'invalid_amount'],
    ['a fraction of a kopeck', {}, { ...toCard, amount: '1.005' }, 'invalid_amount'],
    ['words', {}, { ...toCard, amount: 'ten' }, 'invalid_amount'],
    ['less than the minimum', {}, { ...toCard, amount: '0.99' }, 'invalid_amount'],
    [
      'an exceeded daily limit',
      { terms: { dayLimitMinor: 100_049n } },
      toCard,
      'daily_payout_limit_exceeded',
    ],
    [
      'an exceeded monthly limit',
      { terms: { monthLimitMinor: 100_049n } },
      toCard,
      'monthly_payout_limit_exceeded',
    ],
    ['an insufficient balance', { availableMinor: 101_050n }, toCard, 'balance_not_enough'],
  ] as const)('for %s, and changes nothing', async (_why, given, fields, key) => {
    const harness = await payoutHarness(given);
    const before = await itemsOf(harness.table);
    expect(await post(create(harness), form({ ...fields, order_id: 'order-1' }))).toMatchObject(
      refusal(400, key),
    );
    expect(await itemsOf(harness.table)).toEqual(before);
  });

  it('an account that the rail does not reach', async () => {
    const harness = await payoutHarness();
    const rails = { forNew: () => undefined };
    expect(await post(create({ ...harness, rails }), form(toCard))).toMatchObject(
      refusal(400, 'direction_not_available'),
    );
  });

  it.each([
    ['an empty request', {}, ['amount', 'currency', 'account_type', 'account_identifier']],
    [
      'only the type of a card',
      { account_type: 'credit_card' },
      ['amount', 'currency', 'account_identifier', 'card_holder'],
    ],
    [
      'only the type of an account',
      { account_type: 'sbp' },
      ['amount', 'currency', 'account_identifier', 'account_bank'],
    ],
    [
      'every error at once',
      { ...toPhone, order_id: 'x'.repeat(256), account_identifier: card, account_bank: '1' },
      ['account_identifier', 'order_id', 'account_bank'],
    ],
    ['no amount', { ...toCard, amount: '' }, ['amount']],
    ['another currency', { ...toCard, currency: 'USD' }, ['currency']],
    ['another type', { ...toCard, account_type: 'qiwi' }, ['account_type']],
    ['a wrong digit', { ...toCard, account_identifier: '4111111111111112' }, ['account_identifier']],
    ['a phone as a card', { ...toCard, account_identifier: phone }, ['account_identifier']],
    ['no holder', { ...toCard, card_holder: '' }, ['card_holder']],
    ['digits for a holder', { ...toCard, card_holder: '17' }, ['card_holder']],
    ['a card as a phone', { ...toPhone, account_identifier: card }, ['account_identifier']],
    ['no bank', { ...toPhone, account_bank: '' }, ['account_bank']],
    ['a bank of fewer digits', { ...toPhone, account_bank: '10000000011' }, ['account_bank']],
    ['a bank by its name', { ...toPhone, account_bank: 'TBank' }, ['account_bank']],
    ['an overlong order_id', { ...toCard, order_id: 'x'.repeat(256) }, ['order_id']],
    ['a line break in the order_id', { ...toCard, order_id: 'a\nb' }, ['order_id']],
  ])('%s as invalid data, before the merchant is checked', async (_what, fields, named) => {
    const harness = await payoutHarness({ merchant: { banned: true } });
    const before = await itemsOf(harness.table);
    expect(await post(create(harness), form(fields))).toMatchObject(invalid(...named));
    expect(await itemsOf(harness.table)).toEqual(before);
  });

  it('a missing bank or holder in the same words as any missing field', async () => {
    const handler = create(await payoutHarness());
    for (const [fields, field] of [
      [{ ...toPhone, account_bank: '' }, 'account_bank'],
      [{ ...toCard, card_holder: '' }, 'card_holder'],
    ] as const)
      expect(await post(handler, form(fields))).toMatchObject({
        body: { errors: { [field]: [`The ${field} field is required.`] } },
      });
  });

  it('a number that is given twice, whatever else is sent', async () => {
    const handler = create(await payoutHarness());
    const sent = form(toCard);
    const twice = { ...sent, body: `${String(sent.body)}&account_identifier=${card}` };
    expect(await post(handler, twice)).toMatchObject(invalid('account_identifier'));
  });

  it('a bank that is not in the list, with a sentence that says where the list is', async () => {
    const harness = await payoutHarness();
    const before = await itemsOf(harness.table);
    const answer = await post(create(harness), form({ ...toPhone, account_bank: '100000000999' }));
    expect(answer).toMatchObject(invalid('account_bank'));
    expect(JSON.stringify(answer.body)).toContain('payout/dictionaries/sbp_banks: read the list again');
    expect(await itemsOf(harness.table)).toEqual(before);
  });

  it('an order_id or an Idempotency-Key already used with other data, naming it', async () => {
    const handler = create(await payoutHarness());
    const headers = { 'Idempotency-Key': 'key-1' };
    await post(handler, form({ ...toCard, order_id: 'order-1' }));
    await post(handler, form(toCard, { headers }));
    const other = { ...toCard, amount: '1' };
    expect(await post(handler, form({ ...other, order_id: 'order-1' }))).toMatchObject(invalid('order_id'));
    expect(await post(handler, form(other, { headers }))).toMatchObject(invalid('Idempotency-Key'));
  });
});

describe('POST /api/v1/payout/regular/create returns the numbers behind a refusal', () => {
  const used = { amount: '900', order_id: 'before' };

  it.each([
    [
      'the day',
      { dayLimitMinor: 100_000n },
      'daily_payout_limit_exceeded',
      { limit: 1000, used: 900, left: 100, resets_at: '2026-11-22 00:00:00' },
      'The limit is 1000.00: 900.00 is used, 100.00 is left until 2026-11-22 00:00:00.',
    ],
    [
      'the month',
      { monthLimitMinor: 100_000n },
      'monthly_payout_limit_exceeded',
      { limit: 1000, used: 900, left: 100, resets_at: '2026-12-01 00:00:00' },
      'The limit is 1000.00: 900.00 is used, 100.00 is left until 2026-12-01 00:00:00.',
    ],
  ])('of %s', async (_which, terms, key, details, sentence) => {
    const handler = create(await payoutHarness({ terms }));
    await post(handler, form({ ...toCard, ...used }));
    const answer = await post(handler, form({ ...toCard, amount: '100.01' }));
    expect(answer).toMatchObject(refusal(400, key));
    expect(answer.body).toMatchObject({ details, errors: { amount: [sentence] } });
    expect(await post(handler, form({ ...toCard, amount: '100' }))).toMatchObject({ status: 200 });
  });

  it.each([
    ['below the minimum', '0.99'],
    ['of more than ten parts', '5000000.01'],
  ])('of an amount %s', async (_which, amount) => {
    const harness = await payoutHarness({ ...rich, terms: { dayLimitMinor: 10_000_000_000n } });
    const answer = await post(create(harness), form({ ...toCard, amount }));
    expect(answer).toMatchObject(refusal(400, 'invalid_amount'));
    expect(answer.body).toMatchObject({
      details: { minimum: 1, maximum: 5000000, largest_part: 500000, most_parts: 10 },
      errors: {
        amount: [
          'The amount must be from 1.00 to 5000000.00, and go out in at most 10 parts of 1.00 to 500000.00 each.',
        ],
      },
    });
  });

  it('but none for an invalid amount', async () => {
    const answer = await post(create(await payoutHarness()), form({ ...toCard, amount: 'ten' }));
    expect(answer.body).not.toHaveProperty('details');
    expect(answer.body).toMatchObject({ errors: { amount: [expect.stringContaining('digits')] } });
  });
});

describe('an order_id that is the card number of its request', () => {
  it.each([card, '4111 1111 1111 1111', '4111-1111-1111-1111'])('is refused as %s', async (orderId) => {
    const harness = await payoutHarness();
    const before = await itemsOf(harness.table);
    const answer = await post(create(harness), form({ ...toCard, order_id: orderId }));
    expect(answer).toMatchObject(invalid('order_id'));
    expect(JSON.stringify(answer)).not.toContain('1111');
    expect(await itemsOf(harness.table)).toEqual(before);
  });

  it.each(['5555555555554444', `order-${card}`, '1763760000002'])('is not one as %s', async (orderId) => {
    const answer = await post(create(await payoutHarness()), form({ ...toCard, order_id: orderId }));
    expect(answer).toMatchObject({ status: 200 });
  });

  it('returns its payouts where they were created before such ids were refused', async () => {
    const harness = await payoutHarness();
    const identity = {
      merchantId,
      kind: 'regular',
      requested: { amountMinor: 100_050n },
      orderId: card,
    } as const;
    const destination = { type: 'credit_card', number: card, holder: 'IVAN PETROV' } as const;
    const { query, fingerprint } = await identify(harness, {
      ...identity,
      target: { destination },
      autoGroupId: undefined,
      idempotencyKey: undefined,
    });
    const Item = { ...groupKey(query.groupId), groupId: query.groupId, fingerprint };
    const { client, name: TableName } = harness.table;
    await client.send(new PutCommand({ TableName, Item }));
    const payout = aPayout({
      id: newPayoutId(query.groupId, 1),
      groupId: query.groupId,
      merchantId,
      orderId: card,
    });
    await client.send(new PutCommand({ TableName, Item: payoutItem(payout) }));
    const answer = await post(create(harness), form({ ...toCard, order_id: card }));
    expect(answer).toMatchObject({ status: 200, body: { data: [{ id: payout.id }] } });
  });
});
