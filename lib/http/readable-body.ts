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
 * The first body middleware. It lower-cases header names, and leaves a body of UTF-8 text in one of the three encodings, named by
 * `content-type`, or null. A multipart body stays unchanged.
 */
export const readableBody: middy.MiddlewareObj<APIGatewayProxyEvent> = {
  before({ event }) {
    event.headers = lowerCaseNames(event.headers);
    if (event.httpMethod === 'GET') Object.assign(event, { body: jsonOrNothing(event) });
    else Object.assign(event, readable(event));
    // Without a content type the JSON parser skips the body.
    if (event.httpMethod === 'GET' || event.body === null) delete event.headers['content-type'];
  },
};

const withoutByteOrderMark = (text: string): string => text.replace(/^\uFEFF/, '');

/** Reads a body on GET as JSON, whatever its Content-Type; null when it is anything else. It is never refused. */
function jsonOrNothing(event: APIGatewayProxyEvent): unknown {
  const bytes = bodyBytes(event);
  if (bytes.length === 0 || bytes.length > largestBody) return null;
  try {
    return parseExactly(withoutByteOrderMark(bytes.toString('utf8')));
  } catch {
    return null;
  }
}

type Readable = Partial<Pick<APIGatewayProxyEvent, 'headers' | 'body' | 'isBase64Encoded'>>;

function readable(event: APIGatewayProxyEvent): Readable {
  const bytes = bodyBytes(event);
  if (bytes.length > largestBody) throw new UnreadableBody('The body may not be larger than 64 KB.');
  const text = withoutByteOrderMark(bytes.toString('utf8'));
  if (text.trim() === '') return { body: null };

  const type = event.headers['content-type'] ?? 'application/x-www-form-urlencoded';
  const encoding = encodingOf(type, text);
  if (encoding === undefined)
    throw new UnreadableBody(
      `The Content-Type must be one of: ${[...new Set(encodings.values())].join(', ')}.`,
    );
  if (!isUtf8Charset(type) && !(isAscii(bytes) && isSameInUtf8(text, encoding)))
    throw new UnreadableBody(notUtf8);
  if (encoding === 'multipart/form-data') return {};
  if (!isUtf8(bytes)) throw new UnreadableBody(notUtf8);
  return { headers: { ...event.headers, 'content-type': encoding }, body: text, isBase64Encoded: false };
}

/**
 * Returns the encoding of the body. A form whose text starts with a brace is JSON: curl and some HTTP libraries send JSON under a
 * form's Content-Type by default, and form encoders escape braces.
 */
function encodingOf(contentType: string, text: string): string | undefined {
  const encoding = encodings.get(contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '');
  const isJson = encoding === 'application/x-www-form-urlencoded' && text.trimStart().startsWith('{');
  return isJson ? 'application/json' : encoding;
}

/**
 * Whether ASCII text under another charset label means the same in UTF-8: many clients label plain ASCII with their platform's
 * charset. Percent escapes count as their bytes. Zero bytes point to UTF-16, escape characters to ISO-2022 charsets.
 */
const isSameInUtf8 = (ascii: string, encoding: string): boolean =>
  !(ascii.includes('\0') || ascii.includes('\u001b')) &&
  !(encoding === 'application/x-www-form-urlencoded' && /%(?:[89a-f]|00|1b)/i.test(ascii));

function isUtf8Charset(contentType: string): boolean {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType) ?? [];
  return /^(?:utf-?8|(?:us-)?ascii)$/i.test(charset);
}
