import type { Entry } from '../../ledger/entry.ts';
import { toDecimal } from '../../money/money.ts';
import type { Payment } from '../../payment/payment.ts';
import type { AuditRecord, Difference } from './records.ts';
import { Tally } from './tally.ts';

/** Checks that the acquirer's fees of the payments and the PROVIDER_FEE entries match one to one. A fee of nothing has no entry. */
export class ProviderFeeCheck {
  /** By payment and currency. */
  readonly #stored = new Tally();
  readonly #posted = new Tally();

  see(record: AuditRecord): void {
    if (record.kind === 'payment') this.#seePayment(record.payment);
    if (record.kind === 'entry') this.#seeEntry(record.entry);
  }

  differences(): readonly Difference[] {
    const names = [...new Set([...this.#stored.names(), ...this.#posted.names()])];
    return names.flatMap((about) => {
      const [stored, posted] = [this.#stored.of(about), this.#posted.of(about)];
      const text = `payment ${about} cost a fee of ${toDecimal(stored)}, but its PROVIDER_FEE entry posted ${toDecimal(posted)}`;
      return stored === posted ? [] : [{ invariant: 'provider_fees_match_payments', about, text }];
    });
  }

  #seePayment({ id, amount, providerFeeMinor }: Payment): void {
    if (providerFeeMinor !== undefined) this.#stored.add(`${id} ${amount.currency}`, providerFeeMinor);
  }

  #seeEntry({ kind, about, lines }: Entry): void {
    if (kind !== 'PROVIDER_FEE') return;
    for (const { account, currency, minor } of lines)
      if (account === 'provider_fees') this.#posted.add(`${about} ${currency}`, -minor);
  }
}
