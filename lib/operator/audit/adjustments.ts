import { type Adjustment, adjustmentEntry } from '../../ledger/adjustment.ts';
import type { Entry } from '../../ledger/entry.ts';
import { toDecimal } from '../../money/money.ts';
import type { AuditRecord, Difference } from './records.ts';

/** Checks that approved adjustments and ADJUST entries match one to one, including amount, reason and approver. */
export class AdjustmentCheck {
  /** By adjustment: the expected content of its entry, and the posted content. */
  readonly #approved = new Map<string, string>();
  readonly #posted = new Map<string, string[]>();
  readonly #unauthorized: Difference[] = [];

  see(record: AuditRecord): void {
    if (record.kind === 'adjustment') this.#seeAdjustment(record.adjustment);
    if (record.kind === 'entry' && record.entry.kind === 'ADJUST') this.#seeEntry(record.entry);
  }

  differences(): readonly Difference[] {
    const ids = [...new Set([...this.#approved.keys(), ...this.#posted.keys()])];
    return [...this.#unauthorized, ...ids.flatMap((id) => this.#differsFromEntry(id))];
  }

  #seeAdjustment(adjustment: Adjustment): void {
    if (adjustment.status !== 'APPROVED') return;
    this.#approved.set(adjustment.id, contentOf(adjustmentEntry(adjustment)));
  }

  #seeEntry(entry: Entry): void {
    if (entry.adjustment) {
      const { id } = entry.adjustment;
      this.#posted.set(id, [...(this.#posted.get(id) ?? []), contentOf(entry)]);
      return;
    }
    const text = `ADJUST entry of ${entry.about} names no adjustment`;
    this.#unauthorized.push({ invariant: 'adjustments_match_entries', about: entry.about, text });
  }

  #differsFromEntry(about: string): readonly Difference[] {
    const [approved, entries] = [this.#approved.get(about), this.#posted.get(about) ?? []];
    // Sorted, so that the text does not depend on the order of reading.
    const posted = entries.length > 0 ? entries.toSorted().join(' and ') : undefined;
    if (approved === posted) return [];
    return [
      {
        invariant: 'adjustments_match_entries',
        about,
        text: `adjustment ${about} ${differenceOf(approved, posted)}`,
      },
    ];
  }
}

function differenceOf(approved: string | undefined, posted: string | undefined): string {
  if (approved === undefined) return 'has an ADJUST entry, but is not approved';
  if (posted === undefined) return 'is approved, but has no ADJUST entry';
  return `was approved as ${approved}, but its ADJUST entry is ${posted}`;
}

/** Returns the content of an entry except its time, as text. */
function contentOf({ about, merchantId, lines, adjustment }: Entry): string {
  const amounts = lines.map(({ account, minor, currency }) => `${account} ${toDecimal(minor)} ${currency}`);
  const { reason, proposedBy, approvedBy } = adjustment ?? {};
  return `"${amounts.join(', ')}; ${merchantId}, about ${about}, ${proposedBy} and ${approvedBy}: ${reason}"`;
}
