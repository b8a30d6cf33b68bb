import { localTime } from '../payout/calendar.ts';
import type { Result } from '../result.ts';
import { dateAfter } from './day.ts';
import type { ReconcilePorts } from './ports.ts';
import { reconcileDay, type ReconcileRefusal } from './reconcile-day.ts';
import { countOf, isIncomplete, type Reconciliation, type Summary } from './reconciliation.ts';

/** The hour from which the day before is reconciled, in the record's time zone. */
const fromHour = 3;
/** How many days back a day is reconciled again while something of it is open. */
const mostDays = 7;

/**
 * Reconciles the newest day that is due, if any. One at a time: each has the whole time of a run. Yesterday is due from 3 o'clock on,
 * and every hour while a provider's statement fails; an earlier day once a day while anything of it is open, for a week. Each day is
 * compared a last time when that week ends: a refund is stated under its creation and may take days, and a fee may be changed.
 */
export async function runDueReconciliation(
  ports: ReconcilePorts,
): Promise<Result<Reconciliation, ReconcileRefusal> | undefined> {
  const { day: today, hour } = localTime(ports.now(), ports.timeZone);
  if (hour < fromHour) return undefined;
  const dates = Array.from({ length: mostDays }, (_, days) => dateAfter(today, -1 - days));
  const stored = new Map((await ports.reconciliations.list(dates)).map((each) => [each.day.date, each]));
  const date = dates.find((each) =>
    isDue(stored.get(each), {
      isYesterday: each === dates[0],
      isLastTime: each === dates.at(-1),
      today,
      timeZone: ports.timeZone,
    }),
  );
  return date === undefined ? undefined : reconcileDay(ports, date);
}

/** What the function answers: the day that it compared, or why it did not. The result is in the table. */
export type ReconcileAnswer =
  | { readonly ran: string }
  | { readonly refused: ReconcileRefusal | 'nothing_due' };

export function answerOf(done: Result<Reconciliation, ReconcileRefusal> | undefined): ReconcileAnswer {
  if (!done) return { refused: 'nothing_due' };
  return done.ok ? { ran: done.value.day.date } : { refused: done.error };
}

function isDue(
  result: Summary | undefined,
  {
    isYesterday,
    isLastTime,
    today,
    timeZone,
  }: {
    readonly isYesterday: boolean;
    readonly isLastTime: boolean;
    readonly today: string;
    readonly timeZone: string;
  },
): boolean {
  if (!result?.isOver) return true;
  const isPartial = isIncomplete(result);
  // A provider may answer an hour later; what else is missing needs a person.
  if (isYesterday && result.compared.some(({ incomplete }) => incomplete === 'statement_failed')) return true;
  const isOpen = isPartial || countOf(result) > 0 || result.counts.feesDue > 0;
  return (isOpen || isLastTime) && localTime(result.startedAt, timeZone).day < today;
}
