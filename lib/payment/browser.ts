import { createHash } from 'node:crypto';
import type { Payment } from './payment.ts';

/** A payment keeps only this of the random number that its payer's browser was given: who has the number is that browser. */
export const hashBrowser = (browser: string): string =>
  createHash('sha256').update(`browser:${browser}`).digest('base64url');

type Known = Pick<Payment, 'browserHash' | 'createdAt'>;

/** The payment was begun by this browser: it may see the card page and the outcome, in every tab. */
export const isBegunBy = ({ browserHash }: Known, browser: string | undefined): boolean =>
  browserHash !== undefined && browser !== undefined && browserHash === hashBrowser(browser);

const doubleTapMs = 10_000;

/**
 * The same form comes twice from a browser that keeps no cookies: for a moment it is taken for one person's double tap.
 * Whoever sends a copy of the form later is a stranger.
 */
export const isDoubleTap = (
  { browserHash, createdAt }: Known,
  browser: string | undefined,
  now: Date,
): boolean =>
  browserHash === undefined && browser === undefined && now.getTime() - createdAt.getTime() < doubleTapMs;
