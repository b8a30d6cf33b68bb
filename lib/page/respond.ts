import type { APIGatewayProxyResult } from 'aws-lambda';
import { safetyHeaders } from '../contract/safety-headers.ts';
import type { Page } from './page.ts';

// No Cross-Origin-Opener-Policy: to a shop that opens the page in a window, the window would look closed.
const fixed: Readonly<Record<string, string>> = {
  ...safetyHeaders,
  'Cache-Control': 'no-store',
  // The origin only, never the bill's link; `no-referrer` would make the shop receive `Origin: null`.
  'Referrer-Policy': 'strict-origin',
  'X-Frame-Options': 'DENY',
  'Permissions-Policy': 'payment=()',
};

/** The page as a gateway response, with the security headers. */
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

/** 303: the browser follows with a GET, also after a form. */
export const seeOther = (location: string): APIGatewayProxyResult => ({
  statusCode: 303,
  headers: { ...fixed, Location: location },
  body: '',
});

/** 308: the browser repeats the request, with its method and body, at a path of this host. */
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
