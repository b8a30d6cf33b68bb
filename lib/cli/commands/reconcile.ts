import { type Command, InvalidArgumentError, Option } from 'commander';
import { localTime } from '../../payout/calendar.ts';
import { dateAfter, readDate } from '../../reconciliation/day.ts';
import {
  countOf,
  type Reconciliation,
  type Summary,
  verdictOf,
} from '../../reconciliation/reconciliation.ts';
import { addCommand } from '../add-command.ts';
import { outcomeOf } from '../failure.ts';
import type { OperatorContext } from '../operator-context.ts';
import { type CommandOutput, table, timestamp } from '../output.ts';
import { reconciliationTold } from '../reconciliation-told.ts';
import { refuse, required } from '../refusals.ts';
import type { Shell } from '../shell.ts';
import { reconciliationView, summaryView } from '../views.ts';

const listedDays = 31;

export function reconcileCommands(group: Command, shell: Shell): void {
  addCommand<{ readonly date?: string }>(group, shell, {
    usage: 'run',
    isDefault: true,
    description:
      'compare a day of the providers’ statements with the journal, and the journal with the postbacks, now; `reconcile --date …` is the same. It changes nothing (exit code 1 unless all agree)',
    options: [
      new Option('--date <date>', 'the day in the record’s time zone; default: yesterday').argParser(dateOf),
    ],
    example: 'reconcile --date 2026-11-20 --json',
    run: async (context, { options: { date = yesterday(context) } }) => {
      shell.err(`Comparing ${date}: a busy day takes minutes.`);
      const done = await context.reconcile(date).catch(refuseUnanswered);
      if ('refused' in done) return refuse(done.refused);
      return outputOf(required(await context.reconciliations.find(date), 'reconciliation_not_found'));
    },
  });

  addCommand(group, shell, {
    usage: 'show <date>',
    description: 'show the stored result of a day, with each difference and what to do about it',
    example: 'reconcile show 2026-11-20',
    run: async ({ reconciliations }, { args: [date = ''] }) =>
      outputOf(required(await reconciliations.find(dateOf(date)), 'reconciliation_not_found')),
  });

  addCommand(group, shell, {
    usage: 'list',
    description: `show the results of the last ${listedDays} days`,
    example: 'reconcile list',
    run: async (context) => {
      const today = localTime(context.now(), context.timeZone).day;
      const dates = Array.from({ length: listedDays }, (_, days) => dateAfter(today, -days));
      const results = await context.reconciliations.list(dates);
      const titles = ['day', 'result', 'differences', 'agree', 'postbacks', 'fees due', 'compared'];
      return {
        json: results.map(summaryView),
        text: table(titles, results.map(rowOf), 'No day was reconciled yet: reconcile compares yesterday.'),
      };
    },
  });
}

const yesterday = ({ now, timeZone }: Pick<OperatorContext, 'now' | 'timeZone'>): string =>
  dateAfter(localTime(now(), timeZone).day, -1);

function dateOf(text: string): string {
  const date = readDate(text);
  if (date !== undefined) return date;
  throw new InvalidArgumentError('Give a date like 2026-11-20.');
}

/** Without an answer the function may still be running. */
function refuseUnanswered(error: unknown): never {
  if (outcomeOf(error).code === 'TimeoutError') return refuse('reconciliation_unanswered');
  throw error;
}

const outputOf = (reconciliation: Reconciliation): CommandOutput => ({
  json: reconciliationView(reconciliation),
  text: reconciliationTold(reconciliation),
  exitCode: verdictOf(reconciliation) === 'agrees' ? 0 : 1,
});

const rowOf = (summary: Summary) => [
  summary.day.date,
  verdictOf(summary),
  countOf(summary),
  summary.counts.matched,
  summary.counts.postbacks,
  summary.counts.feesDue,
  timestamp(summary.startedAt),
];
