/** What a presenter needs in addition to the value. */
export type View = {
  /** The IANA name of the time zone of timestamps. */
  readonly timeZone: string;
  /** The base of links, without a trailing slash. */
  readonly baseUrl: string;
};
