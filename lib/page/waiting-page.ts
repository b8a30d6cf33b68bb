import { html } from './html.ts';
import { layout } from './layout.ts';
import { messagesIn } from './messages.ts';
import type { Page, Reader } from './page.ts';
import { pauseAfter } from './reloads.ts';
import { sign } from './signs.ts';

export type Waiting = {
  /** How often this page was shown in a row. */
  readonly checks: number;
  /** Query parameters of this page's URL beside the payment's id. */
  readonly key: string;
};

type Undecided = Waiting & {
  /** Another payment of the bill took this one's place. */
  readonly displaced: { readonly holds: boolean } | undefined;
};

/** `/result/{payment}` while the acquirer has not decided. A header reloads it, without JavaScript. */
export function waitingPage(reader: Reader, { displaced, ...waiting }: Undecided): Page {
  const texts = messagesIn(reader.language).waiting;
  const [heading, warning, text] = displaced
    ? [texts.displaced, displaced.holds ? texts.notCharged : texts.refunded, texts.another]
    : [texts.heading, texts.warning, texts.text];
  const { next, refresh, reloads } = reloading(reader, waiting);
  const markup = layout(reader, {
    title: heading,
    name: 'waiting',
    outcome: displaced ? 'displaced' : 'waiting',
    keep: { key: waiting.key },
    body: html`${sign('calm')}
<h1>${heading}</h1>
<p><strong>${warning}</strong></p>
<p>${text} ${reloads}</p>
<a class="button" href="${next}">${texts.check}</a>`,
  });
  return { status: 200, markup, ...refresh };
}

/** The reload of a page of `/result/{payment}`: its link, its header, and what the page says of it. */
export function reloading(
  { language, languageChosen }: Reader,
  { checks, key }: Waiting,
): { readonly next: string; readonly refresh: Pick<Page, 'refresh'>; readonly reloads: string } {
  const texts = messagesIn(language).waiting;
  const fields = { key, ...(languageChosen && { lang: language }), check: String(checks + 1) };
  const next = `?${new URLSearchParams(fields).toString()}`;
  const seconds = pauseAfter(checks);
  return seconds === undefined
    ? { next, refresh: {}, reloads: texts.reloadsNoMore }
    : { next, refresh: { refresh: { seconds, to: next } }, reloads: texts.reloads };
}
