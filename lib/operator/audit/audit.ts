import type { AuditRecord, Difference } from './records.ts';
import { added, distinct, isOverflowing, positionAfter, positionIn } from './progress.ts';
import { judgeAll } from './rules.ts';
import { type AuditPorts, stepsOf } from './steps.ts';
import { unreadableCursor } from '../../unreadable-cursor.ts';
import type { AuditScope } from './source.ts';

export type AuditReport = {
  readonly differences: readonly Difference[];
  /** What the steps counted, by name: `items` read, … */
  readonly counts: Readonly<Record<string, number>>;
  /** Where an audit that was interrupted continues; undefined: it is done. */
  readonly next: string | undefined;
};

const everything: AuditScope = { merchantId: undefined, since: undefined };

type Input = {
  readonly scope?: AuditScope;
  /** The cursor of an interrupted audit. */
  readonly after: string | undefined;
  /** Whether to go on with the next page; it is told what was found so far. */
  readonly mayGoOn?: (soFar: AuditReport) => boolean;
};

/** How long a part may take, so that what it suspects is confirmed and told soon. */
const partMs = 60_000;

/** Recomputes the invariants (lib/ledger/README.md) from the items of the scope, step by step. Changes nothing. */
export async function audit(
  ports: AuditPorts,
  { scope = everything, after, mayGoOn = () => true }: Input = { after: undefined },
): Promise<AuditReport> {
  const steps = stepsOf(ports);
  if (!positionIn(steps, after)) throw unreadableCursor();
  let report: AuditReport = { differences: [], counts: {}, next: after ?? steps[0]?.name };
  while (report.next !== undefined && mayGoOn(report) && !isOverflowing(report.differences.length)) {
    const { step = 0, cursor } = positionIn(steps, report.next) ?? {};
    const begun = ports.now().getTime();
    const before = report;
    const part = await steps[step]?.part({
      scope,
      after: cursor,
      mayGoOn: (counts = {}) =>
        ports.now().getTime() - begun < partMs &&
        mayGoOn({ ...before, counts: added(before.counts, counts) }),
    });
    report = {
      differences: distinct([...before.differences, ...(part?.differences ?? [])]),
      counts: added(before.counts, part?.counts ?? {}),
      next: positionAfter(steps, step, part?.next),
    };
  }
  return report;
}

/** Returns the differences among all records of a small table that nobody writes meanwhile. */
export const differencesAmong = (records: readonly AuditRecord[], now: Date): readonly Difference[] =>
  distinct(judgeAll(records, now));
