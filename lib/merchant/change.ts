import type { Latest, LatestQuery } from '../latest.ts';

/** A person's change of settings, with the values before and after as text. Never contains a secret. */
export type Change = {
  readonly by: string;
  readonly at: Date;
  /** The id of the merchant or shop that was changed, or `RATES`. */
  readonly about: string;
  /** The command, such as `terms set`. */
  readonly what: string;
  readonly before: Readonly<Record<string, string | null>>;
  readonly after: Readonly<Record<string, string | null>>;
};

export interface Changes {
  /** The latest changes of `about` before a time; eventually consistent. */
  of(about: string, query: LatestQuery): Promise<Latest<Change>>;
}
