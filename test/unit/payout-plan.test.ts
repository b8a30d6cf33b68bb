import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toAccountId, toMerchantId } from '../../lib/ids.ts';
import { localTime } from '../../lib/payout/calendar.ts';
import { debitOf } from '../../lib/payout/cost.ts';
import { type Intent, type PlanRefusal, plan, whyNoAccess } from '../../lib/payout/plan.ts';
import type { CreationContext } from '../../lib/payout/ports.ts';
import type { RailLimits } from '../../lib/payout/payout-rail.ts';
import { environments } from '../../lib/installation/environments.ts';
import { termsFrom } from '../../lib/runtime/settings.ts';
import { payingFlags, payoutTerms } from '../support/payouts.ts';

const today = localTime(new Date('2026-11-21T12:00:00Z'), 'UTC');
const railLimitedTo = (limits: RailLimits | undefined) => ({ forNew: () => ({ limits: () => limits }) });
const rail = railLimitedTo({ minMinor: 100n, maxMinor: 50_000_000n });
const destination = { type: 'credit_card', number: '4111111111111111', holder: 'IVAN PETROV' } as const;
const account = {
  id: toAccountId('AccountOfPhone01'),
  merchantId: toMerchantId('MerchantMerchant'),
  type: 'sbp',
  currency: 'RUB',
  mask: '7******6789',
  destination: { sealed: 'sealed' },
  numberHash: undefined,
  banned: false,
  available: true,
  createdAt: new Date(0),
} as const;

const aContext = (given: Partial<CreationContext> = {}): CreationContext => ({
  flags: payingFlags,
  terms: payoutTerms(),
  availableMinor: 1_000_000n,
  usage: { day: undefined, dayTotal: 0n, month: undefined, monthTotal: 0n, byRule: undefined },
  account,
  numberBanned: false,
  ofOrder: undefined,
  ofKey: undefined,
  accountKnown: false,
  duplicateSeen: false,
  ...given,
});
const regular = (amountMinor: bigint | undefined): Intent => ({
  target: { destination },
  requested: { amountMinor },
});
const personal: Intent = {
  target: { accountId: account.id },
  requested: { amountMinor: 10_000n },
};
const refusalOf = (context: CreationContext, intent: Intent) => {
  const planned = plan(context, intent, rail, today);
  return planned.ok ? undefined : planned.error;
};

describe('a fee that takes the whole payout', () => {
  it('refuses every amount, and names no range', () => {
    const terms = payoutTerms({
      commissionPayer: 'recipient',
      payoutFee: { bps: 10_000, fixedMinor: 0n, minimumMinor: 0n },
    });
    expect(plan(aContext({ terms }), regular(5_000n), rail, today)).toEqual({
      ok: false,
      error: 'invalid_amount',
    });
  });
});

describe('the order of refusals', () => {
  const wrong: readonly (readonly [PlanRefusal, Partial<CreationContext>])[] = [
    ['unauthorized_action', { flags: { ...payingFlags, regularPayouts: false } }],
    ['merchant_not_found', { flags: undefined }],
    ['merchant_banned', { flags: { ...payingFlags, banned: true, verified: false, subscription: 'none' } }],
    [
      'merchant_subscription_inactive',
      { flags: { ...payingFlags, verified: false, subscription: 'inactive' } },
    ],
    ['merchant_subscription_not_found', { flags: { ...payingFlags, verified: false, subscription: 'none' } }],
    ['merchant_not_verified', { flags: { ...payingFlags, verified: false } }],
  ];

  it.each(wrong)('has %s', (refusal, given) => {
    expect(whyNoAccess(aContext(given), 'regular')).toBe(refusal);
  });

  it('lets a personal payout be made without access to regular ones', () => {
    const flags = { ...payingFlags, regularPayouts: false };
    expect(whyNoAccess(aContext({ flags }), 'personal')).toBeUndefined();
  });

  it.each([
    ['payout_account_not_found', undefined],
    ['payout_account_banned', { ...account, banned: true, available: false }],
    ['direction_not_available', { ...account, available: false }],
    ['direction_not_available', { ...account, currency: 'USD' as const }],
  ])('puts %s before the amount', (refusal, stored) => {
    const intent = { ...personal, requested: { amountMinor: undefined } };
    expect(refusalOf(aContext({ account: stored }), intent)).toBe(refusal);
  });

  it('is direction_not_available where the rail does not reach', () => {
    const nowhere = railLimitedTo(undefined);
    expect(plan(aContext(), regular(10_000n), nowhere, today)).toEqual({
      ok: false,
      error: 'direction_not_available',
    });
  });

  it('puts the amount before the limits, the day before the month, the limits before the balance', () => {
    const tight = payoutTerms({ dayLimitMinor: 500n, monthLimitMinor: 400n });
    const poor = aContext({ terms: tight, availableMinor: 0n });
    expect(refusalOf(poor, regular(undefined))).toBe('invalid_amount');
    expect(refusalOf(poor, regular(99n))).toBe('invalid_amount');
    expect(refusalOf(poor, regular(501n))).toBe('daily_payout_limit_exceeded');
    expect(refusalOf(poor, regular(401n))).toBe('monthly_payout_limit_exceeded');
    expect(refusalOf(poor, regular(400n))).toBe('balance_not_enough');
  });

  it('counts the fee: the balance must hold both, to the kopeck', () => {
    expect(refusalOf(aContext({ availableMinor: 101_000n }), regular(100_000n))).toBeUndefined();
    expect(refusalOf(aContext({ availableMinor: 100_999n }), regular(100_000n))).toBe('balance_not_enough');
  });
});

describe('the rules of moderation', () => {
  const ruleOf = (given: Partial<CreationContext>, amountMinor: bigint) => {
    const planned = plan(
      aContext({ availableMinor: 10_000_000_000n, ...given }),
      regular(amountMinor),
      rail,
      today,
    );
    return planned.ok && planned.value.ruleUse?.rule;
  };

  it('release nothing unless the merchant has one', () =>
    expect(ruleOf({ accountKnown: true }, 100n)).toBeUndefined());

  it('release up to an amount, counting the whole of a split', () => {
    const terms = payoutTerms({ autoApproveUpToMinor: 60_000_000n });
    expect(ruleOf({ terms }, 60_000_000n)).toBe('auto_approve_up_to');
    expect(ruleOf({ terms }, 60_000_001n)).toBeUndefined();
  });

  it('release to a known account, up to a ceiling of its own', () => {
    const terms = payoutTerms({ autoApproveKnownUpToMinor: 60_000_000n });
    expect(ruleOf({ terms, accountKnown: true }, 60_000_000n)).toBe('auto_approve_known_accounts');
    expect(ruleOf({ terms, accountKnown: true }, 60_000_001n)).toBeUndefined();
    expect(ruleOf({ terms, accountKnown: false }, 100n)).toBeUndefined();
  });

  it('release no more than a daily total each, to the kopeck, and the full total the next day', () => {
    const terms = payoutTerms({
      autoApproveUpToMinor: 500n,
      autoApproveDayTotalMinor: 1_000n,
      autoApproveKnownUpToMinor: 700n,
      autoApproveKnownDayTotalMinor: 2_000n,
    });
    const used = (total: bigint, known: bigint, day: string = today.day) => ({
      terms,
      accountKnown: true,
      usage: {
        day: undefined,
        dayTotal: 0n,
        month: undefined,
        monthTotal: 0n,
        byRule: {
          auto_approve_up_to: { day, total },
          auto_approve_known_accounts: { day, total: known },
        },
      },
    });
    expect(ruleOf(used(500n, 0n), 500n)).toBe('auto_approve_up_to');
    expect(ruleOf(used(501n, 0n), 500n)).toBe('auto_approve_known_accounts');
    expect(ruleOf(used(501n, 1_500n), 500n)).toBe('auto_approve_known_accounts');
    expect(ruleOf(used(501n, 1_501n), 500n)).toBeUndefined();
    expect(ruleOf(used(1_000n, 2_000n, '2026-11-20'), 500n)).toBe('auto_approve_up_to');
  });

  it('release nothing until a ceiling and a total are set', () => {
    const { terms: defaults } = environments.prod;
    const unset = termsFrom(defaults, 'RUB');
    const ceilings = { ...unset, autoApproveUpToMinor: 500n, autoApproveKnownUpToMinor: 500n };
    for (const terms of [unset, ceilings])
      expect(ruleOf({ terms, accountKnown: true }, 100n)).toBeUndefined();
  });

  it('leave a possible duplicate to a person', () => {
    const terms = payoutTerms({ autoApproveUpToMinor: 500n, autoApproveKnownUpToMinor: 500n });
    expect(ruleOf({ terms, accountKnown: true, duplicateSeen: true }, 100n)).toBeUndefined();
  });
});

describe('an automatic payout', () => {
  const auto = (everythingFromMinor: bigint): Intent => ({ ...personal, requested: { everythingFromMinor } });

  it('waits until the threshold is reached', () => {
    expect(refusalOf(aContext({ availableMinor: 49_999n }), auto(50_000n))).toBe('balance_not_enough');
    expect(refusalOf(aContext({ availableMinor: 50_000n }), auto(50_000n))).toBeUndefined();
  });

  it('sends all it can even if half of it would be below the minimum', () => {
    const terms = payoutTerms({ payoutMinMinor: 60_000n });
    const planned = plan(aContext({ availableMinor: 100_000n, terms }), auto(1n), rail, today);
    expect(planned).toMatchObject({ value: { parts: [{ amountMinor: 99_010n, commissionMinor: 990n }] } });
  });

  it.each([
    ['the balance', 'balance_not_enough', { availableMinor: 60_599n }],
    [
      'the day',
      'daily_payout_limit_exceeded',
      {
        usage: { day: today.day, dayTotal: 99_940_001n, month: undefined, monthTotal: 0n, byRule: undefined },
      },
    ],
  ] as const)('below what may be sent is refused because of %s', (_what, refusal, given) => {
    const terms = payoutTerms({ payoutMinMinor: 60_000n });
    expect(refusalOf(aContext({ terms, ...given }), auto(1n))).toBe(refusal);
  });

  it('is the largest amount that may be requested, whatever the terms', () => {
    const small = (max: bigint) => fc.bigInt({ min: 0n, max });
    const anyTerms = fc.record({
      payoutFee: fc.record({
        bps: fc.integer({ min: 0, max: 3_000 }),
        fixedMinor: small(20n),
        minimumMinor: small(40n),
      }),
      payoutMinMinor: small(300n),
      payoutMaxMinor: small(600n),
      dayLimitMinor: small(1_500n),
      commissionPayer: fc.constantFrom('sender' as const, 'recipient' as const),
    });
    const railLimits = fc.record({ minMinor: small(200n), maxMinor: small(600n) });
    fc.assert(
      fc.property(anyTerms, railLimits, small(900n), (given, limits, availableMinor) => {
        const context = aContext({ availableMinor, terms: payoutTerms(given) });
        const narrow = railLimitedTo(limits);
        const amountFor = (intent: Intent) => {
          const planned = plan(context, intent, narrow, today);
          return planned.ok ? planned.value.reservation.day.amountMinor : undefined;
        };
        const all = Array.from(
          { length: Number(availableMinor) },
          (_, below) => availableMinor - BigInt(below),
        );
        const largest = all.find((amountMinor) => amountFor({ ...personal, requested: { amountMinor } }));
        expect(amountFor(auto(0n))).toBe(largest);
      }),
      { numRuns: 500 },
    );
  });

  it('sends everything that the balance covers with its fees and that the limits allow', () => {
    const available = fc.bigInt({ min: 50_000n, max: 300_000_000n });
    const bps = fc.integer({ min: 0, max: 500 });
    fc.assert(
      fc.property(available, bps, (availableMinor, fee) => {
        const terms = payoutTerms({ payoutFee: { bps: fee, fixedMinor: 0n, minimumMinor: 0n } });
        const planned = plan(aContext({ availableMinor, terms }), auto(50_000n), rail, today);
        if (!planned.ok) throw new Error(planned.error);
        const debited = debitOf(planned.value.parts);
        expect(debited).toBeLessThanOrEqual(availableMinor);
        const { amountMinor } = planned.value.reservation.day;
        const full = amountMinor === terms.dayLimitMinor || availableMinor - debited <= 5n;
        expect(full).toBe(true);
      }),
    );
  });
});
