import type middy from '@middy/core';
import jsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { UnreadableBody } from './unreadable-body.ts';

/** Text that JSON.stringify writes verbatim. Node 24 has it; the compiler's library does not declare it yet. */
type RawJson = { readonly rawJSON: string };

declare global {
  interface JSON {
    rawJSON(text: string): RawJson;
    isRawJSON(value: unknown): value is RawJson;
  }
}

/** Leaves forms alone: without `disableContentTypeError` the parser answers 415 to everything that is not JSON. */
const parser = jsonBodyParser<APIGatewayProxyEvent>({ disableContentTypeError: true });

/** The second body middleware: parses a JSON body. The parser rejects a key `__proto__`. */
export const jsonBody: middy.MiddlewareObj<APIGatewayProxyEvent> = {
  before(request) {
    const text: unknown = request.event.body;
    try {
      parser.before?.(request);
    } catch {
      throw new UnreadableBody('The body must be a JSON object.');
    }
    const parsed: unknown = request.event.body;
    if (parsed !== text && typeof text === 'string' && longNumber.test(text))
      Object.assign(request.event, { body: parseExactly(text) });
  },
};

/** A number this long, its decimal point included, may lose digits as a double. */
const longNumber = /\d[\d.]{15}/;

/** Parses JSON and keeps the exact text of long numbers, which JSON.parse rounds: an `order_id` may have 19 digits. */
export const parseExactly = (text: string): unknown =>
  JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && longNumber.test(context.source)
      ? JSON.rawJSON(context.source)
      : value,
  );
