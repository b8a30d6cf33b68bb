/** A command's output: a JSON document for scripts, text for people. */
export type CommandOutput = {
  readonly json: unknown;
  readonly text: string;
  /** 1 when the command succeeded and its result is negative, such as differences found by `audit`. */
  readonly exitCode?: 0 | 1;
};

type Cell = string | number | boolean | null | undefined;

/** Returns one `name  value` line per row. An absent value is a dash. */
export function keyValues(rows: Readonly<Record<string, Cell>>): string {
  const width = Math.max(...Object.keys(rows).map((name) => name.length));
  return Object.entries(rows)
    .map(([name, value]) => `${name.padEnd(width)}  ${shown(value)}`)
    .join('\n');
}

/** Returns a number with its noun: `1 payout`, `2 payouts`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Returns a table with a header line, or `nothing` when there are no rows. */
export function table(
  titles: readonly string[],
  rows: readonly (readonly Cell[])[],
  nothing: string,
): string {
  if (rows.length === 0) return nothing;
  const lines = [titles.map((title) => title.toUpperCase()), ...rows.map((row) => row.map(shown))];
  const widths = titles.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

function shown(value: Cell): string {
  if (value === undefined || value === null || value === '') return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  // Untrusted text must not control the operator's terminal.
  return String(value).replaceAll(/\p{Cc}+/gu, ' ');
}

/** Returns a sortable time in UTC: `2026-11-21 12:30:00Z`. */
export const timestamp = (at: Date): string => `${at.toISOString().slice(0, 19).replace('T', ' ')}Z`;
