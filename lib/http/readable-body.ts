import { isAscii, isUtf8 } from 'node:buffer';
import type middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { largestBody } from '../contract/body-limits.ts';
import { bodyBytes, lowerCaseNames } from './gateway-event.ts';
import { parseExactly } from './json-body.ts';
import { UnreadableBody } from './unreadable-body.ts';

const notUtf8 = 'The body must be in UTF-8.';
const encodings = new Map([
  ['application/x-www-form-urlencoded', 'application/x-www-form-urlencoded'],
  ['multipart/form-data', 'multipart/form-data'],
  ['application/json', 'application/json'],
  ['text/json', 'application/json'],
]);

/**
 * First of the body's middlewares. After it header names are in lower case, the body is UTF-8 text of one of the three
 * encodings, or null, and `content-type` says which; a multipart body is left as it came.
 */
export const readableBody: middy.MiddlewareObj<APIGatewayProxyEvent> = {
  before({ event }) {
    event.headers = lowerCaseNames(event.headers);
    if (event.httpMethod === 'GET') Object.assign(event, { body: jsonOrNothing(event) });
    else Object.assign(event, readable(event));
    // What the JSON parser must leave alone has no content type any more.
    if (event.httpMethod === 'GET' || event.body === null) delete event.headers['content-type'];
  },
};

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

/** A body on GET is never refused: if it is JSON, whatever its header says, it is taken, else it is not there. */
function jsonOrNothing(event: APIGatewayProxyEvent): unknown {
  const bytes = bodyBytes(event);
  if (bytes.length === 0 || bytes.length > largestBody) return null;
  try {
    return parseExactly(withoutMark(bytes.toString('utf8')));
  } catch {
    return null;
  }
}

type Readable = Partial<Pick<APIGatewayProxyEvent, 'headers' | 'body' | 'isBase64Encoded'>>;

function readable(event: APIGatewayProxyEvent): Readable {
  const bytes = bodyBytes(event);
  if (bytes.length > largestBody) throw new UnreadableBody('The body may not be larger than 64 KB.');
  const text = withoutMark(bytes.toString('utf8'));
  if (text.trim() === '') return { body: null };

  const type = event.headers['content-type'] ?? 'application/x-www-form-urlencoded';
  const encoding = encodingOf(type, text);
  if (encoding === undefined)
    throw new UnreadableBody(
      `The Content-Type must be one of: ${[...new Set(encodings.values())].join(', ')}.`,
    );
  if (!isUtf8Charset(type) && !(isAscii(bytes) && readsAlike(text, encoding)))
    throw new UnreadableBody(notUtf8);
  if (encoding === 'multipart/form-data') return {};
  if (!isUtf8(bytes)) throw new UnreadableBody(notUtf8);
  return { headers: { ...event.headers, 'content-type': encoding }, body: text, isBase64Encoded: false };
}

/**
 * JSON is known by its beginning where no Content-Type says what the body is, or a form's does: that is the default of
 * curl and of some HTTP libraries. No encoder of forms leaves a brace as it is.
 */
function encodingOf(contentType: string, text: string): string | undefined {
  const encoding = encodings.get(contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '');
  const isJsonAfterAll = encoding === 'application/x-www-form-urlencoded' && text.trimStart().startsWith('{');
  return isJsonAfterAll ? 'application/json' : encoding;
}

/**
 * Many clients put the label of their platform on plain ASCII, which is the same in UTF-8. Escapes of a form count as
 * the bytes that they stand for; zeros and escape characters are those of UTF-16 and of the charsets that shift.
 */
const readsAlike = (ascii: string, encoding: string): boolean =>
  !(ascii.includes('\0') || ascii.includes('\u001b')) &&
  !(encoding === 'application/x-www-form-urlencoded' && /%(?:[89a-f]|00|1b)/i.test(ascii));

function isUtf8Charset(contentType: string): boolean {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType) ?? [];
  return /^(?:utf-?8|(?:us-)?ascii)$/i.test(charset);
}
