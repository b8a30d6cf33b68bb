import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  divideHalfUp,
  largestAmount,
  parseAmount,
  parseDecimal,
  sum,
  toDecimal,
} from '../../lib/money/money.ts';

describe('an amount', () => {
  it.each([
    ['16', 1_600n],
    ['100.5', 10_050n],
    ['100.50', 10_050n],
    ['1e+06', 100_000_000n],
    ['1e 06', 100_000_000n],
    ['1E2', 10_000n],
    ['1050e-2', 1_050n],
    ['0.01', 1n],
    ['.5', 50n],
    ['5.', 500n],
    ['+7', 700n],
    ['007', 700n],
    [' 7 ', 700n],
    ['99999999.99', 9_999_999_999n],
  ])('of %j is %s minor units', (text, minor) => {
    expect(parseAmount(text)).toBe(minor);
  });

  it.each(
    [
      [
        '0',
        '0.00',
        '-1',
        '-0.01',
        '100.555',
        '1e-3',
        '0.001',
        '100000000',
        '99999999.991',
        '1e8',
        '1e40',
        '1e999',
      ],
      [
        '',
        ' ',
        '.',
        'e5',
        'abc',
        '1,5',
        '1 000',
        '0x10',
        '1.2.3',
        'NaN',
        'Infinity',
        '١٢',
        '１２',
        '1_000',
        '--1',
        '1e',
        '1e+',
      ],
      ['9'.repeat(200), `0.${'0'.repeat(200)}`, '12345678901234567890', '1;DROP', '<1>', '1\n2'],
    ].flat(),
  )('is not %j', (text) => {
    expect(parseAmount(text)).toBeUndefined();
  });

  const minor = fc.bigInt({ min: 1n, max: largestAmount });

  it('comes back from its own text', () => {
    fc.assert(
      fc.property(minor, (amount) => {
        expect(parseAmount(toDecimal(amount))).toBe(amount);
      }),
    );
  });

  it('comes back from the number that JSON makes of it', () => {
    fc.assert(
      fc.property(minor, (amount) => {
        expect(parseAmount(String(Number(toDecimal(amount))))).toBe(amount);
      }),
    );
  });

  it('is the same in plain and in exponent notation', () => {
    fc.assert(
      fc.property(minor, fc.constantFrom(-6, -2, -1, 1, 2, 6), (amount, shift) => {
        const text = `${toDecimal(amount * 10n ** 6n, 8 + shift)}e${shift}`;
        expect(parseAmount(text)).toBe(amount);
      }),
    );
  });

  it('is above zero and within the contract, or is none, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d.eE+-]{1,20}$/)), (text) => {
        const amount = parseAmount(text) ?? 1n;
        expect(amount > 0n && amount <= largestAmount).toBe(true);
      }),
    );
  });
});

describe('a decimal', () => {
  it('has as many places as asked for', () => {
    expect(toDecimal(5n)).toBe('0.05');
    expect(toDecimal(-105n)).toBe('-1.05');
    expect(toDecimal(123_456n, 4)).toBe('12.3456');
    expect(parseDecimal('12.3456', 4)).toBe(123_456n);
  });
});

describe('arithmetic', () => {
  it('rounds a half up', () => {
    expect([divideHalfUp(14n, 10n), divideHalfUp(15n, 10n), divideHalfUp(25n, 10n)]).toEqual([1n, 2n, 3n]);
  });

  it('rounds to the nearest', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 20n }),
        fc.bigInt({ min: 1n, max: 10n ** 6n }),
        (dividend, divisor) => {
          const twiceOff = (divideHalfUp(dividend, divisor) * divisor - dividend) * 2n;
          expect(twiceOff > -divisor && twiceOff <= divisor).toBe(true);
        },
      ),
    );
  });

  it('sums nothing to nothing', () => {
    expect(sum([])).toBe(0n);
    expect(sum([1n, 2n, 3n])).toBe(6n);
  });
});
