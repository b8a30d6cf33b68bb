export type CsvCell = string | number | boolean | null;

/**
 * Returns rows as CSV (RFC 4180, with line feeds): a header, then a line per row, with every cell quoted. Spreadsheets run a cell that
 * begins with `=`, `+`, `-` or `@`, and merchants and payers write parts of what is listed: such cells begin with an apostrophe.
 */
export const csv = (header: readonly string[], rows: readonly (readonly CsvCell[])[]): string =>
  [header, ...rows].map((row) => row.map(cell).join(',')).join('\n');

const cell = (value: CsvCell): string => `"${defused(textOf(value)).replaceAll('"', '""')}"`;

function textOf(value: CsvCell): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}

/** Also after what some spreadsheets split cells at: a semicolon, a tab or a line break. */
const defused = (text: string): string => text.replaceAll(/(^|[;\t\r\n])(?=[\s"']*[=+\-@＝＋－＠])/gu, "$1'");
