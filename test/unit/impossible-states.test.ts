import { describe, expect, it } from 'vitest';
import type { Bill, MultiBill } from '../../lib/bill/bill.ts';
import { billItem, toBill } from '../../lib/store/bill-item.ts';
import { aBill } from '../support/builders.ts';

/*
 * States that must not compile. A line under `@ts-expect-error` is an error that the type check demands: once the
 * state can be written down, `tsc` fails.
 */

describe('a MULTI bill', () => {
  it('has no lock to ask for', () => {
    const ask = (multi: MultiBill, any: Bill) => [
      // @ts-expect-error: nobody holds a MULTI bill
      multi.lockUntil,
      // @ts-expect-error: nor captures for it alone
      multi.fenced,
      // @ts-expect-error: it never finishes
      multi.paidBy,
      // @ts-expect-error: without its type, a bill may be a MULTI bill
      any.current,
    ];
    expect(ask(aBill({ type: 'MULTI' }), aBill({ type: 'MULTI' }))).toEqual(Array(4).fill(undefined));
    // @ts-expect-error: a MULTI bill with a failure cannot be made
    expect(aBill({ type: 'MULTI', failures: 1 }).type).toBe('MULTI');
  });

  it('is stored with the attributes of a bill that nobody holds, and read without them', () => {
    const bill = aBill({ type: 'MULTI' });
    expect(billItem(bill)).toMatchObject({ type: 'MULTI', fenced: false, failures: 0 });
    const read = toBill({ ...billItem(bill), amountMinor: 10_050 });
    expect(read).not.toHaveProperty('fenced');
    expect(read).toMatchObject({ id: bill.id, type: 'MULTI' });
  });
});
