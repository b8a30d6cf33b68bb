import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { create as personalCreate } from '../../functions/payout-personal-create.ts';
import { create } from '../../functions/payout-quote.ts';
import { create as regularCreate } from '../../functions/payout-regular-create.ts';
import { toDecimal } from '../../lib/money/money.ts';
import { setPayoutAccount } from '../../lib/payout/payout-accounts.ts';
import { aCaller, form, invalid, json, post } from '../support/api-event.ts';
import { merchantId } from '../support/builders.ts';
import { itemsOf } from '../support/items-of.ts';
import { balanceOf, card, phone } from '../support/payout-harness.ts';
import { type ServiceHarness, serviceHarness } from '../support/service-harness.ts';

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

const quoted = (harness: ServiceHarness, fields: Readonly<Record<string, string>>) =>
  post(create(harness), form(fields));

describe('POST /api/v1/payout/quote', () => {
  it('returns the parts, what leaves the balance, what arrives, both limits, and that a person must approve', async () => {
    const harness = await serviceHarness({ availableMinor: 200_000_000n });
    await post(regularCreate(harness), form({ ...toPhone, amount: '1000' }));
    const answer = await quoted(harness, { ...toCard, amount: '500000.50' });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.headers).not.toHaveProperty('Idempotency-Replayed');
    expect(answer.body).toEqual({
      data: [
        { amount: 499999.5, commission: 5000, balance_amount: 504999.5, recipient_amount: 499999.5 },
        { amount: 1, commission: 0.01, balance_amount: 1.01, recipient_amount: 1 },
      ],
      amount: 500000.5,
      commission: 5000.01,
      balance_amount: 505000.51,
      recipient_amount: 500000.5,
      currency: 'RUB',
      account_type: 'credit_card',
      account_identifier: '411111******1111',
      commission_payer: 'sender',
      approval_required: true,
      approval_reason: 'review',
      already_created: false,
      limits: {
        day: { limit: 1000000, used: 1000, left: 999000, resets_at: '2026-11-22 00:00:00' },
        month: { limit: 10000000, used: 1000, left: 9999000, resets_at: '2026-12-01 00:00:00' },
      },
      success: true,
    });
    expect(JSON.stringify(answer)).not.toContain(card);
  });

  it('tells that a rule would release it', async () => {
    const harness = await serviceHarness({ terms: { autoApproveUpToMinor: 200_000n } });
    const { body } = await quoted(harness, toCard);
    expect(body).toMatchObject({ approval_required: false });
    expect(body).not.toHaveProperty('approval_reason');
  });

  it('tells of a possible duplicate, unless the request is named', async () => {
    const harness = await serviceHarness();
    await post(regularCreate(harness), form(toCard));
    expect((await quoted(harness, toCard)).body).toMatchObject({ approval_reason: 'possible_duplicate' });
    const named = await quoted(harness, { ...toCard, order_id: 'order-1' });
    expect(named.body).toMatchObject({ approval_reason: 'review' });
  });

  it('shows the payouts of an order that exists, as a creation returns them', async () => {
    const harness = await serviceHarness();
    await post(regularCreate(harness), form({ ...toCard, order_id: 'order-1' }));
    const before = await itemsOf(harness.table);
    const answer = await post(
      create(harness),
      form({ ...toCard, order_id: 'order-1' }, { headers: { 'idempotency-key': 'key-1' } }),
    );
    expect(answer.headers).toMatchObject({ 'Idempotency-Replayed': 'true' });
    expect(answer.body).toMatchObject({ already_created: true, amount: 1000.5, balance_amount: 1010.51 });
    expect(await itemsOf(harness.table)).toEqual(before);
  });

  it('needs the grant for the fields of a regular payout alone, before they are checked', async () => {
    const harness = await serviceHarness({ merchant: { regularPayouts: false } });
    const caller = aCaller({ regularPayouts: false });
    const regular = await post(create(harness), form({ ...toCard, amount: '' }, { caller }));
    expect(regular).toMatchObject({ status: 403, body: { message: 'This action is unauthorized' } });
    const personal = { amount: '10', payout_account_id: harness.accountId };
    expect(await post(create(harness), form(personal, { caller }))).toMatchObject({ status: 200 });
  });

  it('asks for the fields of one of the two creations', async () => {
    const harness = await serviceHarness();
    const both = await quoted(harness, { ...toCard, payout_account_id: harness.accountId });
    expect(both).toMatchObject(invalid('payout_account_id'));
    const neither = await quoted(harness, { amount: '10', currency: 'RUB' });
    expect(neither.body['errors']).toMatchObject({
      payout_account_id: ['Send either payout_account_id, or account_type and its fields.'],
      account_type: ['The account_type field is required.'],
    });
  });

  it.each([
    ['no field', {}],
    ['wrong fields', { ...toCard, currency: 'USD', account_identifier: '4111', card_holder: '1' }],
    ['a list', { ...toCard, order_id: ['a', 'b'] }],
    ['an order_id with a line break', { ...toPhone, order_id: 'a\nb', account_bank: 'x' }],
  ])('finds in a request with %s what the creation finds', async (_name, fields) => {
    const harness = await serviceHarness();
    const ofCreation = await post(regularCreate(harness), json(fields));
    expect(ofCreation.status).toBe(422);
    const ofQuote = await post(create(harness), json(fields));
    expect(ofQuote.status).toBe(422);
    expect(ofQuote.body['errors']).toMatchObject(Object(ofCreation.body['errors']));
  });

  it('answers as the creation that follows it, in random sequences, and writes, seals and queues nothing', async () => {
    const harness = await serviceHarness({
      availableMinor: 120_000_000n,
      terms: { autoApproveUpToMinor: 100_000n, autoApproveDayTotalMinor: 500_000n },
    });
    const unsealed = {
      ...harness,
      destinationSealer: { seal: () => Promise.reject(new Error('A quote seals nothing')) },
      payoutQueue: { send: () => Promise.reject(new Error('A quote queues nothing')) },
    };
    const { accountId } = harness;
    const steps = fc.record({
      amount: fc.oneof(
        fc.integer({ min: 100, max: 200_000 }).map((minor) => toDecimal(BigInt(minor))),
        fc.constantFrom('1000', '300000', '600000', '0', '99999999.99'),
      ),
      to: fc.constantFrom(toCard, toPhone, { ...toPhone, account_bank: '100000000001' }, 'account' as const),
      order: fc.constantFrom({}, {}, { order_id: 'order-1' }, { order_id: 'order-2' }, { order_id: card }),
      key: fc.constantFrom({}, {}, { 'idempotency-key': 'key-1' }),
      banned: fc.constantFrom(false, false, false, true),
    });
    const statuses = new Set<number>();
    const run = fc.asyncProperty(steps, async ({ amount, to, order, key, banned }) => {
      await setPayoutAccount(harness, { merchantId, accountId, banned });
      const isPersonal = to === 'account';
      const fields = isPersonal ? { amount, payout_account_id: accountId } : { ...to, amount };
      const request = form({ ...fields, ...order }, { headers: key });
      const before = await itemsOf(harness.table);
      const { available } = await balanceOf(harness.table);

      const quote = await post(create(unsealed), request);
      expect(await itemsOf(harness.table)).toEqual(before);

      const made = await post((isPersonal ? personalCreate : regularCreate)(harness), request);
      statuses.add(made.status);
      expect(quote.status).toBe(made.status);
      if (made.status !== 200) {
        expect(quote.body).toEqual(made.body);
        return;
      }
      expect(quote.headers['Idempotency-Replayed']).toBe(made.headers['Idempotency-Replayed']);
      const { data } = made.body;
      expect(data).toMatchObject(
        [quote.body['data']].flat().map((part) => {
          const { amount: share, commission } = Object(part);
          return { amount: share, commission, account_identifier: quote.body['account_identifier'] };
        }),
      );
      expect(JSON.stringify(data).includes('MODERATING')).toBe(quote.body['approval_required']);
      const debit = available - (await balanceOf(harness.table)).available;
      const expected = quote.body['already_created']
        ? '0.00'
        : Number(quote.body['balance_amount']).toFixed(2);
      expect(toDecimal(debit)).toBe(expected);
    });
    await fc.assert(run, { numRuns: 40, endOnFailure: true });
    expect([...statuses].toSorted((a, b) => a - b)).toEqual([200, 400, 422]);
  });
});
