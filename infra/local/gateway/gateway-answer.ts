export type Headers = readonly (readonly [name: string, value: string])[];

/** What goes back to the client. */
export type GatewayAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
};

/** The gateway says that an answer is JSON unless the answer itself says what it is. */
export const withType = (headers: Headers): Headers =>
  headers.some(([name]) => name.toLowerCase() === 'content-type')
    ? headers
    : [['Content-Type', 'application/json'], ...headers];
