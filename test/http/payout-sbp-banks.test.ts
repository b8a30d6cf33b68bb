import { describe, expect, it } from 'vitest';
import { create } from '../../functions/payout-sbp-banks.ts';
import { builtInBanks } from '../../lib/payout/sbp-banks.ts';
import { aCaller, get, refusal } from '../support/api-event.ts';

const deps = {
  activeBanks: async () => builtInBanks,
  log: () => undefined,
  publicUrl: undefined,
};

describe('GET /api/v1/payout/dictionaries/sbp_banks', () => {
  it('lists the active banks, the BIC as text with all its digits', async () => {
    const { status, body } = await get(create(deps));
    expect(status).toBe(200);
    expect(body['success']).toBe(true);
    expect(body['data']).toHaveLength(207);
    expect(body['data']).toContainEqual({
      member_id: 100000000004,
      name: 'Т-Банк',
      name_en: 'TBank',
      bic: '044525974',
    });
  });

  it('refuses a banned merchant, and no other', async () => {
    expect(await get(create(deps), { caller: aCaller({ banned: true }) })).toMatchObject(
      refusal(403, 'merchant_banned'),
    );
    const caller = aCaller({ subscription: 'none', verified: false, enabled: false });
    expect(await get(create(deps), { caller })).toMatchObject({ status: 200 });
  });
});
