import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sum } from '../../lib/money/money.ts';
import { beforeFee, costOf, debitOf, type PayoutTerms, partsOf } from '../../lib/payout/cost.ts';
import { mostParts, split } from '../../lib/payout/split.ts';

const amount = fc.bigInt({ min: 1n, max: 9_999_999_999n });
const limits = fc
  .tuple(fc.bigInt({ min: 0n, max: 1_000_000n }), fc.bigInt({ min: 1n, max: 100_000_000n }))
  .map(([minMinor, width]) => ({ minMinor, maxMinor: minMinor + width }));
const fee = fc.record({
  bps: fc.integer({ min: 0, max: 2_000 }),
  fixedMinor: fc.bigInt({ min: 0n, max: 10_000n }),
  minimumMinor: fc.bigInt({ min: 0n, max: 10_000n }),
});
const terms = fc.record({
  payoutFee: fee,
  payoutMinMinor: fc.bigInt({ min: 0n, max: 10_000n }),
  payoutMaxMinor: fc.bigInt({ min: 20_000n, max: 9_999_999_999n }),
  commissionPayer: fc.constantFrom('sender' as const, 'recipient' as const),
});
const rail = { minMinor: 100n, maxMinor: 50_000_000n };

describe('splitting a payout', () => {
  it('leaves the rail its minimum: 500 000.50 by SBP is 499 999.50 + 1.00', () => {
    expect(split(50_000_050n, rail)).toEqual([49_999_950n, 100n]);
  });

  it('keeps an amount of exactly the maximum whole', () => {
    expect(split(50_000_000n, rail)).toEqual([50_000_000n]);
  });

  it('refuses less than the minimum, and more than ten parts of the maximum', () => {
    expect(split(99n, rail)).toBeUndefined();
    expect(split(500_000_000n, rail)).toHaveLength(mostParts);
    expect(split(500_000_001n, rail)).toBeUndefined();
  });

  it('refuses an amount that no parts within the limits add up to', () => {
    expect(split(160n, { minMinor: 100n, maxMinor: 150n })).toBeUndefined();
  });

  it('adds up to the kopeck, with every part within the limits and no unnecessary part', () => {
    fc.assert(
      fc.property(amount, limits, (minor, within) => {
        const parts = split(minor, within);
        if (!parts) return;
        expect(sum(parts)).toBe(minor);
        expect(parts.every((part) => part >= within.minMinor && part <= within.maxMinor)).toBe(true);
        expect(parts.length).toBeLessThanOrEqual(mostParts);
        expect(BigInt(parts.length)).toBe((minor + within.maxMinor - 1n) / within.maxMinor);
      }),
    );
  });

  it('refuses only what cannot be split', () => {
    fc.assert(
      fc.property(amount, limits, (minor, within) => {
        if (split(minor, within)) return;
        const possible = Array.from({ length: mostParts }, (_, index) => BigInt(index + 1)).some(
          (parts) => minor >= parts * within.minMinor && minor <= parts * within.maxMinor,
        );
        expect(possible).toBe(false);
      }),
    );
  });
});

describe('the cost of a payout', () => {
  const schedule = { bps: 100, fixedMinor: 50n, minimumMinor: 200n };

  it('puts the fee on top where the sender pays', () => {
    const cost = costOf(100_050n, { payoutFee: schedule, commissionPayer: 'sender' });
    // 1 % of 1000.50 is 10.005, a half rounds up, and 0.50 is fixed.
    expect(cost).toEqual({ amountMinor: 100_050n, commissionMinor: 1_051n, sentMinor: 100_050n });
  });

  it('takes the fee out where the recipient pays', () => {
    const cost = costOf(10_000n, { payoutFee: schedule, commissionPayer: 'recipient' });
    expect(cost).toEqual({ amountMinor: 10_000n, commissionMinor: 200n, sentMinor: 9_800n });
  });

  it('debits what is asked for and, where the sender pays, the fees of all parts', () => {
    fc.assert(
      fc.property(amount, terms, (minor, agreed) => {
        const parts = partsOf(minor, agreed, rail);
        if (!parts) return;
        const fees = sum(parts.map(({ commissionMinor }) => commissionMinor));
        expect(sum(parts.map(({ amountMinor }) => amountMinor))).toBe(minor);
        expect(debitOf(parts)).toBe(agreed.commissionPayer === 'sender' ? minor + fees : minor);
      }),
    );
  });

  it('never sends less or more than the rail accepts, whoever pays the fee', () => {
    fc.assert(
      fc.property(amount, terms, (minor, agreed) => {
        const sent = partsOf(minor, agreed, rail)?.map(({ sentMinor }) => sentMinor) ?? [];
        expect(sent.every((each) => each >= rail.minMinor && each <= rail.maxMinor)).toBe(true);
      }),
    );
  });

  it('leaves the recipient the minimum of the rail: the last part grows by its own fee', () => {
    const agreed: PayoutTerms = {
      payoutFee: { bps: 100, fixedMinor: 0n, minimumMinor: 0n },
      payoutMinMinor: 100n,
      payoutMaxMinor: 9_999_999_999n,
      commissionPayer: 'recipient',
    };
    const parts = partsOf(50_000_050n, agreed, rail);
    expect(parts?.map(({ amountMinor, sentMinor }) => [amountMinor, sentMinor])).toEqual([
      [49_999_949n, 49_499_950n],
      [101n, 100n],
    ]);
  });

  it('finds the least amount that still leaves enough after the fee', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 1_000_000n }), fee, (left, agreed) => {
        const found = beforeFee(left, agreed) ?? 0n;
        const leftOf = (minor: bigint) =>
          minor - costOf(minor, { payoutFee: agreed, commissionPayer: 'recipient' }).commissionMinor;
        expect(leftOf(found)).toBeGreaterThanOrEqual(left);
        expect(leftOf(found - 1n)).toBeLessThan(left);
      }),
    );
  });

  it('finds none where the fee takes everything', () => {
    expect(beforeFee(100n, { bps: 10_000, fixedMinor: 0n, minimumMinor: 0n })).toBeUndefined();
  });
});
