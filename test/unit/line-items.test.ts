import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineTotal, readLineItems } from '../../lib/bill/line-items.ts';

const read = (items: unknown, amountMinor = 10_050n) => readLineItems(JSON.stringify(items), amountMinor);
const tea = { name: 'Tea', price: '40.25', quantity: '2' };
const delivery = { name: 'Delivery', price: 20 };

describe('the items of a bill', () => {
  it('have a name and a price; the quantity is 1 unless given', () => {
    expect(read([tea, { ...delivery, category: 'service' }])).toEqual([
      { name: 'Tea', priceMinor: 4025n, quantity: '2', category: undefined },
      { name: 'Delivery', priceMinor: 2000n, quantity: '1', category: 'service' },
    ]);
  });

  it.each([
    ['an object whose keys count from 1', { 1: tea, 2: delivery }],
    ['an object whose keys are out of order', { 10: delivery, 9: tea }],
    ['an exponent', [{ name: 'Tea', price: '1.005e2' }]],
    ['floating-point noise', [{ name: 'Tea', price: 100.50000000000001 }]],
    ['a free item', [tea, delivery, { name: 'A gift', price: '0.00' }]],
    ['other fields', [{ ...tea, vat: 20 }, delivery]],
    [
      'empty and null options',
      [
        { ...tea, category: null },
        { ...delivery, quantity: '', category: '' },
      ],
    ],
    ['a fraction of a piece', [{ name: 'Tea, kg', price: '134', quantity: 0.75 }]],
    [
      'a line that rounds to the kopeck',
      [
        { name: 'Tea, kg', price: '99.99', quantity: '1.005' },
        { name: 'Bag', price: '0.01' },
      ],
    ],
  ])('may be %s', (_what, items) => expect(read(items)).not.toBeUndefined());

  it('keep the order of their numbers', () => {
    expect(read({ 10: delivery, 9: tea })?.map(({ name }) => name)).toEqual(['Tea', 'Delivery']);
  });

  it.each<[string, unknown]>([
    ['names alone', [{ name: 'Tea' }]],
    ['a price alone', [{ price: '100.50' }]],
    ['another sum', [tea]],
    ['a kopeck too much', [tea, { ...delivery, price: '20.01' }]],
    ['no items', []],
    ['81 items', Array.from({ length: 81 }, () => ({ name: 'Tea', price: '1' }))],
    ['an item within an item', [{ name: { name: 'Tea' }, price: '100.50' }]],
    ['lists within lists', [[tea]]],
    ['text', 'Tea'],
    ['a number', 100.5],
    ['null', null],
    ['names as keys', { tea, delivery }],
    ['a blank name', [{ name: ' \n', price: '100.50' }]],
    [
      'a negative price',
      [
        { ...tea, price: '120.50', quantity: 1 },
        { ...delivery, price: '-20' },
      ],
    ],
    ['a third decimal', [{ name: 'Tea', price: '33.505', quantity: 3 }]],
    ['a huge exponent', [{ name: 'Tea', price: '1e99' }]],
    ['an absurd exponent', [{ name: 'Tea', price: '1e999999999' }]],
    ['no quantity at all', [{ name: 'Tea', price: '100.50', quantity: 0 }]],
    ['a fourth decimal of a quantity', [{ name: 'Tea', price: '1005000', quantity: '0.0001' }]],
    ['a quantity with a comma', [{ name: 'Tea', price: '100.50', quantity: '1,0' }]],
  ])('are none when they are %s', (_what, items) => expect(read(items)).toBeUndefined());

  it.each(['', '{', '[{]', 'undefined', '['.repeat(60_000), '9'.repeat(60_000)])(
    'are none when the text is no JSON of theirs: %.20s',
    (text) => expect(readLineItems(text, 10_050n)).toBeUndefined(),
  );

  it('have names of one line and at most 128 characters, cut before a character that does not fit whole', () => {
    const named = (name: string) => read([{ name, price: '100.50' }])?.[0]?.name;
    expect(named(' Green\r\n\t tea\u0000\u2028 ')).toBe('Green tea');
    expect(named(`${'т'.repeat(127)}👨‍👩‍👧`)).toBe('т'.repeat(127));
    expect(named('\ud800')).toBe('\ufffd');
  });

  it('take no name from a prototype', () => {
    expect(readLineItems('[{"__proto__":{"name":"Tea","price":"100.50"}}]', 10_050n)).toBeUndefined();
    expect(readLineItems('{"constructor":{"name":"Tea","price":"100.50"}}', 10_050n)).toBeUndefined();
    expect(readLineItems('{"__proto__":[{"name":"Tea","price":"100.50"}]}', 10_050n)).toBeUndefined();
  });

  it('are none for whatever else is sent, and never an error', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.json(), fc.string()),
        fc.bigInt({ min: 1n, max: 9_999_999_999n }),
        (text, amount) => {
          const items = readLineItems(text, amount);
          expect(items === undefined || items.length > 0).toBe(true);
        },
      ),
    );
  });

  it('have totals that sum to the amount, to the minor unit', () => {
    const line = fc.record({
      name: fc.constantFrom('Tea', 'Чай'),
      price: fc.integer({ min: 0, max: 1_000_000 }).map((minor) => (minor / 100).toFixed(2)),
      quantity: fc.integer({ min: 1, max: 9_000 }).map((thousandths) => (thousandths / 1000).toFixed(3)),
    });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 80 }), (lines) => {
        // In thousandths of a minor unit, rounded half up.
        const total = lines.reduce((sum, { price, quantity }) => {
          const exact = BigInt(price.replace('.', '')) * BigInt(quantity.replace('.', ''));
          return sum + exact / 1000n + (exact % 1000n >= 500n ? 1n : 0n);
        }, 0n);
        const items = read(lines, total);
        expect(items?.reduce((sum, item) => sum + lineTotal(item), 0n)).toBe(total);
        expect(read(lines, total + 1n)).toBeUndefined();
      }),
    );
  });
});
