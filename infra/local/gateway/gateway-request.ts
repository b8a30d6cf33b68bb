/** A request as received, before routing. */
export type GatewayRequest = {
  readonly id: string;
  readonly time: Date;
  readonly method: string;
  /** The path as sent: percent-encoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Headers in the client's order, with its spelling of the names. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Undefined when the body exceeds the gateway's limit. */
  readonly body: Buffer | undefined;
  readonly sourceIp: string;
};

/** Returns the last value of a header. `name` is in lower case; the request's spelling does not matter. */
export const headerOf = ({ headers }: Pick<GatewayRequest, 'headers'>, name: string): string | undefined =>
  headers.findLast(([candidate]) => candidate.toLowerCase() === name)?.[1];

/** Returns the media type in a header's value, in lower case and without parameters. */
export const mediaType = (value: string | undefined): string | undefined =>
  value?.split(/[;,]/)[0]?.trim().toLowerCase() || undefined;
