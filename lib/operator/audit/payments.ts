import type { Bill } from '../../bill/bill.ts';
import type { Entry } from '../../ledger/entry.ts';
import { sum, toDecimal } from '../../money/money.ts';
import { awaitsAcquirer, isPaid, type Payment } from '../../payment/payment.ts';
import type { AuditRecord, Difference } from './records.ts';

/**
 * Checks that paid payments and CAPTURE entries match one to one, that a NORMAL bill names its only paid payment,
 * that a MULTI bill with a paid payment is SUCCESS, and that money captured for a failed payment was refunded.
 */
export class PaymentCheck {
  /** The captured amount by payment: in the payment and in its CAPTURE entry. */
  readonly #paid = new Map<string, bigint>();
  readonly #captured = new Map<string, bigint>();
  /** The amounts captured and not refunded, and the failed payments that wait for nothing. */
  readonly #refundsDue = new Map<string, bigint>();
  readonly #failed = new Set<string>();
  /** By NORMAL bill: its paid payments, and the payment that the bill names. */
  readonly #payersOf = new Map<string, string[]>();
  readonly #paidBy = new Map<string, string>();
  readonly #paidMulti = new Set<string>();
  readonly #newMulti = new Set<string>();

  see(record: AuditRecord): void {
    if (record.kind === 'payment') this.#seePayment(record.payment);
    if (record.kind === 'bill') this.#seeBill(record.bill);
    if (record.kind === 'entry') this.#seeEntry(record.entry);
  }

  differences(): readonly Difference[] {
    const payments = [...new Set([...this.#paid.keys(), ...this.#captured.keys()])];
    const bills = [...new Set([...this.#payersOf.keys(), ...this.#paidBy.keys()])];
    return [
      ...payments.flatMap((id) => this.#differsFromCapture(id)),
      ...bills.flatMap((id) => this.#differsFromBill(id)),
      ...[...this.#failed].flatMap((id) => this.#notRefunded(id)),
      ...[...this.#newMulti].filter((id) => this.#paidMulti.has(id)).map(showsNew),
    ];
  }

  #seePayment(payment: Payment): void {
    if (payment.status === 'FAIL' && !awaitsAcquirer(payment)) this.#failed.add(payment.id);
    if (!isPaid(payment)) return;
    this.#paid.set(payment.id, payment.receivedMinor ?? 0n);
    if (payment.billType === 'MULTI') {
      this.#paidMulti.add(payment.billId);
      return;
    }
    this.#payersOf.set(payment.billId, [...(this.#payersOf.get(payment.billId) ?? []), payment.id]);
  }

  #seeBill(bill: Bill): void {
    if (bill.type === 'MULTI' && bill.status === 'NEW') this.#newMulti.add(bill.id);
    if (bill.type === 'NORMAL' && bill.paidBy !== undefined) this.#paidBy.set(bill.id, bill.paidBy);
  }

  #seeEntry({ kind, about, lines }: Entry): void {
    if (kind !== 'CAPTURE' && kind !== 'DUPLICATE_CAPTURE' && kind !== 'REFUND') return;
    const taken = -sum(lines.filter(({ account }) => account === 'acquirer').map(({ minor }) => minor));
    if (kind === 'CAPTURE') this.#captured.set(about, taken);
    else this.#refundsDue.set(about, (this.#refundsDue.get(about) ?? 0n) + taken);
  }

  #differsFromCapture(about: string): readonly Difference[] {
    const [paid, captured] = [this.#paid.get(about), this.#captured.get(about)];
    if (paid === captured) return [];
    return [
      {
        invariant: 'captures_match_payments',
        about,
        text: `payment ${about} ${differenceOf(paid, captured)}`,
      },
    ];
  }

  #notRefunded(about: string): readonly Difference[] {
    const unrefunded = this.#refundsDue.get(about) ?? 0n;
    if (unrefunded === 0n) return [];
    return [
      {
        invariant: 'captures_match_payments',
        about,
        text: `payment ${about} failed, but ${toDecimal(unrefunded)} of it was not refunded`,
      },
    ];
  }

  #differsFromBill(about: string): readonly Difference[] {
    const [payers, named] = [this.#payersOf.get(about) ?? [], this.#paidBy.get(about)];
    if (payers.length === 1 && payers[0] === named) return [];
    const text = `bill ${about} is paid by ${payers.join(' and ') || 'no payment'}, but names ${named ?? 'none'}`;
    return [{ invariant: 'captures_match_payments', about, text }];
  }
}

const showsNew = (about: string): Difference => ({
  invariant: 'captures_match_payments',
  about,
  text: `bill ${about} has a paid payment, but shows NEW`,
});

function differenceOf(paid: bigint | undefined, captured: bigint | undefined): string {
  if (paid === undefined) return 'has a CAPTURE entry, but is not paid';
  if (captured === undefined) return 'is paid, but has no CAPTURE entry';
  return `received ${toDecimal(paid)}, but its CAPTURE entry took ${toDecimal(captured)}`;
}
