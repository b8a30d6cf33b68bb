import type { APIGatewayProxyResult } from 'aws-lambda';
import { safetyHeaders } from '../contract/safety-headers.ts';

export type SandboxResponse = Pick<APIGatewayProxyResult, 'statusCode' | 'body'> & {
  readonly headers: Record<string, string>;
};

/** Amounts are whole minor units, far below 2^53, so JSON numbers hold them exactly. */
export const json = (statusCode: number, body: object): SandboxResponse => ({
  statusCode,
  headers: { ...safetyHeaders, 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
  body: JSON.stringify(body, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)),
});

export const refused = (statusCode: number, error: string, more: object = {}): SandboxResponse =>
  json(statusCode, { error, ...more });

export const notFound = (): SandboxResponse => refused(404, 'not_found');

/** Redirects the browser with a GET (303). */
export const seeOther = (location: string): SandboxResponse => ({
  statusCode: 303,
  headers: {
    ...safetyHeaders,
    Location: location,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'strict-origin',
  },
  body: '',
});
