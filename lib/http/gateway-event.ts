import type { APIGatewayProxyEvent } from 'aws-lambda';

type WithBody = Pick<APIGatewayProxyEvent, 'body' | 'isBase64Encoded'>;
type WithMethod = Pick<APIGatewayProxyEvent, 'httpMethod'>;
type Headers = APIGatewayProxyEvent['headers'];

/** API Gateway hands over header names as the client spelled them. */
export const lowerCaseNames = (headers: Headers | null): Headers =>
  Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));

export const bodyBytes = ({ body, isBase64Encoded }: WithBody): Buffer =>
  Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');

/** The body as UTF-8, empty where there is none. */
export const bodyText = (event: WithBody): string => bodyBytes(event).toString();

/** Whether this request may have a body at all: what comes with a GET or a HEAD means nothing. */
export const mayHaveBody = ({ httpMethod }: WithMethod): boolean =>
  httpMethod !== 'GET' && httpMethod !== 'HEAD';

/** Whether the body has more bytes than the limit. They are counted without decoding: nothing parses the body before. */
export const isTooLarge = (event: WithBody & WithMethod, limit: number): boolean =>
  mayHaveBody(event) &&
  Buffer.byteLength(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8') > limit;
