import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Page } from './page.ts';

const fixed: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  // The bare origin and never the bill's link; `no-referrer` would make the shop receive `Origin: null`.
  'Referrer-Policy': 'strict-origin',
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Permissions-Policy': 'payment=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
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
