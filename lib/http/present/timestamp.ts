const formats = new Map<string, Intl.DateTimeFormat>();

/** `Y-m-d H:i:s` in the environment's time zone (contract, conventions). */
export function timestamp(at: Date, timeZone: string): string {
  // The Swedish way of writing a date is the contract's.
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
