import type middy from '@middy/core';
import jsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { UnreadableBody } from './unreadable-body.ts';

/** Text that JSON.stringify writes as it is. Newer than the compiler's library; Node 24 has it. */
type RawJson = { readonly rawJSON: string };

declare global {
  interface JSON {
    rawJSON(text: string): RawJson;
    isRawJSON(value: unknown): value is RawJson;
  }
}

/** Forms pass: without `disableContentTypeError` the parser answers 415 to everything that is not JSON. */
const parser = jsonBodyParser<APIGatewayProxyEvent>({ disableContentTypeError: true });

/** Second of the body's middlewares: a JSON body becomes its value. A key `__proto__` is refused by the parser. */
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

/** A number of this many digits, the point among them, may not survive as a double. */
const longNumber = /\d[\d.]{15}/;

/**
 * JSON.parse rounds long numbers; here they keep their very text, so an `order_id` of 19 digits comes out as it was
 * sent. What a double holds stays a number, whatever stands beside it.
 */
export const parseExactly = (text: string): unknown =>
  JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && longNumber.test(context.source)
      ? JSON.rawJSON(context.source)
      : value,
  );
