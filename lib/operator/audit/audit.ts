import { checksAt } from './checks.ts';
import type { AuditRecord, Difference } from './records.ts';
import { judgeAll } from './rules.ts';
import { type AuditPorts, stepsOf } from './steps.ts';
import { type AuditScope, unreadableCursor } from './source.ts';

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
  readonly after?: string | undefined;
  /** Whether to go on with the next page; it is told what was found so far. */
  readonly mayGoOn?: (soFar: AuditReport) => boolean;
};

/** How long a part may take, so that what it suspects is confirmed and told soon. */
const partMs = 60_000;

/** Recomputes the invariants (lib/ledger/README.md) from the items of the scope, step by step. Changes nothing. */
export async function audit(
  ports: AuditPorts,
  { scope = everything, after, mayGoOn = () => true }: Input = {},
): Promise<AuditReport> {
  const steps = stepsOf(ports);
  let report: AuditReport = { differences: await checked(ports, scope), counts: {}, next: after ?? '0' };
  while (report.next !== undefined && mayGoOn(report)) {
    const { step, cursor } = positionOf(report.next);
    const begun = ports.now().getTime();
    const part = await steps[step]?.part({
      scope,
      after: cursor,
      mayGoOn: () => ports.now().getTime() - begun < partMs && mayGoOn(report),
    });
    if (!part) break;
    report = {
      differences: distinct([...report.differences, ...part.differences]),
      counts: added(report.counts, part.counts),
      next: nextOf(step, part.next, steps.length),
    };
  }
  return report;
}

/** Parses a position in an audit: the number of the step and, after a point, where it continues. Throws for other text. */
function positionOf(text: string): { readonly step: number; readonly cursor: string | undefined } {
  const [, step, cursor] = /^(\d+)(?:\.(.+))?$/.exec(text) ?? [];
  if (step === undefined) throw unreadableCursor();
  return { step: Number(step), cursor };
}

/** Returns the position after a part of a step; undefined after the last step. */
function nextOf(step: number, next: string | undefined, steps: number): string | undefined {
  if (next !== undefined) return `${step}.${next}`;
  return step + 1 < steps ? String(step + 1) : undefined;
}

/** Adds counts by name. */
const added = (
  one: Readonly<Record<string, number>>,
  other: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((name) => [
      name,
      (one[name] ?? 0) + (other[name] ?? 0),
    ]),
  );

/** The table changes while it is read, so a difference of sums counts when each of some passes shows it. */
const mostPasses = 3;

async function checked({ auditSource, now }: AuditPorts, scope: AuditScope): Promise<readonly Difference[]> {
  const once = async () => {
    const checks = checksAt(now());
    for await (const { items } of auditSource.pages(scope, undefined))
      for (const record of items.flatMap(({ records }) => records)) checks.see(record);
    return checks.differences();
  };
  if (scope.merchantId !== undefined || scope.since !== undefined) return [];
  let differences = await once();
  for (let passes = 2; passes <= mostPasses && differences.length > 0; passes += 1) {
    const before = new Set(differences.map(keyOf));
    differences = (await once()).filter((each) => before.has(keyOf(each)));
  }
  return differences;
}

/** What both sides of a reference show in the same words is one difference. */
const distinct = (differences: readonly Difference[]): readonly Difference[] => [
  ...new Map(differences.map((each) => [`${each.invariant} ${each.text}`, each])).values(),
];

const keyOf = ({ invariant, about }: Difference): string => `${invariant} ${about}`;

/** Returns the differences among all records of a small table that nobody writes meanwhile. */
export function differencesAmong(records: readonly AuditRecord[], now: Date): readonly Difference[] {
  const checks = checksAt(now);
  for (const record of records) checks.see(record);
  return distinct([...judgeAll(records, now), ...checks.differences()]);
}
