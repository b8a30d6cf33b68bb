import type { Html } from './html.ts';
import type { Language } from './language.ts';

/** Who reads the page: every page is drawn for one answer and one reader. */
export type Reader = {
  readonly language: Language;
  /** The payer chose it by `?lang=`, so links carry it on; else their browser tells it again each time. */
  readonly languageChosen: boolean;
  /** The nonce of this answer's style and script. */
  readonly nonce: string;
};

/** A page and what its answer has to say about it. */
export type Page = {
  readonly status: number;
  readonly markup: Html;
  /** Where the page's forms may lead besides our own origin, redirects included: the CSP's `form-action`. */
  readonly formAction?: readonly string[];
  /** The one inline script, on the hand-off page only. */
  readonly runsScript?: boolean;
  /** Seconds after which the browser asks again, and where. */
  readonly refresh?: { readonly seconds: number; readonly to: string };
  readonly retryAfterSeconds?: number;
};

/** The query of a link that stays with the payer's choice of language. */
export const queryOf = ({ language, languageChosen }: Reader): string =>
  languageChosen ? `?lang=${language}` : '';
