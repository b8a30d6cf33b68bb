import { browserLivesSeconds, readBrowser, signBrowser } from '../payment/browser.ts';
import { type PageSecrets, readUnderAny } from '../payment/page-secrets.ts';
import type { Visit } from './page-endpoint.ts';

/**
 * Browsers accept a `__Host-` cookie only over https and from this exact host. A service on https reads no other name, so
 * that no other host can plant one. The local service uses http and a name without the prefix.
 */
const isHttps = (publicUrl: string): boolean => publicUrl.startsWith('https:');
const cookieName = (publicUrl: string): string =>
  isHttps(publicUrl) ? '__Host-paylink-browser' : 'paylink-browser';

type Signing = { readonly secrets: PageSecrets; readonly now: Date };

/** The number of this browser, if it has our signature and is not too old; otherwise undefined. */
export function browserIn(
  { headers, publicUrl }: Pick<Visit, 'headers' | 'publicUrl'>,
  { secrets, now }: Signing,
): string | undefined {
  const name = `${cookieName(publicUrl)}=`;
  return (headers['cookie'] ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(name))
    .map((pair) => readUnderAny(secrets, (secret) => readBrowser(secret, pair.slice(name.length), now)))
    .find((browser) => browser !== undefined);
}

/** `Set-Cookie` for one hour. Lax: it is sent when the acquirer redirects the browser back to the bill. */
export function browserCookie(
  { publicUrl }: Pick<Visit, 'publicUrl'>,
  browser: string,
  { secrets: [secret], now }: Signing,
): string {
  const kept = `${cookieName(publicUrl)}=${signBrowser(secret, browser, now)}`;
  const secure = isHttps(publicUrl) ? '; Secure' : '';
  return `${kept}; Path=/; Max-Age=${browserLivesSeconds}; HttpOnly${secure}; SameSite=Lax`;
}
