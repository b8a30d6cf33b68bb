import { type Entry, merchantAccounts } from '../../ledger/entry.ts';
import { toDecimal } from '../../money/money.ts';
import type { AuditRecord, Difference } from './records.ts';
import { Tally } from './tally.ts';

/** Checks that the journal agrees with the balances. */
export class JournalCheck {
  /** `<merchant> <CUR> <account>`, from the journal and from the balance items. */
  readonly #posted = new Tally();
  readonly #stored = new Tally();

  see(record: AuditRecord): void {
    if (record.kind === 'entry') this.#seeEntry(record.entry);
    if (record.kind !== 'balance') return;
    for (const account of merchantAccounts)
      this.#stored.add(`${record.merchantId} ${record.balance.currency} ${account}`, record.balance[account]);
  }

  differences(): readonly Difference[] {
    const accounts = [...new Set([...this.#posted.names(), ...this.#stored.names()])];
    return accounts.flatMap((account) => this.#differsFromJournal(account));
  }

  #seeEntry({ merchantId, lines }: Entry): void {
    for (const { account, currency, minor } of lines)
      if (merchantAccounts.some((each) => each === account))
        this.#posted.add(`${merchantId} ${currency} ${account}`, minor);
  }

  #differsFromJournal(about: string): readonly Difference[] {
    const [stored, posted] = [this.#stored.of(about), this.#posted.of(about)];
    const text = `balance ${about} is ${toDecimal(stored)}, but its journal lines sum to ${toDecimal(posted)}`;
    return stored === posted ? [] : [{ invariant: 'balance_matches_journal', about, text }];
  }
}
