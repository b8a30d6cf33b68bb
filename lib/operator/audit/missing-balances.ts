import { type Entry, merchantAccounts } from '../../ledger/entry.ts';
import { isBalanceCurrency } from '../../money/money.ts';
import { type BalanceName, checkBalances } from './balance-check.ts';
import type { Difference } from './records.ts';
import type { AuditItem } from './source.ts';
import type { AuditPorts } from './steps.ts';

/**
 * The balances that entries moved: each must exist. The list of balances does not name one that is gone, so the entries do. Holds a name of
 * each merchant and currency that it met.
 */
export class MovedBalances {
  readonly #names = new Map<string, BalanceName>();

  see(items: readonly AuditItem[]): void {
    for (const { records } of items)
      for (const record of records) if (record.kind === 'entry') this.#seeEntry(record.entry);
  }

  /** Returns the differences of those that do not exist, against their journals. */
  async missing(ports: AuditPorts): Promise<readonly Difference[]> {
    const missing = await ports.balanceBooks.missing([...this.#names.values()]);
    return (await checkBalances(ports, missing)).differences;
  }

  #seeEntry({ merchantId, lines }: Entry): void {
    for (const { account, currency, minor } of lines)
      if (minor !== 0n && isBalanceCurrency(currency) && merchantAccounts.some((each) => each === account))
        this.#names.set(`${merchantId} ${currency}`, { merchantId, currency });
  }
}
