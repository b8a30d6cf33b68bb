import type { Entry } from '../../ledger/entry.ts';
import { sum, toDecimal } from '../../money/money.ts';
import type { Payment } from '../../payment/payment.ts';
import type { AuditRecord, Difference } from './records.ts';
import { Tally } from './tally.ts';

/**
 * Checks that `reserved` is the sum of the payments' reserves that are not released, that each reserve is what its CAPTURE entry
 * reserved, and that exactly the released ones have a RESERVE_RELEASE entry, of the same amount.
 */
export class ReserveCheck {
  /** By `<merchant> <CUR>`. */
  readonly #stored = new Tally();
  readonly #unreleased = new Tally();
  /** By payment: what the payment and its CAPTURE entry reserve, and what is released of it. */
  readonly #reserve = new Tally();
  readonly #captured = new Tally();
  readonly #released = new Tally();
  readonly #posted = new Tally();

  see(record: AuditRecord): void {
    if (record.kind === 'balance')
      this.#stored.add(`${record.merchantId} ${record.balance.currency}`, record.balance.reserved);
    if (record.kind === 'payment') this.#seePayment(record.payment);
    if (record.kind === 'entry') this.#seeEntry(record.entry);
  }

  differences(): readonly Difference[] {
    return [
      ...unlike(
        this.#stored,
        this.#unreleased,
        (about, stored, unreleased) =>
          `balance ${about} reserved is ${stored}, but its payments' unreleased reserves are ${unreleased}`,
      ),
      ...unlike(
        this.#reserve,
        this.#captured,
        (about, reserve, captured) =>
          `payment ${about} has a reserve of ${reserve}, but its CAPTURE entry reserved ${captured}`,
      ),
      ...unlike(
        this.#released,
        this.#posted,
        (about, released, posted) =>
          `payment ${about} released ${released} of its reserve, but its RESERVE_RELEASE entry moved ${posted}`,
      ),
    ];
  }

  #seePayment({ id, merchantId, reserve }: Payment): void {
    if (!reserve) return;
    this.#reserve.add(id, reserve.minor);
    if (reserve.released) this.#released.add(id, reserve.minor);
    else this.#unreleased.add(`${merchantId} ${reserve.currency}`, reserve.minor);
  }

  #seeEntry({ kind, about, lines }: Entry): void {
    if (kind !== 'CAPTURE' && kind !== 'RESERVE_RELEASE') return;
    const reserved = sum(lines.filter(({ account }) => account === 'reserved').map(({ minor }) => minor));
    if (kind === 'CAPTURE') this.#captured.add(about, reserved);
    else this.#posted.add(about, -reserved);
  }
}

const unlike = (
  one: Tally,
  other: Tally,
  text: (about: string, one: string, other: string) => string,
): readonly Difference[] =>
  [...new Set([...one.names(), ...other.names()])]
    .filter((about) => one.of(about) !== other.of(about))
    .map((about) => ({
      invariant: 'reserve_matches_payments',
      about,
      text: text(about, toDecimal(one.of(about)), toDecimal(other.of(about))),
    }));
