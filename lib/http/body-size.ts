import type { APIGatewayProxyEvent } from 'aws-lambda';

type Sent = Pick<APIGatewayProxyEvent, 'httpMethod' | 'body' | 'isBase64Encoded'>;

/** Whether this request may have a body at all: what comes with a GET or a HEAD means nothing. */
export const mayHaveBody = ({ httpMethod }: Pick<Sent, 'httpMethod'>): boolean =>
  httpMethod !== 'GET' && httpMethod !== 'HEAD';

/** Whether the body has more bytes than the limit. It is counted and not decoded: nothing parses it before this. */
export const isTooLarge = (event: Sent, limit: number): boolean =>
  mayHaveBody(event) &&
  Buffer.byteLength(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8') > limit;
