import { html } from './html.ts';
import { layout } from './layout.ts';
import { messagesIn } from './messages.ts';
import type { Page, Reader } from './page.ts';
import { sign, type Tone } from './signs.ts';

/** The reasons why a visit ends before a payment starts. */
export type End =
  | 'not_found'
  | 'no_page'
  | 'paid'
  | 'switched_off'
  | 'expired'
  | 'too_many_failures'
  | 'too_many_attempts'
  | 'too_large'
  | 'unavailable'
  | 'error';

type Look = {
  readonly status: number;
  readonly tone: Tone;
  /** Whether reloading may help. */
  readonly again?: true;
  /** Seconds until a reload may help. */
  readonly retryAfterSeconds?: number;
};

const looks: Readonly<Record<End, Look>> = {
  not_found: { status: 404, tone: 'quiet' },
  no_page: { status: 404, tone: 'quiet' },
  paid: { status: 409, tone: 'good' },
  switched_off: { status: 410, tone: 'quiet' },
  expired: { status: 410, tone: 'quiet' },
  too_many_failures: { status: 410, tone: 'bad' },
  too_many_attempts: { status: 429, tone: 'calm', again: true, retryAfterSeconds: 600 },
  too_large: { status: 413, tone: 'bad', again: true },
  unavailable: { status: 503, tone: 'calm', again: true, retryAfterSeconds: 60 },
  error: { status: 500, tone: 'bad' },
};

/** Says in one sentence why nothing can be paid here, and what to do. */
export function messagePage(reader: Reader, end: End): Page {
  const { status, tone, again, retryAfterSeconds } = looks[end];
  const texts = messagesIn(reader.language);
  const [heading, text] = texts.ends[end];
  const samePage = reader.languageChosen ? `?lang=${reader.language}` : '?';
  const markup = layout(reader, {
    title: heading,
    name: 'message',
    outcome: end,
    body: html`${sign(tone)}
<h1>${heading}</h1>
<p>${text}</p>
${again && html`<a class="button" href="${samePage}">${texts.retry}</a>`}`,
  });
  return { status, markup, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}
