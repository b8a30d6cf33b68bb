import { balanceRules } from './balance-rules.ts';
import { decisionRules } from './decision-rules.ts';
import { merchantRules } from './merchant-rules.ts';
import { paymentDecisionRules } from './payment-decision-rules.ts';
import { payoutEventRules } from './payout-event-rules.ts';
import { payoutRules } from './payout-rules.ts';
import { billRules } from './bill-rules.ts';
import { chargebackRules } from './chargeback-rules.ts';
import { entryRules } from './entry-rules.ts';
import { eventRules } from './event-rules.ts';
import { refundEventRules } from './refund-event-rules.ts';
import { refundRules } from './refund-rules.ts';
import { paymentRules } from './payment-rules.ts';
import type { AuditRecord, Difference } from './records.ts';
import { type AnyRule, foundIn, type Found, isRead, type Ref, refOf, refText } from './rule.ts';

/** Every rule of the audit, by the room of what it is about. */
const rules: readonly AnyRule[] = [
  ...balanceRules,
  ...payoutRules,
  ...payoutEventRules,
  ...merchantRules,
  ...decisionRules,
  ...paymentDecisionRules,
  ...entryRules,
  ...paymentRules,
  ...billRules,
  ...eventRules,
  ...refundEventRules,
  ...refundRules,
  ...chargebackRules,
];

/** Returns what the rules read in order to judge a record. */
export const needsOf = (record: AuditRecord): readonly Ref[] =>
  isRead(record) ? rules.flatMap(({ needs }) => orNothing(() => needs(record))) : [];

/** A rule that fails on a record's content is reported by `judge`. */
function orNothing(needs: () => readonly Ref[]): readonly Ref[] {
  try {
    return needs();
  } catch {
    return [];
  }
}

/** Judges a record by every rule of its kind. A record that a rule cannot judge is a difference as well: the audit goes on. */
export function judge(record: AuditRecord, found: Found, now: Date): readonly Difference[] {
  if (record.kind === 'misfiled') {
    const { kind: _, until, ...difference } = record;
    return until === undefined || now < until ? [difference] : [];
  }
  if (record.kind === 'unreadable') {
    const text = `item ${record.key} cannot be read: ${record.why}`;
    return [{ invariant: 'items', about: record.key, text }];
  }
  return rules.flatMap(({ needs, differences }) => {
    try {
      needs(record);
      return differences(record, found, now);
    } catch (error) {
      const about = refText(refOf(record));
      const why = error instanceof Error ? error.message : String(error);
      return [{ invariant: 'items' as const, about, text: `${about} cannot be judged: ${why}` }];
    }
  });
}

/** Judges every record of a small table among the others: the table of a test or the simulation. */
export function judgeAll(records: readonly AuditRecord[], now: Date): readonly Difference[] {
  const found = foundIn(records.filter(isRead));
  return records.flatMap((record) => judge(record, found, now));
}
