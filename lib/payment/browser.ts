import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Payment } from './payment.ts';

/** A payment keeps only this of the random number that its payer's browser was given: who has the number is that browser. */
export const hashBrowser = (browser: string): string =>
  createHash('sha256').update(`browser:${browser}`).digest('base64url');

type Known = Pick<Payment, 'browserHash' | 'createdAt'>;

/** The payment was begun by this browser: it may see the card page and the outcome, in every tab. */
export const isBegunBy = ({ browserHash }: Known, browser: string | undefined): boolean =>
  browserHash !== undefined && browser !== undefined && browserHash === hashBrowser(browser);

const doubleTapMs = 10_000;

type Sender = { readonly browser: string | undefined; readonly payerHash: string };

/**
 * The same form comes twice from a browser that keeps no cookies: for a moment, and from one network, it is taken for one
 * person's double tap. Whoever sends a copy of the form later or from elsewhere is a stranger.
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

/** How long a browser keeps its number after a page. */
export const browserLivesSeconds = 3600;
/** Long enough that nobody guesses another's. */
export const browserLength = 22;
const shape = /^([0-9A-Za-z]{22})\.(\d{10})\.([\w-]{43})$/;

/** The number as the browser keeps it: signed, and good for an hour from now. */
export function signBrowser(secret: string, browser: string, now: Date): string {
  const until = String(Math.floor(now.getTime() / 1000) + browserLivesSeconds);
  return `${browser}.${until}.${mac(secret, browser, until)}`;
}

/** The number that was signed by us and is not too old; undefined otherwise. */
export function readBrowser(secret: string, value: string, now: Date): string | undefined {
  const [, browser = '', until = '', signature = ''] = shape.exec(value) ?? [];
  if (browser === '') return undefined;
  const isOurs = timingSafeEqual(Buffer.from(signature), Buffer.from(mac(secret, browser, until)));
  return isOurs && Number(until) * 1000 > now.getTime() ? browser : undefined;
}

const mac = (secret: string, browser: string, until: string): string =>
  createHmac('sha256', secret).update(`browser-cookie:${browser}.${until}`).digest('base64url');
