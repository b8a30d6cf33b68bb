/** A request as it came in, before any routing. */
export type GatewayRequest = {
  readonly id: string;
  readonly time: Date;
  readonly method: string;
  /** The path as sent: still encoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names as the client wrote them, in its order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Undefined when it was larger than the gateway takes. */
  readonly body: Buffer | undefined;
  readonly sourceIp: string;
};

/** The last value of a header, whatever the case of its name. */
export const headerOf = ({ headers }: Pick<GatewayRequest, 'headers'>, name: string): string | undefined =>
  headers.findLast(([candidate]) => candidate.toLowerCase() === name)?.[1];

/** The media type of a header's value: lower case, without parameters. */
export const mediaType = (value: string | undefined): string | undefined =>
  value?.split(/[;,]/)[0]?.trim().toLowerCase() || undefined;
