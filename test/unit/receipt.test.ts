import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allocate } from '../../lib/money/allocate.ts';
import { divideHalfUp, parseDecimal, sum } from '../../lib/money/money.ts';
import { composeReceipt, customerOf, type Sold } from '../../lib/payment/compose-receipt.ts';
import type { Receipt, ReceiptTerms } from '../../lib/payment/receipt.ts';

const terms: ReceiptTerms = {
  taxSystem: 2,
  vatCode: 1,
  subject: 'commodity',
  mode: 'full_prepayment',
  emailOnly: false,
};
const customer = { email: 'ivan@example.com' };

const sold = (change: Partial<Sold> = {}): Sold => ({
  name: 'Заказ 17',
  items: undefined,
  amountMinor: 10_050n,
  surchargeMinor: 0n,
  ...change,
});
const item = (name: string, quantity: string, priceMinor: bigint) => ({ name, quantity, priceMinor });
const receipt = (about: Sold, totalMinor = about.amountMinor + about.surchargeMinor): Receipt =>
  composeReceipt(terms, customer, about, totalMinor);
const shown = ({ lines }: Receipt) =>
  lines.map(({ name, quantity, priceMinor }) => [name, quantity, priceMinor]);

describe('a receipt', () => {
  it('of a bill without items has one line, the bill’s name, with the values of the record', () => {
    expect(receipt(sold())).toEqual({
      customer,
      taxSystem: 2,
      lines: [
        {
          name: 'Заказ 17',
          quantity: '1',
          priceMinor: 10_050n,
          vatCode: 1,
          subject: 'commodity',
          mode: 'full_prepayment',
        },
      ],
    });
  });

  it('has the items as they were sold, and the surcharge as a line of its own', () => {
    const items = [item('Чай', '2', 3_000n), item('Сыр', '1.500', 2_700n)];
    expect(shown(receipt(sold({ items, surchargeMinor: 201n })))).toEqual([
      ['Чай', '2', 3_000n],
      ['Сыр', '1.5', 2_700n],
      ['Комиссия за оплату', '1', 201n],
    ]);
  });

  it('of a part has every line scaled; pieces whose price is no whole kopeck become two lines', () => {
    const items = [item('Чай', '3', 2_000n), item('Сыр', '1.5', 2_700n)];
    expect(shown(receipt(sold({ items }), 9_045n))).toEqual([
      ['Чай', '3', 1_800n],
      ['Сыр', '1.5', 2_430n],
    ]);
    expect(shown(receipt(sold({ items }), 9_042n))).toEqual([
      ['Чай', '2', 1_799n],
      ['Чай', '1', 1_800n],
      ['Сыр × 1,5', '1', 3_644n],
    ]);
  });

  it('of items that do not add up to the bill has one line', () => {
    const items = [item('Чай', '1', 10_049n)];
    expect(shown(receipt(sold({ items })))).toEqual([['Заказ 17', '1', 10_050n]]);
  });

  it('names the quantity where the total of a weight is no whole kopeck', () => {
    const weighed = [item('Сыр', '1.5', 3_333n), item('Мёд', '1.5', 1_001n)];
    expect(shown(receipt(sold({ items: weighed, amountMinor: 6_502n })))).toEqual([
      ['Сыр × 1,5', '1', 5_000n],
      ['Мёд × 1,5', '1', 1_502n],
    ]);
  });

  it('has no line without money', () => {
    const items = [item('Чай', '1', 10_050n), item('Пакет', '1', 0n)];
    expect(shown(receipt(sold({ items })))).toEqual([['Чай', '1', 10_050n]]);
  });

  it('cuts names at 128 without breaking a character', () => {
    const name = `${'я'.repeat(126)}👩‍👩‍👧`;
    expect(shown(receipt(sold({ name })))).toEqual([['я'.repeat(126), '1', 10_050n]]);
    const items = [item('я'.repeat(200), '0.333', 10_000n)];
    expect(shown(receipt(sold({ items, amountMinor: 3_330n }), 3_331n))).toEqual([
      [`${'я'.repeat(120)} × 0,333`, '1', 3_331n],
    ]);
  });

  it('of eighty items and a surcharge joins the last items into one line', () => {
    const items = Array.from({ length: 80 }, (_, place) => item(`Товар ${place + 1}`, '1', 100n));
    const lines = shown(receipt(sold({ items, amountMinor: 8_000n, surchargeMinor: 160n })));
    expect(lines).toHaveLength(80);
    expect(lines.slice(-3)).toEqual([
      ['Товар 78', '1', 100n],
      ['Заказ 17', '1', 200n],
      ['Комиссия за оплату', '1', 160n],
    ]);
  });
});

describe('the customer of a receipt', () => {
  const both = { email: 'ivan@example.com', phone: '79123456789' };
  it('is reached by email where there is one, else by phone, which not every provider sends to', () => {
    const [anyhow, byEmail] = [terms, { ...terms, emailOnly: true }];
    expect(customerOf(anyhow, both)).toEqual({ email: 'ivan@example.com' });
    expect(customerOf(anyhow, { ...both, email: undefined })).toEqual({ phone: '79123456789' });
    expect(customerOf(byEmail, { ...both, email: undefined })).toBeUndefined();
    expect(customerOf(anyhow, undefined)).toBeUndefined();
  });
});

const minor = (most: bigint) => fc.bigInt({ min: 1n, max: most });
const anItem = fc.record({
  name: fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' }),
  thousandths: fc.oneof(
    fc.integer({ min: 1, max: 20 }).map((pieces) => pieces * 1000),
    fc.integer({ min: 1, max: 9_999 }),
  ),
  priceMinor: fc.bigInt({ min: 0n, max: 5_000_000n }),
});

/** What was sold, where the exact sum of the items may be the amount or not. */
const anySold: fc.Arbitrary<Sold> = fc
  .record({
    name: fc.string({ minLength: 1, unit: 'grapheme' }),
    items: fc.option(fc.array(anItem, { minLength: 1, maxLength: 80 }), { nil: undefined }),
    otherMinor: minor(99_999_999n),
    surchargeMinor: fc.oneof(fc.constant(0n), minor(1_000_000n)),
  })
  .map(({ name, items, otherMinor, surchargeMinor }) => {
    const total = sum(
      (items ?? []).map(({ thousandths, priceMinor }) =>
        divideHalfUp(BigInt(thousandths) * priceMinor, 1000n),
      ),
    );
    return {
      name,
      items: items?.map(({ thousandths, ...each }) => ({
        ...each,
        quantity: (thousandths / 1000).toFixed(3),
      })),
      amountMinor: total > 0n && otherMinor % 5n > 0n ? total : otherMinor,
      surchargeMinor,
    };
  });

const totalOf = ({ quantity, priceMinor }: Receipt['lines'][number]): bigint => {
  const thousandths = parseDecimal(quantity, 3);
  if (thousandths === undefined) throw new Error(`no quantity: ${quantity}`);
  expect((priceMinor * thousandths) % 1000n).toBe(0n);
  return (priceMinor * thousandths) / 1000n;
};

describe('any receipt, of any part of any charge', () => {
  it('adds up to the minor unit, with prices above zero, and is what a cash register takes', () => {
    fc.assert(
      fc.property(anySold, fc.double({ min: 0.001, max: 1.2, noNaN: true }), (about, share) => {
        const charge = about.amountMinor + about.surchargeMinor;
        for (const totalMinor of [charge, BigInt(Math.ceil(Number(charge) * share))]) {
          const { lines } = receipt(about, totalMinor);
          expect(sum(lines.map(totalOf))).toBe(totalMinor);
          expect(lines.length).toBeLessThanOrEqual(80);
          for (const { name, quantity, priceMinor } of lines) {
            expect(priceMinor).toBeGreaterThan(0n);
            expect(quantity).toMatch(/^(?!0+$)\d{1,5}(?:\.\d{1,3})?$/);
            expect(name.length).toBeGreaterThan(0);
            expect(name.length).toBeLessThanOrEqual(128);
          }
        }
      }),
    );
  });
});

describe('an amount divided by weights', () => {
  it('adds up, and no part is a unit or more away from its share', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10_000_000n }),
        fc.array(fc.bigInt({ min: 0n, max: 1_000_000n }), { minLength: 1 }).filter((each) => sum(each) > 0n),
        (amount, weights) => {
          const parts = allocate(amount, weights);
          expect(sum(parts)).toBe(amount);
          const whole = sum(weights);
          for (const [place, part] of parts.entries()) {
            const off = part * whole - amount * (weights[place] ?? 0n);
            expect(off < whole && -off < whole).toBe(true);
          }
        },
      ),
    );
  });
});
