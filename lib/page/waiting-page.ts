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
  /** Another payment of the bill took this one's place. */
  readonly displaced: { readonly holds: boolean } | undefined;
};

/** `/result/{payment}` while the acquirer has not decided. A header reloads it, without JavaScript. */
export function waitingPage(reader: Reader, waiting: Waiting): Page {
  const { checks, key, displaced } = waiting;
  const texts = messagesIn(reader.language).waiting;
  const next = `?${nextQuery(reader, waiting)}`;
  const [heading, warning, text] = displaced
    ? [texts.displaced, displaced.holds ? texts.notCharged : texts.refunded, texts.reloads]
    : [texts.heading, texts.warning, texts.text];
  const markup = layout(reader, {
    title: heading,
    name: 'waiting',
    outcome: displaced ? 'displaced' : 'waiting',
    keep: { key },
    body: html`${sign('calm')}
<h1>${heading}</h1>
<p><strong>${warning}</strong></p>
<p>${text}</p>
<a class="button" href="${next}">${texts.check}</a>`,
  });
  return { status: 200, markup, refresh: { seconds: pauses[checks] ?? longestPause, to: next } };
}

function nextQuery(
  { language, languageChosen }: Reader,
  { checks, key }: Pick<Waiting, 'checks' | 'key'>,
): string {
  const check = String(Math.min(checks + 1, pauses.length));
  return new URLSearchParams({ key, ...(languageChosen && { lang: language }), check }).toString();
}
