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
    ['100.5000', 10_050n],
    ['100.500', 10_050n],
    ['3.30', 330n],
    [`3.3${'0'.repeat(61)}`, 330n],
    ['\t100.50\r\n', 10_050n],
    ['\u00a0100.50\u00a0', 10_050n],
    ['1e+006', 100_000_000n],
    ['10050000e-5', 10_050n],
    ['7.000000000000001', 700n],
    ['99.89999999999999', 9_990n],
    ['0.30000000000000004', 30n],
    ['99999999.98999999', 9_999_999_999n],
    ['0.009999999999999998', 1n],
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
        '99999999.9901',
        '99999999.99999999',
        '99.895',
        '99.8999',
        '0.0000000001',
        '1e-300',
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
      ['1e1000', '1e-999', `0.1e${'0'.repeat(99)}1`, `1${'0'.repeat(64)}e-64`, '-7', '1 e5', 'RUB 5'],
    ].flat(),
  )('is not %j', (text) => {
    expect(parseAmount(text)).toBeUndefined();
  });

  /** The tolerance is max(1e-9, 1e-12 × value) around a whole kopeck, in roubles. */
  it.each([
    ['1.000000001', 100n],
    ['1.00000000100000001', undefined],
    ['0.999999999', 100n],
    ['0.99999999899999999', undefined],
    ['1000.000000001', 100_000n],
    ['10000.00000001', 1_000_000n],
    ['10000.0000000101', undefined],
    ['9999.99999999', undefined],
    ['9999.9999999901', 1_000_000n],
    ['50000000.00005', 5_000_000_000n],
    ['50000000.00005001', undefined],
  ])('of %s is %s: the tolerance is in roubles', (text, minor) => {
    expect(parseAmount(text)).toBe(minor);
  });

  const minor = fc.bigInt({ min: 1n, max: largestAmount });

  it('survives floating-point arithmetic', () => {
    const steps: ((amount: number) => number)[] = [
      (amount) => (amount / 3) * 3,
      (amount) => amount * 0.1 * 10,
      (amount) => amount + 0.1 - 0.1,
      (amount) => (amount / 7 / 11) * 77,
      (amount) => amount * 1.2 - amount * 0.2,
    ];
    fc.assert(
      fc.property(minor, fc.constantFrom(...steps), (amount, step) => {
        expect(parseAmount(String(step(Number(toDecimal(amount)))))).toBe(amount);
      }),
    );
  });

  it('parses with any number of trailing zeros and surrounding blanks', () => {
    fc.assert(
      fc.property(minor, fc.nat(50), fc.nat(20), (amount, zeros, blanks) => {
        const text = `${toDecimal(amount)}${'0'.repeat(zeros)}`;
        expect(parseAmount(`${' '.repeat(blanks)}${text}${' '.repeat(blanks)}`)).toBe(amount);
      }),
    );
  });

  it('is refused with a fiftieth of a kopeck or more left over', () => {
    fc.assert(
      fc.property(minor, fc.bigInt({ min: 2n, max: 98n }), (amount, hundredths) => {
        expect(parseAmount(toDecimal(amount * 100n + hundredths, 4))).toBeUndefined();
      }),
    );
  });

  it('survives a round trip through its decimal text', () => {
    fc.assert(
      fc.property(minor, (amount) => {
        expect(parseAmount(toDecimal(amount))).toBe(amount);
      }),
    );
  });

  it('survives a round trip through a JSON number', () => {
    fc.assert(
      fc.property(minor, (amount) => {
        expect(parseAmount(String(Number(toDecimal(amount))))).toBe(amount);
      }),
    );
  });

  it('has the same value in plain and exponent notation', () => {
    fc.assert(
      fc.property(minor, fc.constantFrom(-6, -2, -1, 1, 2, 6), (amount, shift) => {
        const text = `${toDecimal(amount * 10n ** 6n, 8 + shift)}e${shift}`;
        expect(parseAmount(text)).toBe(amount);
      }),
    );
  });

  it('is positive and within the contract’s limit, or undefined, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d.eE+-]{1,20}$/)), (text) => {
        const amount = parseAmount(text) ?? 1n;
        expect(amount > 0n && amount <= largestAmount).toBe(true);
      }),
    );
  });
});

describe('a decimal', () => {
  it('has the given number of places', () => {
    expect(toDecimal(5n)).toBe('0.05');
    expect(toDecimal(-105n)).toBe('-1.05');
    expect(toDecimal(123_456n, 4)).toBe('12.3456');
    expect(parseDecimal('12.3456', 4)).toBe(123_456n);
    expect(parseDecimal('12.345600', 4)).toBe(123_456n);
    expect(parseDecimal('12.34560000001', 4)).toBeUndefined();
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

  it('sums an empty list to zero', () => {
    expect(sum([])).toBe(0n);
    expect(sum([1n, 2n, 3n])).toBe(6n);
  });
});
