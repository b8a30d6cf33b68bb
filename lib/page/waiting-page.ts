import { html } from './html.ts';
import { layout } from './layout.ts';
import { messagesIn } from './messages.ts';
import type { Page, Reader } from './page.ts';
import { sign } from './signs.ts';

/** Seconds between reloads; the last value repeats. They grow, so that reloads do not keep interrupting a reader. */
const pauses = [2, 3, 5, 10, 20, 30] as const;
const longestPause = 60;

type Waiting = {
  /** How often this page was shown in a row. */
  readonly checks: number;
  /** Query parameters of this page's URL beside the payment's id. */
  readonly key: string;
};

/** `/result/{payment}` while the acquirer has not decided. A header reloads it, without JavaScript. */
export function waitingPage(reader: Reader, { checks, key }: Waiting): Page {
  const texts = messagesIn(reader.language).waiting;
  const next = `?${nextQuery(reader, { checks, key })}`;
  const markup = layout(reader, {
    title: texts.heading,
    name: 'waiting',
    outcome: 'waiting',
    keep: { key },
    body: html`${sign('calm')}
<h1>${texts.heading}</h1>
<p><strong>${texts.warning}</strong></p>
<p>${texts.text}</p>
<a class="button" href="${next}">${texts.check}</a>`,
  });
  return { status: 200, markup, refresh: { seconds: pauses[checks] ?? longestPause, to: next } };
}

function nextQuery({ language, languageChosen }: Reader, { checks, key }: Waiting): string {
  const check = String(Math.min(checks + 1, pauses.length));
  return new URLSearchParams({ key, ...(languageChosen && { lang: language }), check }).toString();
}
