/** Failed tries of one payer, by a keyed hash of his address. A payment that succeeds is never counted. */
export interface Tries {
  count(payer: string, now: Date): Promise<{ readonly tenMinutes: number; readonly day: number }>;
  add(payer: string, now: Date): Promise<void>;
}

/** What one address may get wrong before it has to wait: a guard against the testing of stolen cards. */
export type TryLimits = { readonly failuresPerTenMinutes: number; readonly failuresPerDay: number };

export const hasTooManyTries = (
  { tenMinutes, day }: { readonly tenMinutes: number; readonly day: number },
  { failuresPerTenMinutes, failuresPerDay }: TryLimits,
): boolean => tenMinutes >= failuresPerTenMinutes || day >= failuresPerDay;

/** Addresses of one household or handset: an IPv4 address, or the /64 that an IPv6 address lies in. */
export function payerNetwork(sourceIp: string): string {
  if (!sourceIp.includes(':')) return sourceIp;
  const [head = '', tail] = sourceIp.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  const whole = [...groups, ...Array<string>(Math.max(0, missing)).fill('0')];
  return whole
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
