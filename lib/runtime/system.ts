import { randomBytes, randomInt } from 'node:crypto';
import { base62Digits } from '../base62.ts';
import { alarm, log } from './log.ts';
import { optionalSetting } from './setting.ts';

const now = (): Date => new Date();
const newId = (length: number): string =>
  Array.from({ length }, () => base62Digits.charAt(randomInt(base62Digits.length))).join('');

/** Clock, chance and what every function needs beside its stores. */
export const system = {
  now,
  newId,
  chance: Math.random,
  nonce: (): string => randomBytes(16).toString('base64'),
  log,
  alarm,
  /** The calendar of dates and limits; the functions that show none are not given any. */
  get timeZone(): string {
    return optionalSetting('TIME_ZONE') ?? 'UTC';
  },
  get publicUrl(): string | undefined {
    return optionalSetting('PUBLIC_URL');
  },
};
