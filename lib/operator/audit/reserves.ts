import type { Entry } from '../../ledger/entry.ts';
import { sum, toDecimal } from '../../money/money.ts';
import { isPaid, type Payment } from '../../payment/payment.ts';
import { releaseTime, reservedShare } from '../../payment/payment-postings.ts';
import type { AuditRecord, Difference } from './records.ts';
import { Tally } from './tally.ts';

type Reserving = Pick<Payment, 'reserveTerms' | 'reserve'>;
type Posted = { readonly reserved: bigint; readonly net: bigint; readonly at: Date };

const nothing: Posted = { reserved: 0n, net: 0n, at: new Date(0) };

/** The sweep releases within minutes, and after an interruption of days: a reserve that waits longer is stuck. */
const graceMs = 7 * 24 * 3600_000;

/**
 * Checks that `reserved` is the sum of the payments' reserves that are not released, that each reserve and its CAPTURE entry are what
 * the payment's terms say, that exactly the released ones have a RESERVE_RELEASE entry, of the same amount and not too early, and that
 * none is overdue.
 */
export class ReserveCheck {
  /** Reserves that were due before this are overdue. */
  readonly #releasedBefore: Date;
  /** By `<merchant> <CUR>`. */
  readonly #stored = new Tally();
  readonly #unreleased = new Tally();
  /** By payment. */
  readonly #paid = new Map<string, Reserving>();
  readonly #captured = new Map<string, Posted>();
  readonly #released = new Map<string, Posted>();

  constructor(now: Date) {
    this.#releasedBefore = new Date(now.getTime() - graceMs);
  }

  see(record: AuditRecord): void {
    if (record.kind === 'balance')
      this.#stored.add(`${record.merchantId} ${record.balance.currency}`, record.balance.reserved);
    if (record.kind === 'payment' && isPaid(record.payment)) this.#seePayment(record.payment);
    if (record.kind === 'entry') this.#seeEntry(record.entry);
  }

  differences(): readonly Difference[] {
    const balances = [...new Set([...this.#stored.names(), ...this.#unreleased.names()])];
    const payments = [...new Set([...this.#paid.keys(), ...this.#captured.keys(), ...this.#released.keys()])];
    const found = [
      ...balances.map((about) => [about, this.#inBalance(about)] as const),
      ...payments.flatMap((about) => [
        [about, this.#asAgreed(about)] as const,
        [about, this.#releaseOf(about)] as const,
      ]),
    ];
    return found.flatMap(([about, text]) =>
      text === undefined ? [] : [{ invariant: 'reserve_matches_payments', about, text }],
    );
  }

  #seePayment({ id, merchantId, reserveTerms, reserve }: Payment): void {
    if (!reserveTerms && !reserve) return;
    this.#paid.set(id, { reserveTerms, reserve });
    if (reserve && !reserve.released)
      this.#unreleased.add(`${merchantId} ${reserve.currency}`, reserve.minor);
  }

  #seeEntry({ kind, about, lines, at }: Entry): void {
    const on = (accounts: readonly string[]) =>
      sum(lines.flatMap(({ account, minor }) => (accounts.includes(account) ? [minor] : [])));
    const posted = { reserved: on(['reserved']), net: on(['available', 'reserved']), at };
    if (kind === 'CAPTURE') this.#captured.set(about, posted);
    if (kind === 'RESERVE_RELEASE') this.#released.set(about, posted);
  }

  #inBalance(about: string): string | undefined {
    const [stored, unreleased] = [this.#stored.of(about), this.#unreleased.of(about)];
    return stored === unreleased
      ? undefined
      : `balance ${about} reserved is ${toDecimal(stored)}, but its payments' unreleased reserves are ${toDecimal(unreleased)}`;
  }

  #asAgreed(about: string): string | undefined {
    const { reserveTerms: terms, reserve } = this.#paid.get(about) ?? {};
    const { reserved, net, at } = this.#captured.get(about) ?? nothing;
    const [agreed, has] = [reservedShare(net, terms), reserve?.minor ?? 0n];
    if (agreed !== reserved || agreed !== has)
      return `payment ${about} has a reserve of ${toDecimal(has)}, and its CAPTURE entry reserved ${toDecimal(reserved)}, but its terms say ${toDecimal(agreed)}`;
    if (!reserve || !terms || reserve.releaseAt.getTime() === releaseTime(at, terms).getTime())
      return undefined;
    return `payment ${about} releases its reserve on ${reserve.releaseAt.toISOString()}, but its terms say ${releaseTime(at, terms).toISOString()}`;
  }

  #releaseOf(about: string): string | undefined {
    const reserve = this.#paid.get(about)?.reserve;
    const release = this.#released.get(about);
    const [says, moved] = [reserve?.released ? reserve.minor : 0n, -(release?.reserved ?? 0n)];
    if (says !== moved)
      return `payment ${about} released ${toDecimal(says)} of its reserve, but its RESERVE_RELEASE entry moved ${toDecimal(moved)}`;
    if (reserve && !reserve.released && reserve.releaseAt < this.#releasedBefore)
      return `payment ${about} has not released its reserve of ${toDecimal(reserve.minor)}, due on ${reserve.releaseAt.toISOString()}`;
    return release && reserve && release.at < reserve.releaseAt
      ? `payment ${about} released its reserve on ${release.at.toISOString()}, before ${reserve.releaseAt.toISOString()}`
      : undefined;
  }
}
