import { type Entry, merchantAccounts } from '../../ledger/entry.ts';
import { toDecimal } from '../../money/money.ts';
import type { AuditRecord, Difference } from './records.ts';
import { Tally } from './tally.ts';

/** Checks that the journal is balanced and agrees with the balances. */
export class JournalCheck {
  readonly #unbalanced: Difference[] = [];
  /** `<merchant> <CUR> <account>`, from the journal and from the balance items. */
  readonly #posted = new Tally();
  readonly #stored = new Tally();
  /** By currency: the sum of all balances and of all postings to platform accounts. */
  readonly #total = new Tally();

  see(record: AuditRecord): void {
    if (record.kind === 'entry') this.#seeEntry(record.entry);
    if (record.kind !== 'balance') return;
    for (const account of merchantAccounts) {
      const { currency } = record.balance;
      this.#stored.add(`${record.merchantId} ${currency} ${account}`, record.balance[account]);
      this.#total.add(currency, record.balance[account]);
    }
  }

  differences(): readonly Difference[] {
    const accounts = [...new Set([...this.#posted.names(), ...this.#stored.names()])];
    return [
      ...this.#unbalanced,
      ...accounts.flatMap((account) => this.#differsFromJournal(account)),
      ...this.#total.names().flatMap((currency) => this.#sumNotZero(currency)),
    ];
  }

  #seeEntry(entry: Entry): void {
    const sums = new Tally();
    for (const { account, currency, minor } of entry.lines) {
      sums.add(currency, minor);
      const isMerchants = merchantAccounts.some((each) => each === account);
      if (isMerchants) this.#posted.add(`${entry.merchantId} ${currency} ${account}`, minor);
      else this.#total.add(currency, minor);
    }
    const about = `${entry.kind} of ${entry.about}`;
    for (const currency of sums.names().filter((each) => sums.of(each) !== 0n)) {
      const text = `entry ${about} sums to ${toDecimal(sums.of(currency))} ${currency}, not to zero`;
      this.#unbalanced.push({ invariant: 'entry_balances', about, text });
    }
  }

  #differsFromJournal(about: string): readonly Difference[] {
    const [stored, posted] = [this.#stored.of(about), this.#posted.of(about)];
    const text = `balance ${about} is ${toDecimal(stored)}, but its journal lines sum to ${toDecimal(posted)}`;
    return stored === posted ? [] : [{ invariant: 'balance_matches_journal', about, text }];
  }

  #sumNotZero(currency: string): readonly Difference[] {
    const total = this.#total.of(currency);
    const text = `all ${currency} accounts together hold ${toDecimal(total)}, not zero`;
    return total === 0n ? [] : [{ invariant: 'accounts_sum_to_zero', about: currency, text }];
  }
}
