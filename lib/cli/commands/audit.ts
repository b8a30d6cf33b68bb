import { type Command, Option } from 'commander';
import { Defect } from '../../defect.ts';
import { type MerchantId, readMerchantId } from '../../ids.ts';
import { audit, type AuditReport } from '../../operator/audit/audit.ts';
import type { AuditResult } from '../../operator/audit/run.ts';
import type { AuditScope } from '../../operator/audit/source.ts';
import { plainLine } from '../../plain-line.ts';
import { defineCommand } from '../add-command.ts';
import { commandLine } from '../command-line.ts';
import { moment } from '../options.ts';
import { type CommandOutput, counted, timestamp } from '../output.ts';
import { refuse, required } from '../refusals.ts';
import type { Shell } from '../shell.ts';

type Options = {
  readonly merchant?: string;
  readonly since?: Date;
  readonly after?: string;
  readonly last?: true;
};

type Asked = Options & { readonly env: string; readonly folder: string };

/** How often the command says how far it is. */
const progressMs = 10_000;

export function auditCommand(command: Command, shell: Shell): void {
  defineCommand<Options>(command, shell, {
    options: [
      new Option('--merchant <id>', 'only what belongs to this merchant'),
      moment('since', 'only what was created or posted from then on'),
      new Option(
        '--last',
        'show the result of the scheduled audit, and of one under way, in place of another',
      ).conflicts(['merchant', 'since', 'after']),
      new Option('--after <cursor>', 'continue an audit that was interrupted, with the same options'),
    ],
    example: 'audit --since 2026-11-01 --json',
    run: async (context, { options }) => {
      if (options.last) return lastOf(await context.auditRuns.results());
      const scope = scopeOf(options);
      const { isInterrupted } = shell.watchInterrupt();
      let told = context.now().getTime();
      let at: AuditReport | undefined;
      let shown: AuditReport | undefined;
      const positionOf = (report: AuditReport) => {
        const { differences, next } = report;
        const found = differences.slice(shown?.differences.length).map(lineOf);
        shown = report;
        return [...found, `To continue from here: ${continuing(options, next)}`].join('\n');
      };
      const mayGoOn = (soFar: AuditReport) => {
        at = soFar;
        shown ??= soFar;
        if (context.now().getTime() - told >= progressMs) {
          told = context.now().getTime();
          shell.err(`${countsOf(soFar)} so far, ${counted(soFar.differences.length, 'difference')}.`);
          if (shown.next !== soFar.next) shell.err(positionOf(soFar));
        }
        return !isInterrupted();
      };
      const report = await audit(context, { scope, after: options.after, mayGoOn }).catch(
        (error: unknown) => {
          // A long audit keeps what it found when credentials expire or the network fails.
          if (at) shell.err(positionOf(at));
          return refuseCursor(error);
        },
      );
      return outputOf(report, options);
    },
  });
}

const scopeOf = ({ merchant, since }: Options): AuditScope => ({
  merchantId: merchant === undefined ? undefined : merchantOf(merchant),
  since,
});

const merchantOf = (id: string): MerchantId => required(readMerchantId(id), 'merchant_not_found');

function refuseCursor(error: unknown): never {
  if (error instanceof Defect && error.code === 'AUDIT_CURSOR_UNREADABLE')
    return refuse('audit_cursor_unreadable');
  throw error;
}

function outputOf(report: AuditReport, options: Asked): CommandOutput {
  const { differences, next } = report;
  const agrees = differences.length === 0;
  return {
    json: { agrees: agrees && next === undefined, ...report, next: next ?? null },
    text: [...differences.map(lineOf), ...(agrees ? [] : ['']), sentenceOf(report, options)].join('\n'),
    exitCode: agrees && next === undefined ? 0 : 1,
  };
}

/** Stored text may have line breaks, which would show as lines of the audit's own. */
const lineOf = ({ invariant, text }: AuditResult['differences'][number]): string =>
  `${invariant}  ${plainLine(text)}`;

/** The scheduled audits: the one under way, if any, and the one that ended last. */
function lastOf(results: readonly AuditResult[]): CommandOutput {
  const agrees = results.length > 0 && results.every(({ differenceCount }) => differenceCount === 0);
  return {
    json: results.map(({ next: _, leasedUntil: __, ...result }) => ({
      ...result,
      endedAt: result.endedAt ?? null,
      agrees: result.differenceCount === 0,
    })),
    text:
      results.length === 0
        ? 'No scheduled audit has run yet: it begins at 4 o’clock. audit recomputes everything now.'
        : results.map(resultOf).join('\n\n'),
    exitCode: agrees ? 0 : 1,
  };
}

function resultOf({ startedAt, endedAt, counts, differenceCount, differences }: AuditResult): string {
  const found =
    differenceCount === 0 ? 'no differences' : `${counted(differenceCount, 'difference')} (books_differ)`;
  const when = endedAt
    ? `The audit of ${timestamp(startedAt)} ended at ${timestamp(endedAt)}`
    : `The audit of ${timestamp(startedAt)} is under way`;
  const sentence = `${when}: ${found}, ${countsOf({ counts })}.`;
  if (differences.length === 0) return sentence;
  const more = differenceCount - differences.length;
  return [
    sentence,
    ...differences.map(lineOf),
    ...(more > 0 ? [`${more} more are not stored: audit lists all.`] : []),
    'Nothing was changed: see trace for each id.',
  ].join('\n');
}

function sentenceOf({ differences, counts, next }: AuditReport, options: Asked): string {
  const read = countsOf({ counts });
  const found = `${counted(differences.length, 'difference')}; ${read}. Nothing was changed: see trace for each id.`;
  if (next === undefined) return differences.length === 0 ? `The books agree: ${read}.` : found;
  return `Interrupted: ${counted(differences.length, 'difference')}; ${read}. Continue with: ${continuing(options, next)}`;
}

/** Returns the command that continues the audit at this cursor. */
const continuing = (options: Asked, cursor = ''): string =>
  commandLine(options, [
    'audit',
    ...(options.merchant === undefined ? [] : ['--merchant', options.merchant]),
    ...(options.since === undefined ? [] : ['--since', options.since.toISOString()]),
    '--after',
    cursor,
  ]);

/** Returns what was read, as `400 items read, 3 balances`. */
function countsOf({ counts: { items = 0, ...others } }: Pick<AuditReport, 'counts'>): string {
  return [
    `${counted(items, 'item')} read`,
    ...Object.entries(others).map(([name, count]) => `${count} ${inWords(name, count)}`),
  ].join(', ');
}

/** Returns `balance explained by traffic` for one of `balances_explained_by_traffic`. */
function inWords(name: string, count: number): string {
  const words = name.replaceAll('_', ' ');
  return count === 1 ? words.replace(/^(\w+)s\b/, '$1') : words;
}
