import type { EntryKind } from '../../ledger/entry.ts';
import { toDecimal } from '../../money/money.ts';
import { debitMinor, type Payout, sentMinor } from '../../payout/payout.ts';
import { isFinalPayoutStatus, type PayoutStatus } from '../../payout/states.ts';
import type { AuditRecord, Difference } from './records.ts';
import { Tally } from './tally.ts';

/** The entry that a payout's final state posts. */
const postedBy: Partial<{ readonly [S in PayoutStatus]: EntryKind }> = {
  SUCCESS: 'SETTLE',
  FAIL: 'RELEASE',
  DECLINED: 'RELEASE',
};
const closing: readonly EntryKind[] = ['SETTLE', 'RELEASE'];

/** Checks that balances reserve what unfinished payouts need, and that each payout's entries match its state. */
export class PayoutCheck {
  readonly #stored = new Tally();
  readonly #unfinished = new Tally();
  /** By group: the sum of its parts, and the amount of its RESERVE entry. */
  readonly #parts = new Tally();
  readonly #reserved = new Tally();
  /** `<payout> <kind>` of the closing entries that were posted, and of those that the payouts' states require. */
  readonly #closed = new Set<string>();
  readonly #expected = new Set<string>();

  see(record: AuditRecord): void {
    if (record.kind === 'balance') {
      const { currency, locked, held } = record.balance;
      this.#stored.add(`${record.merchantId} ${currency} locked`, locked);
      this.#stored.add(`${record.merchantId} ${currency} held`, held);
    }
    if (record.kind === 'payout') this.#seePayout(record.payout);
    if (record.kind !== 'entry') return;
    const { about, kind, lines } = record.entry;
    if (closing.includes(kind)) this.#closed.add(`${about} ${kind}`);
    if (kind !== 'RESERVE') return;
    for (const { minor } of lines.filter(({ account }) => account === 'available'))
      this.#reserved.add(about, -minor);
  }

  differences(): readonly Difference[] {
    const balances = [...new Set([...this.#stored.names(), ...this.#unfinished.names()])];
    const groups = [...new Set([...this.#parts.names(), ...this.#reserved.names()])];
    return [
      ...balances.flatMap((about) => this.#differsFromUnfinished(about)),
      ...groups.flatMap((about) => this.#differsFromReserved(about)),
      ...[...this.#expected].filter((each) => !this.#closed.has(each)).map(missing),
      ...[...this.#closed].filter((each) => !this.#expected.has(each)).map(unexpected),
    ];
  }

  #seePayout(payout: Payout): void {
    this.#parts.add(payout.groupId, debitMinor(payout));
    const kind = postedBy[payout.status];
    if (kind) this.#expected.add(`${payout.id} ${kind}`);
    if (isFinalPayoutStatus(payout.status)) return;
    const balance = `${payout.merchantId} ${payout.amount.currency}`;
    this.#unfinished.add(`${balance} locked`, sentMinor(payout));
    this.#unfinished.add(`${balance} held`, payout.commissionMinor);
  }

  #differsFromUnfinished(about: string): readonly Difference[] {
    const [stored, unfinished] = [this.#stored.of(about), this.#unfinished.of(about)];
    const text = `balance ${about} is ${toDecimal(stored)}, but its unfinished payouts reserve ${toDecimal(unfinished)}`;
    return stored === unfinished ? [] : [{ invariant: 'reserves_match_payouts', about, text }];
  }

  #differsFromReserved(about: string): readonly Difference[] {
    const [parts, reserved] = [this.#parts.of(about), this.#reserved.of(about)];
    const text = `payout group ${about} takes ${toDecimal(parts)}, but its RESERVE entry took ${toDecimal(reserved)}`;
    return parts === reserved ? [] : [{ invariant: 'reserves_match_payouts', about, text }];
  }
}

const missing = (about: string): Difference => ({
  invariant: 'reserves_match_payouts',
  about,
  text: `payout ${about.replace(' ', ' is final, but has no ')} entry`,
});

const unexpected = (about: string): Difference => ({
  invariant: 'reserves_match_payouts',
  about,
  text: `payout ${about.replace(' ', ' has a ')} entry that its state does not account for`,
});
