import { Defect } from '../../defect.ts';
import type { Log } from '../../log.ts';
import { localTime } from '../../payout/calendar.ts';
import { added, distinct, isOverflowing, positionAfter, positionIn } from './progress.ts';
import type { Difference } from './records.ts';
import type { AuditStep } from './steps.ts';

/** A scheduled audit of the whole table, which the function `audit` does part by part. */
export type AuditRun = {
  /** Identifies the run. */
  readonly startedAt: Date;
  /** Where the next part continues; undefined: the run has ended. */
  readonly next: string | undefined;
  readonly endedAt: Date | undefined;
  readonly parts: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly differenceCount: number;
  /** No other part begins before this, unless the part that works says earlier that it is done. */
  readonly leasedUntil: Date | undefined;
};

/** The invariants are text: another version may know others. */
export type AuditResult = AuditRun & {
  readonly differences: readonly (Omit<Difference, 'invariant'> & { readonly invariant: string })[];
};

/** The stored runs. Each write has the run as it was read as its condition, so of two parts at the same time one is stored. */
export interface AuditRuns {
  /** The run under way, or the one that ended last. */
  current(): Promise<AuditRun | undefined>;
  /** The run that ended last. */
  ended(): Promise<AuditRun | undefined>;
  /** The results that `audit --last` shows: of the run under way, and of the one that ended last. */
  results(): Promise<readonly AuditResult[]>;
  /** Writes the run in place of `before` with the differences of its newest part; false when it has changed since it was read. */
  store(before: AuditRun | undefined, after: AuditRun, differences: readonly Difference[]): Promise<boolean>;
}

export type RunPorts = {
  readonly auditRuns: AuditRuns;
  readonly now: () => Date;
  readonly remainingMs: () => number;
  readonly timeZone: string;
  readonly log: Log;
  readonly alarm: (name: 'books_differ', about: object) => void;
};

/** The hour from which a day's run begins, in the record's time zone: the day before is sealed and reconciled by then. */
const fromHour = 4;
/** What a part needs at its end: to confirm what it suspects and to store it. */
const reservedMs = 20_000;
/** The longest that an invocation may take, where its time is not limited. */
const longestMs = 15 * 60_000;
/** What a part works at most, so that a failure costs little and differences are told soon. */
const partMs = 2 * 60_000;

/** What the function answers. The result is in the table. */
export type AuditAnswer =
  | { readonly ran: 'ended' | 'part' }
  | { readonly refused: 'nothing_due' | 'under_way' };

/**
 * Begins the day's run or continues the one under way, until it ends or the invocation's time is over. A part that fails is repeated
 * from where it began; what it had found is stored once.
 */
export async function continueAudit(ports: RunPorts, steps: readonly AuditStep[]): Promise<AuditAnswer> {
  const { auditRuns, now, remainingMs } = ports;
  const last = await auditRuns.current();
  const isUnderWay = last !== undefined && last.next !== undefined;
  if (isUnderWay && last.leasedUntil && last.leasedUntil > now()) return { refused: 'under_way' };
  if (!isUnderWay && !isDue(ports, last)) return { refused: 'nothing_due' };
  const limitMs = Math.min(remainingMs(), longestMs);
  const leasedUntil = new Date(now().getTime() + limitMs);
  let run: AuditRun = isUnderWay ? { ...last, leasedUntil } : { ...begun(now(), steps), leasedUntil };
  if (!(await auditRuns.store(last, run, []))) return { refused: 'under_way' };
  while (run.next !== undefined && leasedUntil.getTime() - now().getTime() > reservedMs) {
    const { after, differences } = await nextPart(ports, steps, run, leasedUntil);
    if (differences.length > 0 && run.differenceCount === 0) ports.alarm('books_differ', {});
    if (!(await auditRuns.store(run, after, differences))) return { refused: 'under_way' };
    run = after;
  }
  if (run.next === undefined) {
    ports.log('info', 'audit_ended', {});
    return { ran: 'ended' };
  }
  await auditRuns.store(run, { ...run, leasedUntil: undefined }, []);
  return { ran: 'part' };
}

/** A run begins once a day. */
function isDue({ now, timeZone }: RunPorts, last: AuditRun | undefined): boolean {
  const { day, hour } = localTime(now(), timeZone);
  return hour >= fromHour && (last === undefined || localTime(last.startedAt, timeZone).day < day);
}

const begun = (startedAt: Date, [first]: readonly AuditStep[]): AuditRun => ({
  startedAt,
  next: first?.name,
  endedAt: undefined,
  parts: 0,
  counts: {},
  differenceCount: 0,
  leasedUntil: undefined,
});

async function nextPart(
  { now }: RunPorts,
  steps: readonly AuditStep[],
  run: AuditRun,
  leasedUntil: Date,
): Promise<{ readonly after: AuditRun; readonly differences: readonly Difference[] }> {
  const until = Math.min(now().getTime() + partMs, leasedUntil.getTime() - reservedMs);
  // A step that another version has is unknown here: the run begins again.
  const { step, cursor } = positionIn(steps, run.next) ?? { step: 0, cursor: undefined };
  const partFrom = (after: string | undefined) =>
    steps[step]?.part({
      scope: { merchantId: undefined, since: undefined },
      after,
      mayGoOn: () => now().getTime() < until,
    });
  let part: Awaited<ReturnType<typeof partFrom>>;
  try {
    part = await partFrom(cursor);
  } catch (error) {
    // A cursor that another version wrote: the step begins again, or the run would fail here for ever.
    if (!(error instanceof Defect && error.code === 'AUDIT_CURSOR_UNREADABLE')) throw error;
    part = await partFrom(undefined);
  }
  const differences = distinct(part?.differences ?? []);
  const differenceCount = run.differenceCount + differences.length;
  const next = isOverflowing(differenceCount) ? undefined : positionAfter(steps, step, part?.next);
  return {
    differences,
    after: {
      ...run,
      next,
      endedAt: next === undefined ? now() : undefined,
      leasedUntil: next === undefined ? undefined : leasedUntil,
      parts: run.parts + 1,
      counts: added(run.counts, part?.counts ?? {}),
      differenceCount,
    },
  };
}
