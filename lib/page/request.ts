import type { APIGatewayProxyEvent } from 'aws-lambda';
import { isBillId, isPaymentId } from '../ids.ts';
import { bodyText, lowerCaseNames, mayHaveBody } from '../http/gateway-event.ts';
import { languageNamed, preferredLanguage } from './language.ts';
import type { Reader } from './page.ts';

/** A payer's request, read leniently: parts that cannot be read are absent. */
export type PageRequest = {
  /** The id in the path, a bill's or a payment's; empty when it has the shape of neither. */
  readonly id: string;
  readonly method: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** The fields of a posted form; none when the id in the path has the shape of neither. */
  readonly form: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly sourceIp: string;
};

/** The parts of the gateway event that a page reads. */
export type PageEvent = Pick<
  APIGatewayProxyEvent,
  'httpMethod' | 'headers' | 'pathParameters' | 'queryStringParameters' | 'body' | 'isBase64Encoded'
> & { readonly requestContext: { readonly identity: { readonly sourceIp: string } } };

export function readRequest(event: PageEvent): PageRequest {
  const [named] = Object.values(event.pathParameters ?? {});
  const id = possibleId(named);
  return {
    id,
    method: event.httpMethod,
    query: event.queryStringParameters ?? {},
    form: mayHaveBody(event) && id === (named ?? '') ? readForm(event) : {},
    headers: lowerCaseNames(event.headers),
    sourceIp: event.requestContext.identity.sourceIp,
  };
}

/** The text if it has the shape of a bill's or a payment's id, else empty. Other text is not found without a read. */
const possibleId = (text: string | undefined): string =>
  text !== undefined && (isBillId(text) || isPaymentId(text)) ? text : '';

/** Requires a body whose size was checked: the parser takes seconds for a long run of `a&`. */
const readForm = (event: PageEvent): Readonly<Record<string, string>> =>
  Object.fromEntries(new URLSearchParams(bodyText(event)));

/** `?lang=` takes precedence over `Accept-Language`. */
export function readerOf({ query, headers }: PageRequest, nonce: string): Reader {
  const chosen = languageNamed(query['lang']);
  return {
    language: chosen ?? preferredLanguage(headers['accept-language']),
    languageChosen: chosen !== undefined,
    nonce,
  };
}

/**
 * Whether a form was sent by our own page (CSRF check). Browsers send `Sec-Fetch-Site` or at least `Origin`; a client that
 * sends neither is not a browser that another site could abuse.
 */
export function isFromOwnPage({ headers }: PageRequest, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = headers['origin'];
  return origin === undefined || origin === new URL(publicUrl).origin;
}
