import { describe, expect, it } from 'vitest';
import { create } from '../../functions/payout-status.ts';
import { toMerchantId, toPayoutId } from '../../lib/ids.ts';
import { dispatchPayout } from '../../lib/payout/dispatch-payout.ts';
import { approvePayout, declinePayout } from '../../lib/payout/moderate.ts';
import { aCaller, get, invalid, json, refusal } from '../support/api-event.ts';
import { recordReturn } from '../../lib/payout/record-return.ts';
import { created, createdParts, payoutHarness, phone, toPhone } from '../support/payout-harness.ts';

const by = 'olga';

describe('GET /api/v1/payout/status', () => {
  it('returns the payout of the id', async () => {
    const harness = await payoutHarness();
    const { id } = await created(harness, { amount: '1000.50' });
    expect(await get(create(harness), { query: { id } })).toMatchObject({
      status: 200,
      body: {
        id,
        status: 'MODERATING',
        amount: 1000.5,
        commission: 10.01,
        account_identifier: '411111******1111',
        currency: 'RUB',
        created_at: '2026-11-21 12:34:56',
        amount_sent: 0,
        amount_returned: 0,
        success: true,
      },
    });
  });

  it('returns the payout of the order_id', async () => {
    const harness = await payoutHarness();
    const { id } = await created(harness, { orderId: 'Заказ №1' });
    const answer = await get(create(harness), { query: { order_id: 'Заказ №1' } });
    expect(answer).toMatchObject({ status: 200, body: { id, amount: 1000 } });
    expect(answer.body).not.toHaveProperty('data');
  });

  it('shows a split order as a whole with its parts: the least advanced status, the sums, the first id', async () => {
    const harness = await payoutHarness({ availableMinor: 100_000_000n });
    const order = { amount: '500000.50', destination: toPhone, orderId: 'order-1' };
    const [first, second] = await createdParts(harness, order);
    const decision = { payoutId: toPayoutId(first?.id ?? ''), revision: 1, by };
    await approvePayout(harness, decision);
    await dispatchPayout(harness, decision.payoutId);

    const answer = await get(create(harness), { query: { order_id: 'order-1' } });

    expect(answer.body).toMatchObject({
      id: first?.id,
      status: 'MODERATING',
      amount: 500000.5,
      commission: 5000.01,
      amount_sent: 499999.5,
      amount_returned: 0,
      account_identifier: '7******6789',
      data: [
        { id: first?.id, status: 'SUCCESS', amount: 499999.5, commission: 5000 },
        { id: second?.id, status: 'MODERATING', amount: 1, commission: 0.01 },
      ],
    });
    expect(JSON.stringify(answer)).not.toContain(phone);
  });

  it('shows ERROR for a split that was paid in part, with the amounts paid and returned', async () => {
    const harness = await payoutHarness({ availableMinor: 100_000_000n });
    const order = { amount: '500000.50', destination: toPhone, orderId: 'order-1' };
    const [first, second] = await createdParts(harness, order);
    await approvePayout(harness, { payoutId: toPayoutId(first?.id ?? ''), revision: 1, by });
    await dispatchPayout(harness, toPayoutId(first?.id ?? ''));
    await declinePayout(harness, { payoutId: second?.id, revision: 1, by, reason: 'no' });
    const answer = await get(create(harness), { query: { order_id: 'order-1' } });
    expect(answer.body).toMatchObject({
      status: 'ERROR',
      amount: 500000.5,
      amount_sent: 499999.5,
      amount_returned: 1,
      data: [{ status: 'SUCCESS' }, { status: 'DECLINED' }],
    });
  });

  it('counts a payout returned after it was paid as returned, without the fee', async () => {
    const harness = await payoutHarness({ terms: { commissionPayer: 'recipient' } });
    const { id } = await created(harness, { amount: '100' });
    await approvePayout(harness, { payoutId: id, revision: 1, by });
    await dispatchPayout(harness, id);
    expect((await get(create(harness), { query: { id } })).body).toMatchObject({
      amount_sent: 100,
      amount_returned: 0,
    });
    const { revision = 0 } = (await harness.payouts.find(id)) ?? {};
    await recordReturn(harness, { payoutId: id, revision, by, approvedBy: 'petr', evidence: 'statement' });
    expect((await get(create(harness), { query: { id } })).body).toMatchObject({
      status: 'SUCCESS',
      amount_sent: 0,
      amount_returned: 99,
    });
  });

  it('accepts payout_id for id, and prefers id', async () => {
    const harness = await payoutHarness();
    const { id } = await created(harness);
    const query = { payout_id: id };
    expect(await get(create(harness), { query })).toMatchObject({ status: 200, body: { id } });
    const both = { ...query, id: `${'0'.repeat(20)}01` };
    expect(await get(create(harness), { query: both })).toMatchObject(refusal(422, 'payout_not_found'));
  });

  it('shows one part of a split by its own id', async () => {
    const harness = await payoutHarness({ availableMinor: 100_000_000n });
    const [, second] = await createdParts(harness, { amount: '500000.50', destination: toPhone });
    const answer = await get(create(harness), { query: { id: second?.id ?? '' } });
    expect(answer.body).toMatchObject({ id: second?.id, amount: 1 });
    expect(answer.body).not.toHaveProperty('data');
  });

  it('reads the id from a JSON body that the query lacks', async () => {
    const harness = await payoutHarness();
    const { id } = await created(harness);
    expect(await get(create(harness), json({ id }))).toMatchObject({ status: 200, body: { id } });
  });

  it.each([
    ['merchant_banned', { banned: true }],
    ['merchant_subscription_inactive', { subscription: 'inactive' as const }],
    ['merchant_subscription_not_found', { subscription: 'none' as const }],
  ])('refuses with %s before it reads the payout', async (key, flags) => {
    const harness = await payoutHarness();
    const sent = { query: { id: 'x' }, caller: aCaller(flags) };
    expect(await get(create(harness), sent)).toMatchObject(refusal(403, key));
  });

  it.each([
    ['an unknown id', { id: `${'0'.repeat(20)}01` }],
    ['a malformed id', { id: '\u0000 ¿' }],
    ['an overlong id', { id: 'x'.repeat(5000) }],
    ['an unknown order', { order_id: 'order-1' }],
    ['an overlong order', { order_id: 'x'.repeat(5000) }],
  ])('does not find %s', async (_what, query) => {
    const harness = await payoutHarness();
    expect(await get(create(harness), { query })).toMatchObject(refusal(422, 'payout_not_found'));
  });

  it("does not find another merchant's payout, by its id or its order", async () => {
    const harness = await payoutHarness();
    const { id } = await created(harness, { orderId: 'order-1' });
    const caller = aCaller({ merchantId: toMerchantId('AnotherMerchant1') });
    const queries: readonly Readonly<Record<string, string>>[] = [{ id }, { order_id: 'order-1' }];
    for (const query of queries) {
      expect(await get(create(harness), { query, caller })).toMatchObject(refusal(422, 'payout_not_found'));
    }
  });

  it('requires one of id and order_id', async () => {
    const either = ['One of id and order_id is required.'];
    const answer = await get(create(await payoutHarness()));
    expect(answer).toMatchObject(invalid('id', 'order_id'));
    expect(answer.body).toMatchObject({ errors: { id: either, order_id: either } });
  });
});
