export type Headers = readonly (readonly [name: string, value: string])[];

/** The response to the client. */
export type GatewayAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
};

/** Adds `Content-Type: application/json` unless the headers have a content type, as API Gateway does. */
export const withType = (headers: Headers): Headers =>
  headers.some(([name]) => name.toLowerCase() === 'content-type')
    ? headers
    : [['Content-Type', 'application/json'], ...headers];
