import { describe, expect, it } from 'vitest';
import type { Bill, MultiBill } from '../../lib/bill/bill.ts';
import { billItem, toBill } from '../../lib/store/bill-item.ts';
import { aBill } from '../support/builders.ts';

/*
 * States that must not compile. A line under `@ts-expect-error` is an error that the type check demands: once the
 * state compiles, `tsc` fails.
 */

describe('a MULTI bill', () => {
  it('has no lock', () => {
    const ask = (multi: MultiBill, any: Bill) => [
      // @ts-expect-error: no payment holds a MULTI bill
      multi.lockUntil,
      // @ts-expect-error: no payment fences a MULTI bill
      multi.fenced,
      // @ts-expect-error: it never finishes
      multi.paidBy,
      // @ts-expect-error: without its type, a bill may be a MULTI bill
      any.current,
    ];
    expect(ask(aBill({ type: 'MULTI' }), aBill({ type: 'MULTI' }))).toEqual(Array(4).fill(undefined));
    // @ts-expect-error: a MULTI bill has no failures
    expect(aBill({ type: 'MULTI', failures: 1 }).type).toBe('MULTI');
  });

  it('is stored with the attributes of a bill that is not held, and read without them', () => {
    const bill = aBill({ type: 'MULTI' });
    expect(billItem(bill)).toMatchObject({ type: 'MULTI', fenced: false, failures: 0 });
    const read = toBill({ ...billItem(bill), amountMinor: 10_050 });
    expect(read).not.toHaveProperty('fenced');
    expect(read).toMatchObject({ id: bill.id, type: 'MULTI' });
  });
});
