import type { APIGatewayProxyEvent } from 'aws-lambda';
import { bodyText, isTooLarge, lowerCaseNames, mayHaveBody } from '../http/gateway-event.ts';

/** A parsed request. Header names are in lower case. */
export type Request = {
  readonly method: string;
  /** The path below /sandbox/. */
  readonly path: readonly string[];
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly lang: string | undefined;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Empty on GET and HEAD. */
  readonly body: string;
  readonly baseUrl: string;
};

/** The parts of the gateway event that are read. */
export type GatewayEvent = Pick<
  APIGatewayProxyEvent,
  'httpMethod' | 'pathParameters' | 'headers' | 'queryStringParameters' | 'body' | 'isBase64Encoded'
> & { readonly requestContext: Pick<APIGatewayProxyEvent['requestContext'], 'domainName' | 'stage'> };

/** Bytes. Every valid form and order is far smaller. */
const largestRequest = 8 * 1024;

/** Must be checked before the body is read. */
export const isTooLargeHere = (event: GatewayEvent): boolean => isTooLarge(event, largestRequest);

export function readRequest(event: GatewayEvent, url: string | undefined): Request {
  const { domainName, stage } = event.requestContext;
  return {
    method: event.httpMethod,
    path: (event.pathParameters?.['proxy'] ?? '').split('/').filter(Boolean),
    headers: lowerCaseNames(event.headers),
    lang: event.queryStringParameters?.['lang'],
    query: event.queryStringParameters ?? {},
    body: mayHaveBody(event) && !isTooLargeHere(event) ? bodyText(event) : '',
    baseUrl: url ?? `https://${domainName}/${stage}/sandbox`,
  };
}

/** A form field; empty when absent. */
export const field = ({ body }: Request, name: string): string => new URLSearchParams(body).get(name) ?? '';

/** The JSON body; undefined when it is not valid JSON. */
export function jsonOf({ body }: Request): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
