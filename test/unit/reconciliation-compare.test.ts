import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toMerchantId } from '../../lib/ids.ts';
import { DayComparison, type Rest } from '../../lib/reconciliation/compare.ts';
import { dayOf } from '../../lib/reconciliation/day.ts';
import type { Movement, ProviderLine } from '../../lib/reconciliation/movement.ts';

const day = dayOf('2026-11-20', 'Europe/Moscow');
const merchantId = toMerchantId('Merchant00000001');
const hourMs = 3_600_000;
const noon = new Date(day.from.getTime() + 12 * hourMs);

const paymentIdOf = (number: number) => `Bill00000000000100${String(number).padStart(8, '0')}`;
const payoutIdOf = (number: number) => `Group00000000000${String(number).padStart(4, '0')}01`;

type Kind = 'payment' | 'refund' | 'payout';
const subjectFor = (kind: Kind, number: number) =>
  kind === 'payout' ? payoutIdOf(number) : paymentIdOf(number);

function aLine(kind: Kind, number: number, traits: Partial<ProviderLine> = {}): ProviderLine {
  const subject = subjectFor(kind, number);
  const reference = `${kind}-${number}`;
  return {
    provider: 'yookassa',
    tellsFees: false,
    kind,
    reference,
    ourId: kind === 'refund' ? `${subject}.refund.1` : subject,
    orderReference: kind === 'payout' ? undefined : kind === 'refund' ? `payment-${number}` : reference,
    amountMinor: 10_000n,
    feeMinor: undefined,
    currency: 'RUB',
    at: noon,
    ...traits,
  };
}

const entries = { payment: 'CAPTURE', refund: 'REFUND', payout: 'SETTLE' } as const;

const aMovement = (kind: Kind, number: number, traits: Partial<Movement> = {}): Movement => ({
  kind,
  entry: entries[kind],
  subject: subjectFor(kind, number),
  merchantId,
  amountMinor: 10_000n,
  currency: 'RUB',
  at: noon,
  provider: 'yookassa',
  reference: `payment-${number}`,
  ...(kind === 'payout' && { reference: `payout-${number}` }),
  ...traits,
});

const aFee = (number: number, minor: bigint, at = noon): Movement => ({
  ...aMovement('payment', number, { amountMinor: minor, at }),
  kind: 'fee',
  entry: 'PROVIDER_FEE',
});

function compare(lines: readonly ProviderLine[], movements: readonly Movement[]): Rest {
  const comparison = new DayComparison(day);
  for (const line of lines) comparison.seeLine(line);
  for (const movement of movements) comparison.seeMovement(movement);
  return comparison.rest();
}

const nothingLeft = {
  unbooked: [],
  second: [],
  unstated: [],
  unequal: [],
  feesUnbooked: [],
  feesUnequal: [],
  corrections: [],
  foreign: 0,
};

const kinds = fc.constantFrom<Kind>('payment', 'refund', 'payout');
/** A movement of money as both sides have it: the provider's time, and ours some seconds later or earlier. */
const known = fc.record({
  kind: kinds,
  amountMinor: fc.bigInt({ min: 1n, max: 10n ** 10n }),
  currency: fc.constantFrom('RUB', 'KZT', 'USD'),
  feeMinor: fc.option(fc.bigInt({ min: 1n, max: 1000n }), { nil: undefined }),
  // From a day before to a day after.
  minutes: fc.integer({ min: -24 * 60, max: 48 * 60 }),
  laterSeconds: fc.integer({ min: -15 * 60 + 1, max: 15 * 60 - 1 }),
});
type Known = typeof known extends fc.Arbitrary<infer T> ? T : never;

function sidesOf(all: readonly Known[]) {
  const lines = all.map(({ kind, amountMinor, currency, feeMinor, minutes }, number) =>
    aLine(kind, number, {
      amountMinor,
      currency,
      feeMinor: kind === 'payment' ? feeMinor : undefined,
      at: new Date(day.from.getTime() + minutes * 60_000),
    }),
  );
  const movements = all.flatMap(
    ({ kind, amountMinor, currency, feeMinor, minutes, laterSeconds }, number) => {
      const at = new Date(day.from.getTime() + minutes * 60_000 + laterSeconds * 1000);
      const movement = aMovement(kind, number, { amountMinor, currency, at });
      const fee: Movement = { ...aFee(number, feeMinor ?? 0n, at), currency };
      return kind === 'payment' && feeMinor !== undefined ? [movement, fee] : [movement];
    },
  );
  return { lines, movements };
}

const isInDay = ({ at }: { readonly at: Date }) => at >= day.from && at < day.to;

describe('the comparison of a day', () => {
  it('leaves nothing where both sides have the same, within 15 minutes of each other', () => {
    fc.assert(
      fc.property(fc.array(known, { maxLength: 40 }), (all) => {
        const { lines, movements } = sidesOf(all);
        expect(compare(lines, movements)).toMatchObject(nothingLeft);
      }),
    );
  });

  it('leaves the same whatever the order in which the two sides are seen', () => {
    fc.assert(
      fc.property(
        fc.array(known, { maxLength: 12 }),
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        fc.nat(3),
        (all, chance, lost) => {
          const { lines, movements } = sidesOf(all);
          const seen = [
            ...lines.slice(lost).map((line) => ({ line })),
            ...movements.slice(0, -1).map((movement) => ({ movement })),
          ];
          const weighed = seen.map((each) => ({ each, weight: chance.next().value }));
          const comparison = new DayComparison(day);
          for (const { each } of weighed.toSorted((one, other) => one.weight - other.weight)) {
            if ('line' in each) comparison.seeLine(each.line);
            else comparison.seeMovement(each.movement);
          }
          const inOrder = compare(lines.slice(lost), movements.slice(0, -1));
          expect(sorted(comparison.rest())).toEqual(sorted(inOrder));
        },
      ),
    );
  });

  it('finds exactly the lines and movements whose other side is gone', () => {
    fc.assert(
      fc.property(
        fc.array(known, { minLength: 1, maxLength: 30 }),
        fc.nat(29),
        fc.boolean(),
        (all, at, there) => {
          const { lines, movements } = sidesOf(all);
          const gone = lines[at % lines.length]!;
          const subject = subjectFor(gone.kind, at % lines.length);
          const movement = movements.find((each) => each.kind === gone.kind && each.subject === subject)!;
          const rest = there
            ? compare(
                lines,
                movements.filter((each) => each.subject !== subject || each.kind !== gone.kind),
              )
            : compare(
                lines.filter((each) => each !== gone),
                movements,
              );
          const expected = there
            ? { ...nothingLeft, unbooked: isInDay(gone) ? [gone] : [] }
            : { ...nothingLeft, unstated: isInDay(movement) ? [movement] : [] };
          expect(rest).toMatchObject(expected);
        },
      ),
    );
  });

  it('finds exactly the pair whose amount or currency differs', () => {
    fc.assert(
      fc.property(
        fc.array(known, { minLength: 1, maxLength: 30 }),
        fc.nat(29),
        fc.boolean(),
        (all, at, isAmount) => {
          const { lines, movements } = sidesOf(
            all.map((each) => ({ ...each, feeMinor: undefined, minutes: 600 })),
          );
          const number = at % lines.length;
          const line = lines[number]!;
          const other: ProviderLine = isAmount
            ? { ...line, amountMinor: line.amountMinor + 1n }
            : { ...line, currency: 'EUR' };
          const rest = compare(lines.with(number, other), movements);
          expect(rest).toMatchObject({
            ...nothingLeft,
            unequal: [{ line: other, movement: movements[number] }],
          });
        },
      ),
    );
  });

  it('has totals of both sides that are the sums of the day', () => {
    fc.assert(
      fc.property(fc.array(known, { maxLength: 30 }), (all) => {
        const { lines, movements } = sidesOf(all);
        const sumOf = (items: readonly { readonly amountMinor: bigint }[]) =>
          items.reduce((total, { amountMinor }) => total + amountMinor, 0n);
        const { totals } = compare(lines, movements);
        expect(totals.reduce((total, { there }) => total + there.minor, 0n)).toBe(
          sumOf(lines.filter(isInDay)),
        );
        expect(totals.reduce((total, { here }) => total + here.minor, 0n)).toBe(
          sumOf(movements.filter((each) => each.kind !== 'fee').filter(isInDay)),
        );
      }),
    );
  });
});

const sorted = ({ unbooked, unstated, unequal, feesUnbooked, ...rest }: Rest) => ({
  matched: rest.matched,
  unequal: unequal.map(({ line }) => line.reference).toSorted(),
  unbooked: unbooked.map(({ reference }) => reference).toSorted(),
  unstated: unstated.map(({ subject, kind }) => `${kind} ${subject}`).toSorted(),
  feesUnbooked: feesUnbooked.map(({ reference }) => reference).toSorted(),
});

describe('midnight', () => {
  const midnight = day.to.getTime();
  const just = (ms: number) => new Date(midnight + ms);

  it('does not part a payment that was captured at 23:59:58 there and at 00:00:03 here, in either day', () => {
    const line = aLine('payment', 1, { at: just(-2_000) });
    const movement = aMovement('payment', 1, { at: just(3_000) });
    for (const date of ['2026-11-20', '2026-11-21']) {
      const comparison = new DayComparison(dayOf(date, 'Europe/Moscow'));
      comparison.seeLine(line);
      comparison.seeMovement(movement);
      expect(comparison.rest()).toMatchObject({ ...nothingLeft, matched: 1 });
    }
  });

  it('is the limit of a day: what is further than 15 minutes behind it belongs to the next day alone', () => {
    const line = aLine('payment', 1, { at: just(-2_000) });
    const movement = aMovement('payment', 1, { at: just(15 * 60_000) });
    expect(compare([line], [movement])).toMatchObject({ ...nothingLeft, unbooked: [line] });
    expect(compare([line], [{ ...movement, at: just(15 * 60_000 - 1) }])).toMatchObject(nothingLeft);
  });

  it('leaves what is in the edges alone to the neighbouring days', () => {
    const lines = [
      aLine('payment', 1, { at: just(1) }),
      aLine('payment', 2, { at: new Date(day.from.getTime() - 1) }),
    ];
    const movements = [aMovement('payout', 3, { at: just(1) })];
    expect(compare(lines, movements)).toMatchObject({ ...nothingLeft, matched: 0, totals: [] });
  });
});

describe('two lines of one payment or payout', () => {
  it('are one that agrees and one of another order, also when their amounts are equal', () => {
    const own = aLine('payment', 1);
    const other = { ...own, reference: 'payment-other', orderReference: 'payment-other' };
    for (const lines of [
      [own, other],
      [other, own],
    ])
      expect(compare(lines, [aMovement('payment', 1)])).toMatchObject({
        ...nothingLeft,
        matched: 1,
        second: [other],
      });
  });

  it('of which only the other order is on the statement are two differences, not a match', () => {
    const other = aLine('payment', 1, { reference: 'payment-other', orderReference: 'payment-other' });
    const movement = aMovement('payment', 1);
    expect(compare([other], [movement])).toMatchObject({
      ...nothingLeft,
      matched: 0,
      unbooked: [other],
      unstated: [movement],
    });
  });

  it('of which one is at another provider are two differences: a payment has one provider', () => {
    const line = aLine('payment', 1, { provider: 'sandbox' });
    const movement = aMovement('payment', 1, { reference: undefined });
    expect(compare([line], [movement])).toMatchObject({
      ...nothingLeft,
      matched: 0,
      unbooked: [line],
      unstated: [movement],
    });
  });

  it('of which the journal’s is about a payment that is not stored are two differences: nobody can say whose it is', () => {
    const line = aLine('payment', 1);
    const movement = aMovement('payment', 1, { provider: undefined, reference: undefined });
    expect(compare([line], [movement])).toMatchObject({
      ...nothingLeft,
      unbooked: [line],
      unstated: [movement],
    });
  });

  it('are two attempts of a payout that both were paid', () => {
    const [first, second] = [aLine('payout', 1), aLine('payout', 1, { reference: 'payout-again' })];
    expect(compare([first, second], [aMovement('payout', 1)])).toMatchObject({
      ...nothingLeft,
      matched: 1,
      second: [second],
    });
  });
});

describe('lines without an id of ours', () => {
  it.each([
    ['an order of another system', aLine('payment', 1, { ourId: undefined })],
    ['an order with an id of another shape', aLine('payment', 1, { ourId: '4711' })],
    ['a payout made in the cabinet', aLine('payout', 1, { ourId: undefined })],
  ])('%s is of another system', (_which, line) => {
    expect(compare([line], [])).toMatchObject({ ...nothingLeft, foreign: 1, totals: [] });
  });

  it.each([
    ['in the cabinet', undefined],
    ['by another system', 'refund-4711'],
  ])('a refund made %s is left to be looked up by its order', (_where, ourId) => {
    const line = aLine('refund', 1, { ourId });
    expect(compare([line], [])).toMatchObject({ ...nothingLeft, unbooked: [line] });
  });
});

describe('fees', () => {
  const told = aLine('payment', 1, { feeMinor: 350n, tellsFees: true });
  const booked = aMovement('payment', 1);

  it('agree whichever side is seen first', () => {
    expect(compare([told], [booked, aFee(1, 350n)])).toMatchObject(nothingLeft);
    expect(compare([told], [aFee(1, 350n), booked])).toMatchObject(nothingLeft);
  });

  it('differ, are booked later, or are never told', () => {
    expect(compare([told], [booked, aFee(1, 351n)])).toMatchObject({
      ...nothingLeft,
      feesUnequal: [{ line: told, movement: aFee(1, 351n) }],
    });
    expect(compare([told], [booked])).toMatchObject({ ...nothingLeft, feesUnbooked: [told] });
    const untold = { ...told, feeMinor: undefined };
    expect(compare([untold], [booked])).toMatchObject({ ...nothingLeft, feesUnbooked: [untold] });
    expect(compare([{ ...untold, tellsFees: false }], [booked])).toMatchObject(nothingLeft);
  });

  it('of nothing need no entry', () => {
    expect(compare([{ ...told, feeMinor: 0n }], [booked])).toMatchObject(nothingLeft);
  });
});
