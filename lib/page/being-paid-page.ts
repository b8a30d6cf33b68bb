import { type BillToPay, billSummary } from './bill-summary.ts';
import { html, type Html } from './html.ts';
import type { Language } from './language.ts';
import { layout } from './layout.ts';
import { messagesIn } from './messages.ts';
import { type Page, queryOf, type Reader } from './page.ts';

type BeingPaid = BillToPay & {
  /** When the payer's lock on the bill ends at the latest; undefined while the capture is under way. */
  readonly until: Date | undefined;
};

const usualPauseSeconds = 30;

/**
 * `/transfer/{bill}` while somebody else pays. It shows only what everybody with the link may know, nothing of the
 * payment. A header reloads the page; once the lock is over, the page has the button again.
 */
export function beingPaidPage(reader: Reader, bill: BeingPaid, now: Date): Page {
  const texts = messagesIn(reader.language).beingPaid;
  const seconds = bill.until && Math.max(1, Math.ceil((bill.until.getTime() - now.getTime()) / 1000));
  const again = queryOf(reader) || '?';
  const markup = layout(reader, {
    title: texts.heading,
    name: 'being-paid',
    outcome: 'being_paid',
    body: html`<p class="note"><strong>${texts.heading}</strong><br>${held(reader.language, bill.until, seconds)}</p>
${billSummary(bill, reader.language)}
<p>${texts.text}</p>
<a class="button" href="${again}">${texts.check}</a>
<p class="quiet center">${texts.reloads}</p>`,
  });
  const pause = Math.min(usualPauseSeconds, seconds ?? usualPauseSeconds);
  return { status: 200, markup, refresh: { seconds: pause, to: again } };
}

/** In minutes from now, because the payer's clock and time zone are unknown. */
function held(language: Language, until: Date | undefined, seconds: number | undefined): Html {
  const texts = messagesIn(language).beingPaid;
  if (!until || seconds === undefined) return html`${texts.soon}`;
  const [before, after] = texts.held;
  return html`${before} <time datetime="${until.toISOString()}">${Math.ceil(seconds / 60)} ${texts.minutes}</time>${after}`;
}
