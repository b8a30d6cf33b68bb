import { randomBytes, randomInt } from 'node:crypto';
import { Defect } from '../defect.ts';
import { base62Digits } from '../base62.ts';
import { alarm, log } from './log.ts';

/** Returns an environment variable of this function; throws an error that names it when it is missing. */
export function setting(name: string): string {
  const value = process.env[name];
  if (!value)
    throw new Defect(
      'SETTING_MISSING',
      `The environment variable ${name} is missing: the template sets it for this function.`,
    );
  return value;
}

export const optionalSetting = (name: string): string | undefined => process.env[name] || undefined;

const now = (): Date => new Date();
const newId = (length: number): string =>
  Array.from({ length }, () => base62Digits.charAt(randomInt(base62Digits.length))).join('');

/** Clock, randomness, logging and settings: what every function needs in addition to its stores. */
export const system = {
  now,
  newId,
  chance: Math.random,
  nonce: (): string => randomBytes(16).toString('base64'),
  log,
  alarm,
  get publicUrl(): string | undefined {
    return optionalSetting('PUBLIC_URL');
  },
};

/** Returns the time zone of timestamps, days and payout limits, for the functions that the template gives it to. */
export const timeZone = (): string => setting('TIME_ZONE');
