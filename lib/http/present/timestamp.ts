const formats = new Map<string, Intl.DateTimeFormat>();

/** `YYYY-MM-DD HH:MM:SS` in the environment's time zone (docs/contract.md, its introduction). */
export function timestamp(at: Date, timeZone: string): string {
  // The Swedish date format is the contract's.
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, ...fields });
  formats.set(timeZone, format);
  return format.format(at);
}

const fields = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
} as const;
