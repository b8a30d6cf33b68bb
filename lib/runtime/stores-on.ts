import type { Terms } from '../merchant/terms.ts';
import type { BillCurrency } from '../money/money.ts';
import type { Table } from '../store/table.ts';
import * as stores from './stores.ts';

/** Returns all stores on one table, for the command line. */
export function storesOn(table: Table, defaultTerms: (currency: BillCurrency) => Terms) {
  const made = Object.entries(stores).map(([name, make]) => [name, make(table, defaultTerms)]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `fromEntries` loses which name has which store
  return Object.fromEntries(made) as {
    readonly [Name in keyof typeof stores]: ReturnType<(typeof stores)[Name]>;
  };
}
