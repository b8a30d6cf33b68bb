/** Returns the delay of a Retry-After header in seconds; the header has a number or a date (RFC 9110, 10.2.3). */
export function retryAfterSeconds(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const at = header.endsWith('GMT') ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(Math.ceil((at - now.getTime()) / 1000), 0);
}
