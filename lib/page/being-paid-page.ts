import { type BillToPay, billSummary } from './bill-summary.ts';
import { html, type Html } from './html.ts';
import type { Language } from './language.ts';
import { layout } from './layout.ts';
import { messagesIn } from './messages.ts';
import { type Page, queryOf, type Reader } from './page.ts';

type BeingPaid = BillToPay & {
  /** Until when the payer keeps the bill to themselves at most; undefined while the money is on its way. */
  readonly until: Date | undefined;
};

const usualPauseSeconds = 30;

/**
 * `/transfer/{bill}` while somebody else pays: what everybody with the link may know, and nothing of the payment. A header
 * reloads the page, which has the button again as soon as the time is over.
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

/** In minutes from now, for the payer's clock and time zone are not known here. */
function held(language: Language, until: Date | undefined, seconds: number | undefined): Html {
  const texts = messagesIn(language).beingPaid;
  if (!until || seconds === undefined) return html`${texts.soon}`;
  const [before, after] = texts.held;
  return html`${before} <time datetime="${until.toISOString()}">${Math.ceil(seconds / 60)} ${texts.minutes}</time>${after}`;
}
