import { type Command, Option } from 'commander';
import { type PaymentId, readPaymentId } from '../../ids.ts';
import type { Earlier, TracedPage } from '../../operator/trace/page.ts';
import type { Subject, TimelineStep } from '../../operator/trace/timeline.ts';
import { trace } from '../../operator/trace/trace.ts';
import { commandLine } from '../command-line.ts';
import { merchantAsked } from '../merchant-asked.ts';
import { readMoment, wholeNumber } from '../options.ts';
import { counted, keyValues, timestamp } from '../output.ts';
import { unwrap } from '../refusals.ts';
import type { Shell } from '../shell.ts';
import { defineCommand } from '../add-command.ts';

/** As many lines as a person reads at once. */
const usualLines = 50;
const mostLines = 1_000;

type Options = {
  readonly before?: Date | PaymentId;
  readonly merchant?: string;
  readonly limit: number;
};
type Asked = Options & { readonly env: string; readonly folder: string };

export function traceCommand(command: Command, shell: Shell): void {
  defineCommand<Options>(command, shell, {
    options: [
      new Option(
        '--before <place>',
        'only lines before this time; trace prints it where earlier lines are left out',
      ).argParser(placeOf),
      new Option('--merchant <id>', 'the merchant of an order id; default: any'),
      wholeNumber('limit', [1, mostLines], 'the most lines, or payments of a bill').default(usualLines),
    ],
    example: 'trace uW3kZ9sLq0TbXc5V',
    run: async (context, { args: [id = ''], options }) => {
      const { before, limit } = options;
      const merchantId = await merchantAsked(context, options.merchant);
      const page = unwrap(await trace(context, id, { before, limit, merchantId }));
      return { json: view(page), text: shown(page, id, options) };
    },
  });
}

/** A time, or the id of a payment: pages of a bill go from payment to payment. */
const placeOf = (text: string): Date | PaymentId => readPaymentId(text) ?? readMoment(text);

const view = ({ subjects, steps, earlier }: TracedPage) => ({
  subjects: subjects.map(({ kind: is, id, facts: known }) => ({ is, id, ...known })),
  steps: steps.map(({ at, id, what }) => ({ at: at.toISOString(), id, what })),
  earlier: earlier ? { of: earlier.of, count: earlier.count ?? null, before: earlier.before } : null,
});

function shown({ subjects, steps, earlier }: TracedPage, id: string, options: Asked): string {
  const leftOut = earlier === undefined ? [] : [leftOutText(earlier, id, options)];
  return [...subjects.map(subjectText), [...leftOut, ...steps.map(stepText)].join('\n')].join('\n\n');
}

/** `… 214 earlier lines: npm run paylink -- trace …`, with the options that show the page before this one. */
function leftOutText({ of, count, before }: Earlier, id: string, options: Asked): string {
  const what = count === undefined ? `earlier ${of}` : counted(count, `earlier ${of.slice(0, -1)}`);
  const place = before instanceof Date ? before.toISOString() : before;
  const size = options.limit === usualLines ? [] : ['--limit', String(options.limit)];
  const whose = options.merchant === undefined ? [] : ['--merchant', options.merchant];
  return `… ${what}: ${commandLine(options, ['trace', id, '--before', place, ...whose, ...size])}`;
}

function subjectText({ kind, id, facts: known }: Subject): string {
  const present = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
  if (kind === 'balance') return `balance ${id}  ${Object.entries(present).flat().join(' ')}`;
  return `${kind} ${id}\n${keyValues(present).replaceAll(/^/gm, '  ')}`;
}

const stepText = ({ at, id, what }: TimelineStep): string =>
  `${timestamp(at)}  ${id}  ${what}`.replaceAll(/\p{Cc}+/gu, ' ');
