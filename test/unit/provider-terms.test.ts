import { afterEach, describe, expect, it, vi } from 'vitest';
import { sandboxOnly } from '../../lib/installation/environments.ts';
import { chargeLimits, railLimits } from '../../lib/runtime/provider-terms.ts';

/** The environment variables of a function, as the template sets them. */
function told(variables: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, JSON.stringify(value));
}

afterEach(() => vi.unstubAllEnvs());

const yookassa = {
  apiUrl: 'https://api.yookassa.ru/v3',
  payments: {
    card: { RUB: { minMinor: 100, maxMinor: 35_000_000 }, EUR: { minMinor: 100, maxMinor: 500 } },
    sbp: { RUB: { minMinor: 100, maxMinor: 70_000_000 } },
  },
  payouts: { sbp: { minMinor: 200, maxMinor: 50_000_000 } },
};
const { sandbox } = sandboxOnly.providers;

describe('the charges that are taken', () => {
  it('are those of the methods that the record names, each with the limits of its provider', () => {
    told({
      PAYMENT_ROUTES: { card: { RUB: 'yookassa', KZT: 'sandbox' }, sbp: { RUB: 'yookassa' } },
      YOOKASSA_SETTINGS: yookassa,
      SANDBOX_SETTINGS: sandbox,
    });
    expect(chargeLimits().rangesIn('RUB')).toEqual([
      { minMinor: 100n, maxMinor: 35_000_000n },
      { minMinor: 100n, maxMinor: 70_000_000n },
    ]);
    expect(chargeLimits().rangesIn('KZT')).toEqual([{ minMinor: 1n, maxMinor: 99_999_999_999n }]);
  });

  it('are none in a currency that the record names for no method, also where a provider has limits for it', () => {
    told({ PAYMENT_ROUTES: { card: { RUB: 'yookassa' } }, YOOKASSA_SETTINGS: yookassa });
    expect(chargeLimits().rangesIn('EUR')).toEqual([]);
  });

  it.each([[{}], [{ card: {} }]])('are not known where the record names no provider: %j', (routes) => {
    told({ PAYMENT_ROUTES: routes, SANDBOX_SETTINGS: sandbox });
    expect(chargeLimits().rangesIn('RUB')).toBeUndefined();
  });
});

describe('the limits of a payout', () => {
  it('are those of the rail that the record names for its account type', () => {
    told({
      PAYOUT_ROUTES: { sbp: 'yookassa' },
      YOOKASSA_SETTINGS: yookassa,
      SANDBOX_SETTINGS: sandbox,
    });
    expect(railLimits().forNew('sbp')?.limits('sbp')).toEqual({ minMinor: 200n, maxMinor: 50_000_000n });
    expect(railLimits().forNew('credit_card')).toBeUndefined();
  });
});
