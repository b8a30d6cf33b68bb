import { afterEach, describe, expect, it, vi } from 'vitest';
import { environments } from '../../lib/installation/environments.ts';
import { cardTestingLimits, termsFrom } from '../../lib/runtime/settings.ts';
import { timeZone } from '../../lib/runtime/system.ts';

const { terms, limits } = environments.prod;

afterEach(() => void vi.unstubAllEnvs());

describe('the settings of a function', () => {
  it.each([
    ['a fee of half a basis point', { paymentFee: { ...terms.paymentFee, bps: 2.5 } }],
    ['a fee of more than everything', { payoutFee: { ...terms.payoutFee, bps: 10_001 } }],
    ['a negative fee, which would create money', { paymentFee: { ...terms.paymentFee, bps: -1 } }],
    ['a negative fixed fee', { payoutFee: { ...terms.payoutFee, fixedMinor: -1 } }],
    ['a reserve of more than everything', { reserveBasisPoints: 10_001 }],
    ['a reserve of half a day', { reserveDays: 0.5 }],
    ['a negative limit', { dayLimitMinor: -1 }],
  ])('are refused when they are read: %s', (_what, changed) => {
    expect(() => termsFrom({ ...terms, ...changed }, 'RUB')).toThrow();
    expect(termsFrom(terms, 'RUB')).toMatchObject({ currency: 'RUB' });
  });

  it('are refused when no attempt to pay would be left', () => {
    vi.stubEnv('LIMITS', JSON.stringify({ ...limits, failuresPerDay: 0 }));
    expect(cardTestingLimits).toThrow();
    vi.stubEnv('LIMITS', JSON.stringify(limits));
    expect(cardTestingLimits()).toEqual(limits);
  });

  it('have no default time zone: days and timestamps in another one would be other days', () => {
    vi.stubEnv('TIME_ZONE', '');
    expect(timeZone).toThrow('TIME_ZONE');
  });
});
