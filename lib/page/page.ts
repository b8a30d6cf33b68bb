import { languageFor } from '../bill/options.ts';
import type { PayerView } from '../payment/payer-view.ts';
import type { Html } from './html.ts';
import type { Language } from './language.ts';

/** The reader of a page. Every page is rendered for one response and one reader. */
export type Reader = {
  readonly language: Language;
  /** Whether the payer chose it by `?lang=`, so that links carry it. Otherwise the browser sends it with each request. */
  readonly languageChosen: boolean;
  /** Where the link "Back to the shop" leads; absent: there is none. */
  readonly backTo?: string;
  /** The nonce of this response's style and script. */
  readonly nonce: string;
};

/** Returns the reader as the bill asks for them to be addressed. What the payer chose comes first. */
export const readerWith = (reader: Reader, { locale, returnUrl }: PayerView): Reader => ({
  ...reader,
  ...(locale && !reader.languageChosen && { language: languageFor[locale] }),
  ...(returnUrl !== undefined && { backTo: returnUrl }),
});

/** A page, with what its response's headers need. */
export type Page = {
  readonly status: number;
  readonly markup: Html;
  /** Where the page's forms may lead besides our own origin, redirects included (CSP `form-action`). */
  readonly formAction?: readonly string[];
  /** The one inline script, on the hand-off page only. */
  readonly runsScript?: boolean;
  /** Reloads after so many seconds, at this URL. */
  readonly refresh?: { readonly seconds: number; readonly to: string };
  readonly retryAfterSeconds?: number;
};

/** The query of a link that keeps the payer's choice of language. */
export const queryOf = ({ language, languageChosen }: Reader): string =>
  languageChosen ? `?lang=${language}` : '';
