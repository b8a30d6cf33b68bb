/** A change of a setting by a person: what it was and what it is since, as texts. No secret is among them. */
export type Change = {
  readonly by: string;
  readonly at: Date;
  /** The merchant, shop or `RATES` that it is about. */
  readonly about: string;
  /** The command: `terms set`. */
  readonly what: string;
  readonly before: Readonly<Record<string, string | null>>;
  readonly after: Readonly<Record<string, string | null>>;
};

export interface Changes {
  /** The latest ones about it, the oldest first; a moment old at most. */
  of(about: string): Promise<readonly Change[]>;
}
