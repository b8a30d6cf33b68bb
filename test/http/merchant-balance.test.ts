import { describe, expect, it } from 'vitest';
import { create } from '../../functions/merchant-balance.ts';
import { apiDeps, paid } from '../support/api-deps.ts';
import { aCaller, get, json, refusal } from '../support/api-event.ts';
import { aBill, aPayment, paymentId } from '../support/builders.ts';

const nothing = {
  balance_available: '0.00000000',
  balance_locked: '0.00000000',
  balance_hold: '0.00000000',
  balance_reserved: '0.00000000',
};

describe('GET /api/v1/merchant/balance', () => {
  it('returns zero in each currency at first', async () => {
    expect(await get(create(await apiDeps()))).toMatchObject({
      status: 200,
      body: {
        success: 'true',
        balances: [
          { currency: 'RUB', ...nothing },
          { currency: 'USD', ...nothing },
          { currency: 'EUR', ...nothing },
        ],
      },
    });
  });

  it('returns a payment’s amount less its fee', async () => {
    const deps = await apiDeps({ bills: [aBill()], payments: [aPayment()] });
    await paid(deps, paymentId);
    const { balances } = (await get(create(deps))).body;
    expect(balances).toContainEqual({ currency: 'RUB', ...nothing, balance_available: '98.49000000' });
  });

  it('returns a rolling reserve apart from what is available', async () => {
    const reserveTerms = { basisPoints: 1_000, days: 90 };
    const deps = await apiDeps({ bills: [aBill()], payments: [aPayment({ reserveTerms })] });
    await paid(deps, paymentId);
    const { balances } = (await get(create(deps))).body;
    expect(balances).toContainEqual({
      currency: 'RUB',
      ...nothing,
      balance_available: '88.65000000',
      balance_reserved: '9.84000000',
    });
  });

  it('ignores parameters and bodies', async () => {
    expect(
      await get(create(await apiDeps()), json({ id: ['x'] }, { query: { id: ['1', '2'] } })),
    ).toMatchObject({ status: 200 });
  });
});

describe('GET /api/v1/merchant/balance refuses', () => {
  it.each([
    ['a banned merchant', aCaller({ banned: true, subscription: 'none' }), 'merchant_banned'],
    ['an inactive subscription', aCaller({ subscription: 'inactive' }), 'merchant_subscription_inactive'],
    ['no subscription', aCaller({ subscription: 'none' }), 'merchant_subscription_not_found'],
  ])('%s', async (_what, caller, key) => {
    expect(await get(create(await apiDeps()), { caller })).toMatchObject(refusal(403, key));
  });
});
