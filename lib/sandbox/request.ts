import type { APIGatewayProxyEvent } from 'aws-lambda';
import { bodyText, isTooLarge, lowerCaseNames, mayHaveBody } from '../http/gateway-event.ts';

/** A call as the sandbox reads it. Header names are in lower case. */
export type Request = {
  readonly method: string;
  /** The path below /sandbox/. */
  readonly path: readonly string[];
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly lang: string | undefined;
  /** Empty on GET and HEAD. */
  readonly body: string;
  readonly baseUrl: string;
};

/** What is read of the gateway's event. */
export type GatewayEvent = Pick<
  APIGatewayProxyEvent,
  'httpMethod' | 'pathParameters' | 'headers' | 'queryStringParameters' | 'body' | 'isBase64Encoded'
> & { readonly requestContext: Pick<APIGatewayProxyEvent['requestContext'], 'domainName' | 'stage'> };

/** Bytes; no form and no order comes near it. */
const largestRequest = 8 * 1024;

/** To be asked before anything reads the body. */
export const isTooLargeHere = (event: GatewayEvent): boolean => isTooLarge(event, largestRequest);

export function readRequest(event: GatewayEvent, url: string | undefined): Request {
  const { domainName, stage } = event.requestContext;
  return {
    method: event.httpMethod,
    path: (event.pathParameters?.['proxy'] ?? '').split('/').filter(Boolean),
    headers: lowerCaseNames(event.headers),
    lang: event.queryStringParameters?.['lang'],
    body: mayHaveBody(event) && !isTooLargeHere(event) ? bodyText(event) : '',
    baseUrl: url ?? `https://${domainName}/${stage}/sandbox`,
  };
}

/** A field of a form; empty when it is not there. */
export const field = ({ body }: Request, name: string): string => new URLSearchParams(body).get(name) ?? '';

/** A JSON body; undefined when it is none. */
export function jsonOf({ body }: Request): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
