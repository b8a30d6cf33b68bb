/** What a presenter must know besides the value. */
export type View = {
  /** IANA name; timestamps are shown in it. */
  readonly timeZone: string;
  /** Without a trailing slash; links are made from it. */
  readonly baseUrl: string;
};
