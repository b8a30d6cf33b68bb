import { type Command, InvalidArgumentError, Option } from 'commander';
import { CommandError } from '../installation/command-error.ts';
import { type ListPage, listPage } from '../operator/lists/list.ts';
import type { Cut, Listing, Window } from '../search/listing.ts';
import { addCommand } from './add-command.ts';
import { commandLine } from './command-line.ts';
import { csv } from './csv.ts';
import type { Named } from './listed-fields.ts';
import type { OperatorContext } from './operator-context.ts';
import { moment, readMoment, wholeNumber } from './options.ts';
import { type CommandOutput, counted, table, timestamp } from './output.ts';
import type { Shell } from './shell.ts';

/** What every list takes. */
export type ListOptions = {
  readonly since?: Date;
  readonly until?: Date;
  readonly after?: Cut;
  readonly limit: number;
  readonly csv?: true;
};
type Asked<O> = O & ListOptions & { readonly json?: true; readonly env: string; readonly folder: string };

/** What is listed: by a filter that leads to few items, or all of the merchants asked for. */
export type ListSource<T> = {
  readonly listing: Listing<T>;
  /** Undefined: every item. */
  readonly matches: ((item: T) => boolean) | undefined;
  /** Whether only few items can be found, so that no dates are needed. */
  readonly isKeyed: boolean;
  /** What was created before may be missing; undefined: nothing is. */
  readonly incompleteBefore: Date | undefined;
};

type ListSpec<T, O> = {
  /** The plural: `payments`. */
  readonly noun: string;
  readonly filters: readonly Option[];
  readonly open: (context: OperatorContext, options: O) => Promise<ListSource<T>>;
  /** For JSON and CSV. */
  readonly fields: Named<T>;
  /** For people: what fits a line. */
  readonly columns: Named<T>;
};

const usualLimit = 20;
const mostAtOnce = 1_000;
const usualDays = 30;
const aDayMs = 86_400_000;

/** Adds the list of a noun: newest first, in pages, as a table, as JSON or as CSV. */
export function addList<T, O extends object>(
  group: Command,
  shell: Shell,
  { example, ...spec }: ListSpec<T, O> & { readonly example: string },
): void {
  addCommand<O & ListOptions>(group, shell, {
    usage: 'list',
    description: `show ${spec.noun}, newest first, in pages`,
    options: [...spec.filters, ...listOptions()],
    example,
    run: (context, { options }) => listed(context, shell, spec, options),
  });
}

export const listOptions = (): readonly Option[] => [
  moment('since', `only what was created from then on, in UTC; default: the last ${usualDays} days`),
  new Option('--until <date>', 'only what was created before; a date includes its day').argParser(readUntil),
  wholeNumber('limit', [1, mostAtOnce], 'the most lines').default(usualLimit),
  new Option('--after <place>', 'go on after this place, as the page before printed it').argParser(readPlace),
  new Option('--csv', 'print CSV with a header, in UTF-8'),
];

/** Lists as `addList` describes. */
export async function listed<T, O extends object>(
  context: OperatorContext,
  shell: Pick<Shell, 'err'>,
  spec: ListSpec<T, O>,
  options: Asked<O>,
): Promise<CommandOutput> {
  if (options.csv && options.json) throw new CommandError('Give --json or --csv, not both.', 'usage');
  const now = context.now();
  const { listing, matches, isKeyed, incompleteBefore } = await spec.open(context, options);
  const window = windowOf(isKeyed ? { since: new Date(0), ...options } : options, now);
  const { from } = window;
  const page = await listPage(listing, { window, after: options.after, limit: options.limit, matches });
  const next =
    page.next === undefined ? undefined : nextCommand(spec, { ...options, since: from }, page.next);
  const told = { isKeyed, since: options.since, from, next, incompleteBefore, now, asked: options };
  const notes = notesOn(page, told);
  if (options.csv) {
    shell.err(notes.join('\n'));
    const rows = page.items.map((item) => spec.fields.map(([, of]) => of(item)));
    const text = csv(
      spec.fields.map(([name]) => name),
      rows,
    );
    return { json: undefined, text };
  }
  const items = page.items.map((item) =>
    Object.fromEntries(spec.fields.map(([name, of]) => [name, of(item)])),
  );
  const json = {
    [spec.noun]: items,
    since: isKeyed && options.since === undefined ? null : from.toISOString(),
    next: page.next ?? null,
    incompleteBefore: missing(from, incompleteBefore)?.toISOString() ?? null,
  };
  const rows = page.items.map((item) => spec.columns.map(([, of]) => of(item)));
  const titles = spec.columns.map(([name]) => name);
  return { json, text: [table(titles, rows, `No ${spec.noun} found.`), notes.join('\n')].join('\n\n') };
}

type Told = {
  readonly isKeyed: boolean;
  readonly since: Date | undefined;
  readonly from: Date;
  readonly next: string | undefined;
  readonly incompleteBefore: Date | undefined;
  readonly now: Date;
  readonly asked: Parameters<typeof commandLine>[0];
};

/** What the page is of, what it left out, and how to go on. */
function notesOn(
  { items, next: more }: ListPage<unknown>,
  { isKeyed, since, from, next, incompleteBefore, now, asked }: Told,
): readonly string[] {
  const window = isKeyed && since === undefined ? '' : ` since ${timestamp(from)}`;
  const rest =
    more === undefined ? 'that is all' : `read back to ${timestamp(timeOf(more))}, and there may be more`;
  const widen = since === undefined && !isKeyed && more === undefined ? '; --since goes further back' : '';
  const before = missing(from, incompleteBefore);
  return [
    `${counted(items.length, 'line')}${window}: ${rest}${widen}.`,
    ...(next === undefined ? [] : [`Go on: ${next}`]),
    ...(before === undefined
      ? []
      : [
          `Items from before ${before.getTime() >= now.getTime() ? 'the version with lists' : timestamp(before)} may be missing. To add them: ${commandLine(asked, ['migrate'])}`,
        ]),
  ];
}

/** The default window begins at midnight UTC, so that the command that goes on can name the day. Clocks differ: it ends tomorrow. */
export const windowOf = ({ since, until }: Pick<ListOptions, 'since' | 'until'>, now: Date): Window => ({
  from: since ?? new Date(Math.floor(now.getTime() / aDayMs - usualDays) * aDayMs),
  to: until ?? new Date(now.getTime() + aDayMs),
});

/** Before when something may be missing from a window. */
export const missing = (from: Date, incompleteBefore: Date | undefined): Date | undefined =>
  incompleteBefore !== undefined && from.getTime() < incompleteBefore.getTime()
    ? incompleteBefore
    : undefined;

const timeOf = (cut: Cut): Date => new Date(cut.slice(0, 24));

function nextCommand<T, O extends object>(
  { noun, filters }: ListSpec<T, O>,
  options: Asked<O>,
  after: Cut,
): string {
  const names = [...filters, ...listOptions()].filter((option) => option.attributeName() !== 'after');
  const values = new Map<string, unknown>(Object.entries(options));
  const given = names.flatMap((option) => {
    const value = values.get(option.attributeName());
    if (value === undefined || value === option.defaultValue) return [];
    return [option.long ?? '', ...(option.isBoolean() ? [] : [wordOf(value)])];
  });
  const form = options.json ? ['--json'] : [];
  return commandLine(options, [noun, 'list', ...given, '--after', after, ...form]);
}

function wordOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value instanceof Date ? value.toISOString() : String(value);
}

/** A date is its whole day. */
function readUntil(text: string): Date {
  const at = readMoment(text);
  return /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(at.getTime() + aDayMs) : at;
}

/** The place after an item: its creation time and id; of a time alone: what was created before it. */
function readPlace(text: string): Cut {
  const isPlace = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z(?:#[0-9A-Za-z]{1,64})?$/.test(text);
  if (isPlace && !Number.isNaN(timeOf(text).getTime())) return text;
  throw new InvalidArgumentError('Copy the place that the page before printed, whole and in quotes.');
}
