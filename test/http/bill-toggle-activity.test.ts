import { describe, expect, it } from 'vitest';
import { create } from '../../functions/bill-toggle-activity.ts';
import { toBillId, toMerchantId } from '../../lib/ids.ts';
import { apiDeps, paid } from '../support/api-deps.ts';
import { aCaller, form, invalid, json, multipart, post, refusal, type Sent } from '../support/api-event.ts';
import { aBill, aPayment, billId, paymentId, today } from '../support/builders.ts';
import { itemsOf } from '../support/items-of.ts';

const off = { id: billId, active: '0' };

describe('POST /api/v1/bill/toggle_activity', () => {
  it('switches the link off and returns the bill', async () => {
    const deps = await apiDeps({ bills: [aBill()] });

    expect(await post(create(deps), form(off))).toMatchObject({
      status: 200,
      body: {
        success: true,
        id: billId,
        active: false,
        activity: 'false',
        status: 'NEW',
        amount: 100.5,
        type: 'NORMAL',
        created_at: '2026-11-21 12:34:56',
        currency_in: 'RUB',
      },
    });
    expect(await deps.bills.find(billId)).toMatchObject({ active: false });
  });

  it('switches it on again', async () => {
    const deps = await apiDeps({ bills: [aBill({ active: false })] });
    const answer = await post(create(deps), form({ ...off, active: '1' }));
    expect(answer.body).toMatchObject({ active: true, activity: 'true' });
    expect(await deps.bills.find(billId)).toMatchObject({ active: true });
  });

  it('accepts the state that it already has', async () => {
    const deps = await apiDeps({ bills: [aBill({ active: false })] });
    expect(await post(create(deps), form(off))).toMatchObject({ status: 200, body: { active: false } });
  });

  it.each([
    ['1', true],
    ['true', true],
    ['True', true],
    ['yes', true],
    ['ON', true],
    ['0', false],
    ['false', false],
    ['No', false],
    ['off', false],
  ])('reads the flag %s', async (active, is) => {
    const deps = await apiDeps({ bills: [aBill({ active: !is })] });
    expect((await post(create(deps), form({ id: billId, active }))).body).toMatchObject({ active: is });
  });

  it.each([
    ['multipart', multipart(off)],
    ['JSON', json({ id: billId, active: 0 })],
    ['JSON with a boolean', json({ id: billId, active: false })],
    ['the query alone', { query: off }],
    ['half a body, half a query', form({ active: '0' }, { query: { id: billId } })],
  ] satisfies [string, Sent][])('takes %s', async (_what, sent) => {
    const deps = await apiDeps({ bills: [aBill()] });
    expect(await post(create(deps), sent)).toMatchObject({ status: 200, body: { active: false } });
  });

  it('lets a payment in progress continue, and shows its bill as it is', async () => {
    const deps = await apiDeps({ bills: [aBill()], payments: [aPayment()] });
    expect((await post(create(deps), form(off))).body).toMatchObject({ active: false, status: 'PROCESS' });
    expect(await deps.bills.find(billId)).toMatchObject({ current: paymentId, status: 'PROCESS' });
  });

  it('switches a paid MULTI bill off and on', async () => {
    const deps = await apiDeps({
      bills: [aBill({ type: 'MULTI' })],
      payments: [aPayment({ billType: 'MULTI' })],
    });
    await paid(deps, paymentId);
    expect(await post(create(deps), form(off))).toMatchObject({ status: 200, body: { type: 'MULTI' } });
  });

  it.each(['0', '1'])(
    'shows an expired unpaid bill as failed and not active, for active=%s',
    async (active) => {
      const deps = await apiDeps({ bills: [aBill({ expiresAt: today })] });
      expect((await post(create(deps), form({ ...off, active }))).body).toMatchObject({
        status: 'FAIL',
        active: false,
        activity: 'false',
      });
    },
  );
});

describe('POST /api/v1/bill/toggle_activity refuses', () => {
  const others = aBill({ id: toBillId('OthersOthersBill'), merchantId: toMerchantId('AnotherMerchant1') });

  it.each([
    ['a banned merchant', form(off, { caller: aCaller({ banned: true }) }), 403, 'merchant_banned'],
    [
      'an inactive subscription',
      form(off, { caller: aCaller({ subscription: 'inactive' }) }),
      403,
      'merchant_subscription_inactive',
    ],
    [
      'no subscription',
      form(off, { caller: aCaller({ subscription: 'none' }) }),
      403,
      'merchant_subscription_not_found',
    ],
    ['a missing bill', form({ ...off, id: 'NoSuchBillAtAll0' }), 422, 'bill_not_found'],
    ['an invalid id', form({ ...off, id: '¿\0?' }), 422, 'bill_not_found'],
    ['an endless id', form({ ...off, id: 'x'.repeat(5000) }), 422, 'bill_not_found'],
    ["another merchant's bill", form({ ...off, id: others.id }), 422, 'bill_not_found'],
  ])('%s', async (_what, sent, status, key) => {
    const deps = await apiDeps({ bills: [aBill(), others] });
    const before = await itemsOf(deps.table);
    expect(await post(create(deps), sent)).toMatchObject(refusal(status, key));
    expect(await itemsOf(deps.table)).toEqual(before);
  });

  it('a NORMAL bill that is paid', async () => {
    const deps = await apiDeps({ bills: [aBill()], payments: [aPayment()] });
    await paid(deps, paymentId);
    const before = await itemsOf(deps.table);
    expect(await post(create(deps), form(off))).toMatchObject(refusal(403, 'bill_is_finished'));
    expect(await itemsOf(deps.table)).toEqual(before);
  });

  it("another merchant's paid bill as missing", async () => {
    const deps = await apiDeps({ bills: [aBill()], payments: [aPayment()] });
    await paid(deps, paymentId);
    const caller = aCaller({ merchantId: toMerchantId('AnotherMerchant1') });
    expect(await post(create(deps), form(off, { caller }))).toMatchObject(refusal(422, 'bill_not_found'));
  });

  it.each([
    ['no id', form({ active: '1' }), 'id'],
    ['no flag', form({ id: billId }), 'active'],
    ['another flag', form({ ...off, active: '2' }), 'active'],
    ['nothing', {}, 'active id'],
    ['an id given twice', { query: { ...off, id: [billId, billId] } }, 'id'],
    ['an unreadable body', { headers: { 'Content-Type': 'text/xml' }, body: '<id/>' }, 'body'],
  ] satisfies [string, Sent, string][])('%s as invalid data', async (_what, sent, fields) => {
    expect(await post(create(await apiDeps({ bills: [aBill()] })), sent)).toMatchObject(
      invalid(...fields.split(' ')),
    );
  });
});
