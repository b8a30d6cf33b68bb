import type { Chargeback } from '../../ledger/chargeback.ts';
import type { Claim } from '../../ledger/claim.ts';
import type { Authorization, Entry, EntryKind } from '../../ledger/entry.ts';
import { sum, toDecimal } from '../../money/money.ts';
import type { AuditRecord, Difference } from './records.ts';
import { Tally } from './tally.ts';

const booking: readonly EntryKind[] = ['CHARGEBACK', 'SURPLUS'];
const closing: readonly EntryKind[] = ['COLLECT', 'WRITE_OFF'];

/**
 * Checks that confirmed chargebacks and their entries match one to one, in amount, reason and people, and that what each claim
 * says is owed is what its entries posted to `claims`.
 */
export class ChargebackCheck {
  /** By chargeback: the content of its entry as the item expects it, and as posted. */
  readonly #confirmed = new Map<string, string>();
  readonly #posted = new Map<string, string[]>();
  /** By claim: what is owed, and what was posted to `claims`. */
  readonly #owed = new Map<string, bigint>();
  readonly #claims = new Tally();
  readonly #wrong: Difference[] = [];

  see(record: AuditRecord): void {
    if (record.kind === 'chargeback') this.#seeChargeback(record.chargeback);
    if (record.kind === 'claim') this.#seeClaim(record.claim);
    if (record.kind === 'entry') this.#seeEntry(record.entry);
  }

  differences(): readonly Difference[] {
    const booked = [...new Set([...this.#confirmed.keys(), ...this.#posted.keys()])];
    const claims = [...new Set([...this.#owed.keys(), ...this.#claims.names()])];
    return [
      ...this.#wrong,
      ...booked.flatMap((id) => this.#differsFromEntry(id)),
      ...claims.flatMap((id) => this.#differsFromOwed(id)),
    ];
  }

  #seeChargeback({ id, status, direction, amount, merchantId, paymentId, decision }: Chargeback): void {
    if (status !== 'CONFIRMED' || !decision) return;
    const isLoss = direction === 'loss';
    const [kind, minor] = isLoss ? ['CHARGEBACK', amount.minor] : ['SURPLUS', -amount.minor];
    this.#confirmed.set(
      id,
      contentOf(kind, { about: paymentId, merchantId }, `${toDecimal(minor)} ${amount.currency}`, decision),
    );
  }

  #seeClaim({ id, amount, openMinor, moves }: Claim): void {
    this.#owed.set(id, openMinor);
    const closed = sum(moves.map(({ minor }) => minor));
    if (amount.minor - closed === openMinor) return;
    const text = `claim ${id} of ${toDecimal(amount.minor)} was closed by ${toDecimal(closed)}, but ${toDecimal(openMinor)} is owed`;
    this.#wrong.push({ invariant: 'claims_match_entries', about: id, text });
  }

  #seeEntry(entry: Entry): void {
    const { kind, about, lines, adjustment } = entry;
    if (!booking.includes(kind) && !closing.includes(kind)) return;
    if (!adjustment) {
      const text = `${kind} entry of ${about} names no chargeback`;
      this.#wrong.push({ invariant: 'chargebacks_match_entries', about, text });
      return;
    }
    const isBooking = booking.includes(kind);
    if (isBooking) {
      const taken = lines.filter(({ account }) => account === 'acquirer');
      const amounts = taken.map(({ minor, currency }) => `${toDecimal(minor)} ${currency}`).join(', ');
      const content = contentOf(kind, entry, amounts, adjustment);
      this.#posted.set(adjustment.id, [...(this.#posted.get(adjustment.id) ?? []), content]);
    }
    const claim = isBooking ? adjustment.id : adjustment.id.slice(0, adjustment.id.lastIndexOf('.'));
    for (const { minor } of lines.filter(({ account }) => account === 'claims'))
      this.#claims.add(claim, -minor);
  }

  #differsFromEntry(about: string): readonly Difference[] {
    const [confirmed, entries] = [this.#confirmed.get(about), this.#posted.get(about) ?? []];
    // Sorted, so that the text does not depend on the order of reading.
    const posted = entries.length > 0 ? entries.toSorted().join(' and ') : undefined;
    if (confirmed === posted) return [];
    const text = `chargeback ${about} ${differenceOf(confirmed, posted)}`;
    return [{ invariant: 'chargebacks_match_entries', about, text }];
  }

  #differsFromOwed(about: string): readonly Difference[] {
    const [owed = 0n, posted] = [this.#owed.get(about), this.#claims.of(about)];
    const text = `claim ${about} says that ${toDecimal(owed)} is owed, but its entries say ${toDecimal(posted)}`;
    return owed === posted ? [] : [{ invariant: 'claims_match_entries', about, text }];
  }
}

function differenceOf(confirmed: string | undefined, posted: string | undefined): string {
  if (confirmed === undefined) return 'has an entry, but is not confirmed';
  if (posted === undefined) return 'is confirmed, but has no entry';
  return `was confirmed as ${confirmed}, but its entry is ${posted}`;
}

/** Returns what the item fixes of its entry, as text. What the merchant or a claim bears depends on the balance at the time. */
const contentOf = (
  kind: string,
  { about, merchantId }: Pick<Entry, 'about' | 'merchantId'>,
  amounts: string,
  { proposedBy, approvedBy, reason }: Pick<Authorization, 'proposedBy' | 'approvedBy' | 'reason'>,
): string =>
  `"${kind} ${amounts}; ${merchantId}, about ${about}, ${proposedBy} and ${approvedBy}: ${reason}"`;
