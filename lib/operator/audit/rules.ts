import { balanceRules } from './balance-rules.ts';
import type { AuditRecord, Difference } from './records.ts';
import type { AnyRule, Found } from './rule.ts';

/** Every rule of the audit, by the room of what it is about. */
const rules: readonly AnyRule[] = [...balanceRules];

/** Judges a record by every rule of its kind. */
export const judge = (record: AuditRecord, found: Found, now: Date): readonly Difference[] =>
  rules.flatMap(({ differences }) => differences(record, found, now));
