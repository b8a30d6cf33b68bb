import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  captureEntry,
  paymentFee,
  refundEntry,
  reserveOf,
  reserveReleaseEntry,
  duplicateCaptureEntry,
} from '../../lib/payment/payment-postings.ts';
import type { Entry } from '../../lib/ledger/entry.ts';
import { billCurrencies } from '../../lib/money/money.ts';
import { chargeMinor, type Payment, statusOfReceipt } from '../../lib/payment/payment.ts';
import { aPayment, today } from '../support/builders.ts';

const own = { currency: 'RUB', numerator: 1n, denominator: 1n } as const;
const tenge = (numerator: bigint, denominator: bigint) =>
  aPayment({ amount: { minor: 10_000n, currency: 'KZT' }, settlement: { ...own, numerator, denominator } });

const linesOf = ({ lines }: Entry) => lines.map(({ account, currency, minor }) => [account, currency, minor]);
const on = ({ lines }: Entry, account: string): bigint =>
  lines
    .filter((line) => line.account === account && line.currency !== 'KZT')
    .reduce((sum, { minor }) => sum + minor, 0n);

describe('the entry of a capture', () => {
  it('is owed by the acquirer, and the merchant gets the amount less the fee', () => {
    expect(linesOf(captureEntry(aPayment(), 10_050n, today))).toEqual([
      ['acquirer', 'RUB', -10_050n],
      ['available', 'RUB', 9_849n],
      ['fees', 'RUB', 201n],
    ]);
  });

  it('gives the merchant the amount of the bill where the payer pays the fee', () => {
    const payment = aPayment({ payerPaysCommission: true, surchargeMinor: 201n });
    expect(chargeMinor(payment)).toBe(10_251n);
    expect(on(captureEntry(payment, 10_251n, today), 'available')).toBe(10_050n);
    expect(on(captureEntry(payment, 10_000n, today), 'available')).toBe(9_799n);
    expect(on(captureEntry(payment, 200n, today), 'available')).toBe(0n);
  });

  it('exchanges the net amount as one', () => {
    expect(linesOf(captureEntry(tenge(17n, 100n), 10_000n, today))).toEqual([
      ['acquirer', 'KZT', -10_000n],
      ['exchange', 'KZT', 10_000n],
      ['exchange', 'RUB', -1_700n],
      ['available', 'RUB', 1_666n],
      ['fees', 'RUB', 34n],
    ]);
    const payerPays = { ...tenge(1n, 3n), payerPaysCommission: true, surchargeMinor: 200n };
    expect(on(captureEntry(payerPays, 10_200n, today), 'available')).toBe(3_333n);
  });

  it('has no empty line for an amount that is worth nothing', () => {
    expect(linesOf(captureEntry(tenge(1n, 1_000_000n), 1n, today))).toEqual([
      ['acquirer', 'KZT', -1n],
      ['exchange', 'KZT', 1n],
    ]);
  });
});

describe('the entry of a capture of a merchant with a reserve', () => {
  const reserveTerms = { basisPoints: 1_000, days: 90 };

  it('reserves the share of what was received less the fee, rounded down', () => {
    const payment = aPayment({ reserveTerms });
    const capture = captureEntry(payment, 10_050n, today);
    expect(linesOf(capture)).toEqual([
      ['acquirer', 'RUB', -10_050n],
      ['available', 'RUB', 8_865n],
      ['reserved', 'RUB', 984n],
      ['fees', 'RUB', 201n],
    ]);
    const releaseAt = new Date('2027-02-19T12:34:56.789Z');
    expect(reserveOf(payment, capture)).toEqual({ minor: 984n, currency: 'RUB', releaseAt, released: false });
  });

  it.each([
    ['less than was charged', 5_000n, 490n],
    ['more than was charged', 20_000n, 1_960n],
  ])('reserves from what was received: %s', (_what, received, reserved) => {
    expect(on(captureEntry(aPayment({ reserveTerms }), received, today), 'reserved')).toBe(reserved);
  });

  it('reserves in the currency of the settlement', () => {
    const payment = { ...tenge(17n, 100n), reserveTerms };
    const capture = captureEntry(payment, 10_000n, today);
    expect(linesOf(capture)).toContainEqual(['reserved', 'RUB', 166n]);
    expect(reserveOf(payment, capture)).toMatchObject({ minor: 166n, currency: 'RUB' });
  });

  it('leaves nothing available where the whole payment is reserved', () => {
    const capture = captureEntry(
      aPayment({ reserveTerms: { basisPoints: 10_000, days: 1 } }),
      10_050n,
      today,
    );
    expect([on(capture, 'available'), on(capture, 'reserved')]).toEqual([0n, 9_849n]);
  });

  it('has no reserve of less than a minor unit, and a duplicate capture has none at all', () => {
    const payment = aPayment({ reserveTerms: { basisPoints: 1, days: 90 } });
    const capture = captureEntry(payment, 5_000n, today);
    expect(on(capture, 'reserved')).toBe(0n);
    expect(reserveOf(payment, capture)).toBeUndefined();
    expect(on(duplicateCaptureEntry(aPayment({ reserveTerms }), 10_050n, today), 'reserved')).toBe(0n);
  });
});

describe('money that is refunded', () => {
  it('is owed to the payer until the refund', () => {
    expect(linesOf(duplicateCaptureEntry(aPayment(), 10_050n, today))).toEqual([
      ['acquirer', 'RUB', -10_050n],
      ['refunds_due', 'RUB', 10_050n],
    ]);
    expect(linesOf(refundEntry(aPayment(), 10_050n, today))).toEqual([
      ['refunds_due', 'RUB', -10_050n],
      ['acquirer', 'RUB', 10_050n],
    ]);
  });
});

const amounts = fc.bigInt({ min: 1n, max: 9_999_999_999n });
const payments: fc.Arbitrary<Payment> = fc
  .record({
    minor: amounts,
    currency: fc.constantFrom(...billCurrencies),
    surchargeMinor: fc.bigInt({ min: 0n, max: 99_999_999n }),
    payerPaysCommission: fc.boolean(),
    bps: fc.integer({ min: 0, max: 10_000 }),
    basisPoints: fc.integer({ min: 0, max: 10_000 }),
    fixedMinor: fc.bigInt({ min: 0n, max: 100_000n }),
    minimumMinor: fc.bigInt({ min: 0n, max: 100_000n }),
    numerator: fc.bigInt({ min: 1n, max: 100_000n }),
    denominator: fc.bigInt({ min: 1n, max: 100_000n }),
  })
  .map(({ minor, currency, surchargeMinor, payerPaysCommission, basisPoints, ...rest }) => {
    const { numerator, denominator, ...fee } = rest;
    const reserveTerms = basisPoints === 0 ? undefined : { basisPoints, days: 30 };
    const settlement = currency === 'KZT' ? { ...own, numerator, denominator } : { ...own, currency };
    return aPayment({
      amount: { minor, currency },
      surchargeMinor,
      payerPaysCommission,
      fee,
      settlement,
      reserveTerms,
    });
  });

describe('every entry', () => {
  it('sums to zero in each currency, and no fee exceeds what was received', () => {
    fc.assert(
      fc.property(payments, amounts, (payment, received) => {
        const entries = [captureEntry, duplicateCaptureEntry, refundEntry].map((entry) =>
          entry(payment, received, today),
        );
        for (const { lines } of entries) {
          for (const currency of billCurrencies) {
            const all = lines.filter((line) => line.currency === currency);
            expect(all.reduce((sum, { minor }) => sum + minor, 0n)).toBe(0n);
          }
        }
        const [capture] = entries;
        expect(capture && on(capture, 'available') >= 0n && on(capture, 'fees') >= 0n).toBe(true);
        expect(paymentFee(payment, received) <= received).toBe(true);
      }),
    );
  });
});

describe('a reserve', () => {
  it('changes only what is available: both together are the net amount, and its release restores it', () => {
    fc.assert(
      fc.property(payments, amounts, (payment, received) => {
        const capture = captureEntry(payment, received, today);
        const without = captureEntry({ ...payment, reserveTerms: undefined }, received, today);
        const reserve = reserveOf(payment, capture);
        expect(on(capture, 'available') + on(capture, 'reserved')).toBe(on(without, 'available'));
        expect(on(capture, 'fees')).toBe(on(without, 'fees'));
        expect(reserve?.minor ?? 0n).toBe(on(capture, 'reserved'));
        if (!reserve) return;
        const release = reserveReleaseEntry(payment, reserve, today);
        expect(on(capture, 'reserved') + on(release, 'reserved')).toBe(0n);
        expect(on(capture, 'available') + on(release, 'available')).toBe(on(without, 'available'));
        expect(release.lines.every(({ currency }) => currency === payment.settlement.currency)).toBe(true);
      }),
    );
  });
});

describe('the status of a receipt', () => {
  it.each([
    [10_049n, 'UNDERPAID'],
    [10_050n, 'SUCCESS'],
    [10_051n, 'OVERPAID'],
  ])('%s of 10050 is %s', (received, status) => expect(statusOfReceipt(received, 10_050n)).toBe(status));
});
