import type { APIGatewayProxyResult } from 'aws-lambda';
import { safetyHeaders } from '../contract/safety-headers.ts';
import type { Page } from './page.ts';

// No Cross-Origin-Opener-Policy: a shop that opens the page in a window would see that window closed at once.
const fixed: Readonly<Record<string, string>> = {
  ...safetyHeaders,
  'Cache-Control': 'no-store',
  // The bare origin and never the bill's link; `no-referrer` would make the shop receive `Origin: null`.
  'Referrer-Policy': 'strict-origin',
  'X-Frame-Options': 'DENY',
  'Permissions-Policy': 'payment=()',
};

/** The page as the gateway's answer, with the headers that guard a payer. */
export function respond(page: Page, nonce: string): APIGatewayProxyResult {
  const { refresh, retryAfterSeconds } = page;
  return {
    statusCode: page.status,
    headers: {
      ...fixed,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy(page, nonce),
      ...(refresh && { Refresh: `${refresh.seconds};url=${refresh.to}` }),
      ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
    },
    body: page.markup.toString(),
  };
}

/** 303: the browser goes on by GET, after a form too. */
export const seeOther = (location: string): APIGatewayProxyResult => ({
  statusCode: 303,
  headers: { ...fixed, Location: location },
  body: '',
});

/** 308: the same request, its method and body too, to a path of this host. */
export const permanentRedirect = (path: string): APIGatewayProxyResult => ({
  statusCode: 308,
  headers: { ...fixed, Location: path },
  body: '',
});

export const withCookie = (
  response: APIGatewayProxyResult,
  cookie: string | undefined,
): APIGatewayProxyResult =>
  cookie === undefined ? response : { ...response, headers: { ...response.headers, 'Set-Cookie': cookie } };

const policy = ({ formAction = [], runsScript = false }: Page, nonce: string): string =>
  [
    `default-src 'none'`,
    `style-src 'nonce-${nonce}'`,
    ...(runsScript ? [`script-src 'nonce-${nonce}'`] : []),
    `img-src 'self' data:`,
    ['form-action', `'self'`, ...formAction].join(' '),
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
