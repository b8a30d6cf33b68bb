import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Payment } from './payment.ts';

/** Hashes the random number in a payer's browser cookie. Only the hash is stored with the payment. */
export const hashBrowser = (browser: string): string =>
  createHash('sha256').update(`browser:${browser}`).digest('base64url');

type Known = Pick<Payment, 'browserHash' | 'createdAt'>;

/** Whether this browser started the payment, so that it may see the card page and the outcome, in every tab. */
export const isBegunBy = ({ browserHash }: Known, browser: string | undefined): boolean =>
  browserHash !== undefined && browser !== undefined && browserHash === hashBrowser(browser);

const doubleTapMs = 10_000;

type Sender = { readonly browser: string | undefined; readonly payerHash: string };

/**
 * Whether a browser without cookies sent the same form twice: a repeat from the same network within ten seconds counts
 * as one person's double tap. A copy of the form that comes later or from another network is untrusted.
 */
export const isDoubleTap = (
  { browserHash, payerHash, createdAt }: Known & Pick<Payment, 'payerHash'>,
  sender: Sender,
  now: Date,
): boolean =>
  browserHash === undefined &&
  sender.browser === undefined &&
  payerHash === sender.payerHash &&
  now.getTime() - createdAt.getTime() < doubleTapMs;

/** The cookie's lifetime after each page. */
export const browserLivesSeconds = 3600;
/** In base62 characters: 131 bits, too many to guess. */
export const browserLength = 22;
const shape = /^([0-9A-Za-z]{22})\.(\d{10})\.([\w-]{43})$/;

/** Returns the cookie value: the browser's number, signed and valid for an hour from now. */
export function signBrowser(secret: string, browser: string, now: Date): string {
  const until = String(Math.floor(now.getTime() / 1000) + browserLivesSeconds);
  return `${browser}.${until}.${mac(secret, browser, until)}`;
}

/** Returns the number in a cookie value whose signature is valid and that has not expired; undefined otherwise. */
export function readBrowser(secret: string, value: string, now: Date): string | undefined {
  const [, browser = '', until = '', signature = ''] = shape.exec(value) ?? [];
  if (browser === '') return undefined;
  const isOurs = timingSafeEqual(Buffer.from(signature), Buffer.from(mac(secret, browser, until)));
  return isOurs && Number(until) * 1000 > now.getTime() ? browser : undefined;
}

const mac = (secret: string, browser: string, until: string): string =>
  createHmac('sha256', secret).update(`browser-cookie:${browser}.${until}`).digest('base64url');
