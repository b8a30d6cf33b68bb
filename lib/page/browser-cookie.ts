import { createHmac, timingSafeEqual } from 'node:crypto';
import { type PageSecrets, readUnderAny } from '../payment/page-secrets.ts';
import type { Visit } from './page-endpoint.ts';

const livesSeconds = 3600;
/** Long enough that nobody guesses another's. */
export const browserLength = 22;
const shape = /^([0-9A-Za-z]{22})\.(\d{10})\.([\w-]{43})$/;

/**
 * `__Host-` is kept by browsers only when it comes over https, from this very host. A service on https reads no other
 * name, so that nobody can plant one; the local one speaks http and has to do without.
 */
const isHttps = (publicUrl: string): boolean => publicUrl.startsWith('https:');
const cookieName = (publicUrl: string): string =>
  isHttps(publicUrl) ? '__Host-paylink-browser' : 'paylink-browser';

type Signing = { readonly secrets: PageSecrets; readonly now: Date };

/** The number of this browser, signed by us and not too old; undefined for a browser that has none yet. */
export function browserIn(
  { headers, publicUrl }: Pick<Visit, 'headers' | 'publicUrl'>,
  { secrets, now }: Signing,
): string | undefined {
  const name = `${cookieName(publicUrl)}=`;
  return (headers['cookie'] ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(name))
    .map((pair) => readUnderAny(secrets, (secret) => genuine(pair.slice(name.length), { secret, now })))
    .find((browser) => browser !== undefined);
}

type Check = { readonly secret: string; readonly now: Date };

function genuine(value: string, { secret, now }: Check): string | undefined {
  const [, browser = '', until = '', signature = ''] = shape.exec(value) ?? [];
  if (browser === '') return undefined;
  const isOurs = timingSafeEqual(Buffer.from(signature), Buffer.from(mac(secret, browser, until)));
  return isOurs && Number(until) * 1000 > now.getTime() ? browser : undefined;
}

/** `Set-Cookie`, for another hour. Lax: it comes along when the acquirer leads the browser back to the bill. */
export function browserCookie(
  { publicUrl }: Pick<Visit, 'publicUrl'>,
  browser: string,
  { secrets: [secret], now }: Signing,
): string {
  const until = String(Math.floor(now.getTime() / 1000) + livesSeconds);
  const value = `${browser}.${until}.${mac(secret, browser, until)}`;
  const secure = isHttps(publicUrl) ? '; Secure' : '';
  return `${cookieName(publicUrl)}=${value}; Path=/; Max-Age=${livesSeconds}; HttpOnly${secure}; SameSite=Lax`;
}

const mac = (secret: string, browser: string, until: string): string =>
  createHmac('sha256', secret).update(`browser-cookie:${browser}.${until}`).digest('base64url');
