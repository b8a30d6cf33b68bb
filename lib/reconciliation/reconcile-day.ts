import { isPayoutId, isRefundId } from '../ids.ts';
import type { Payment } from '../payment/payment.ts';
import type { Payout } from '../payout/payout.ts';
import type { Refund } from '../refund/refund.ts';
import { fail, ok, type Result } from '../result.ts';
import { askProvider, ProviderSilent, reservedMs } from './ask-provider.ts';
import { DayComparison } from './compare.ts';
import { dateAfter, type Day, dayOf, edgeMs, isWithin, joinedTo, partsOf, type Period } from './day.ts';
import { Judge } from './judge.ts';
import { inBatches, inParallel } from './in-parallel.ts';
import { type Movement, movementOf, paymentOf } from './movement.ts';
import type { ReconcilePorts, StatementSource } from './ports.ts';
import { PostbackComparison, type Subjects } from './postbacks.ts';
import { type Compared, countOf, mostDifferences, type Reconciliation, verdictOf } from './reconciliation.ts';

export type ReconcileRefusal = 'day_not_begun' | 'newer_result';

/**
 * Compares the statements of all providers of a day with the journal, and the journal with the postbacks; stores the result in
 * place of the day's last, and raises an alarm unless they agree. It changes nothing else.
 *
 * The day is read in parts of an hour, and what agrees is forgotten, so its size is bounded by the differences and the ids.
 * A day is over 15 minutes after its end. One that is not over is compared up to now, without an alarm.
 */
export async function reconcileDay(
  ports: ReconcilePorts,
  date: string,
): Promise<Result<Reconciliation, ReconcileRefusal>> {
  const startedAt = ports.now();
  const calendarDay = dayOf(date, ports.timeZone);
  if (startedAt <= calendarDay.from) return fail('day_not_begun');
  const isOver = startedAt.getTime() >= calendarDay.to.getTime() + edgeMs;
  const [before] = await ports.reconciliations.list([dateAfter(date, -1)]);
  const joined = joinedTo(calendarDay, before?.isOver ? before.day : undefined);
  const day = isOver || startedAt >= joined.to ? joined : { ...joined, to: startedAt };

  const { comparison, postbacks, compared } = await readDay(ports, day);
  const rest = comparison.rest();
  const judge = new Judge(ports, day, { compared, rest });
  await judge.judge();
  const all = [...judge.differences, ...postbacks.differences];
  const reconciliation: Reconciliation = {
    day,
    isOver,
    startedAt,
    endedAt: ports.now(),
    compared: judge.compared,
    totals: rest.totals,
    accounts: rest.accounts.all(),
    counts: {
      matched: rest.matched + judge.counts.same,
      onAnotherDay: judge.counts.elsewhere,
      explained: judge.counts.explained,
      foreign: rest.foreign + judge.counts.foreign,
      feesDue: judge.counts.feesDue,
      postbacks: postbacks.told,
    },
    differences: all.slice(0, mostDifferences),
    moreDifferences: Math.max(0, all.length - mostDifferences),
  };
  const stored = await ports.reconciliations.store(reconciliation);
  if (!stored.ok) return stored;
  if (isOver) raise(ports, reconciliation);
  return ok(reconciliation);
}

function raise({ alarm }: ReconcilePorts, reconciliation: Reconciliation): void {
  const about = { day: reconciliation.day.date };
  if (verdictOf(reconciliation) === 'incomplete') alarm('reconciliation_incomplete', about);
  if (countOf(reconciliation) > 0) alarm('reconciliation_differs', about);
}

/** Reads both sides of the day, an hour at a time. */
async function readDay(ports: ReconcilePorts, day: Day) {
  const comparison = new DayComparison(day);
  const postbacks = new PostbackComparison(ports, day);
  const states = new Map<StatementSource, Compared>(
    ports.sources.map((source) => [
      source,
      { provider: source.provider, role: source.role, incomplete: undefined },
    ]),
  );
  const parts = partsOf(day);
  const journal = await ports.books.journalOf({
    from: new Date(day.from.getTime() - edgeMs),
    to: new Date(day.to.getTime() + edgeMs),
  });
  for (const part of parts) {
    if (ports.remainingMs() < reservedMs) {
      for (const [source, state] of states) states.set(source, { ...state, incomplete: 'out_of_time' });
      break;
    }
    const statements = [...states].map(async ([source, state]) => {
      if (state.incomplete) return;
      const incomplete = await seeStatement(ports, { source, part, comparison });
      if (incomplete) states.set(source, { ...state, incomplete });
    });
    const [entries] = await Promise.all([journal.until(part.to), ...statements]);
    const movements = entries.flatMap((entry) => movementOf(entry) ?? []);
    const subjects = await subjectsOf(ports, movements);
    for (const movement of withProviders(movements, subjects)) comparison.seeMovement(movement);
    await postbacks.see(movements, subjects);
  }
  return { comparison, postbacks, compared: [...states.values()] };
}

const batchSize = 100;
const batchesAtOnce = 4;

/** Reads the payments, refunds and payouts that the movements are about, with their providers and the references there. */
async function subjectsOf({ books }: ReconcilePorts, movements: readonly Movement[]): Promise<Subjects> {
  const ids = [...new Set(movements.map(({ subject }) => subject))];
  const paymentIds = [...new Set(ids.flatMap((id) => paymentOf(id) ?? []))];
  const [payments, payouts, refunds]: [Payment[], Payout[], Refund[]] = [[], [], []];
  await inParallel(inBatches(paymentIds, batchSize), batchesAtOnce, async (batch) => {
    payments.push(...(await books.payments(batch)));
  });
  await inParallel(inBatches(ids.filter(isRefundId), batchSize), batchesAtOnce, async (batch) => {
    refunds.push(...(await books.refunds(batch)));
  });
  await inParallel(inBatches(ids.filter(isPayoutId), batchSize), batchesAtOnce, async (batch) => {
    payouts.push(...(await books.payouts(batch)));
  });
  return { payments, payouts, refunds };
}

/** Payments and payouts of earlier versions have no name of a provider and went to the sandbox. */
function withProviders(movements: readonly Movement[], { payments, payouts }: Subjects): readonly Movement[] {
  const known = new Map<string, Pick<Movement, 'provider' | 'reference'>>([
    ...payments.map(
      ({ id, acquirer = 'sandbox', reference }) => [id, { provider: acquirer, reference }] as const,
    ),
    ...payouts.map(({ id, rail = 'sandbox', reference }) => [id, { provider: rail, reference }] as const),
  ]);
  return movements.map((movement) => ({
    ...movement,
    ...known.get(paymentOf(movement.subject) ?? movement.subject),
  }));
}

type StatementPart = {
  readonly source: StatementSource;
  readonly part: Period;
  readonly comparison: DayComparison;
};

/** Reads a part of a statement; returns why it could not be read. A line that a page repeats counts once. */
async function seeStatement(ports: ReconcilePorts, { source, part, comparison }: StatementPart) {
  const { provider, tellsFees } = source;
  try {
    const lines = await askProvider(ports, provider, () => source.statement(part));
    const seen = new Set<string>();
    for (const line of lines) {
      const key = `${line.kind} ${line.reference}`;
      if (seen.has(key) || !isWithin(part, line.at)) continue;
      seen.add(key);
      comparison.seeLine({ ...line, provider, tellsFees });
    }
    return undefined;
  } catch (error) {
    if (error instanceof ProviderSilent) return error.why;
    throw error;
  }
}
