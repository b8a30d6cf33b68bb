import type { APIGatewayProxyEvent } from 'aws-lambda';

type WithBody = Pick<APIGatewayProxyEvent, 'body' | 'isBase64Encoded'>;
type WithMethod = Pick<APIGatewayProxyEvent, 'httpMethod'>;
type Headers = APIGatewayProxyEvent['headers'];

/** Returns the headers with lower-case names; API Gateway passes the client's spelling. */
export const lowerCaseNames = (headers: Headers | null): Headers =>
  Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));

export const bodyBytes = ({ body, isBase64Encoded }: WithBody): Buffer =>
  Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');

/** The body as UTF-8 text; empty when there is none. */
export const bodyText = (event: WithBody): string => bodyBytes(event).toString();

/** Whether the request's method gives a body a meaning; that of a GET or HEAD is ignored. */
export const mayHaveBody = ({ httpMethod }: WithMethod): boolean =>
  httpMethod !== 'GET' && httpMethod !== 'HEAD';

/** Whether the body has more bytes than the limit. It is not decoded for this, so that an oversized body costs little. */
export const isTooLarge = (event: WithBody & WithMethod, limit: number): boolean =>
  mayHaveBody(event) &&
  Buffer.byteLength(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8') > limit;
