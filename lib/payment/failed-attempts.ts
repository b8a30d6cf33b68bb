import { createHmac } from 'node:crypto';

type FailureCounts = { readonly tenMinutes: number; readonly day: number };

/** Failed attempts of one payer, by a keyed hash of their address. A payment that succeeds is never counted. */
export interface FailedAttempts {
  count(payerHash: string, now: Date): Promise<FailureCounts>;
  add(payerHash: string, now: Date): Promise<void>;
}

/** What one address may get wrong before it has to wait: a guard against the testing of stolen cards. */
export type CardTestingLimits = { readonly failuresPerTenMinutes: number; readonly failuresPerDay: number };

export const hasTooManyFailures = (
  { tenMinutes, day }: FailureCounts,
  { failuresPerTenMinutes, failuresPerDay }: CardTestingLimits,
): boolean => tenMinutes >= failuresPerTenMinutes || day >= failuresPerDay;

/** Counts a payer's failed attempts without keeping their address. */
export const hashPayer = (secret: string, network: string): string =>
  createHmac('sha256', secret).update(`payer:${network}`).digest('base64url');

/** Addresses of one household or handset: an IPv4 address, or the /64 that an IPv6 address lies in. */
export function payerNetwork(sourceIp: string): string {
  const v4 = /(?:^|:)(\d+\.\d+\.\d+\.\d+)$/.exec(sourceIp)?.[1];
  if (v4 !== undefined || !sourceIp.includes(':')) return v4 ?? sourceIp;
  const [before = [], after = []] = sourceIp.toLowerCase().split('::').map(groupsOf);
  const missing = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...missing, ...after].slice(0, 4).join(':');
}

const groupsOf = (text: string): readonly string[] =>
  text === '' ? [] : text.split(':').map((group) => group.replace(/^0+(?=.)/, ''));
