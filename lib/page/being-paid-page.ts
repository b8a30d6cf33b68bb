import { type BillToPay, billSummary } from './bill-summary.ts';
import { html, type Html } from './html.ts';
import type { Language } from './language.ts';
import { layout } from './layout.ts';
import { messagesIn } from './messages.ts';
import { inMinutes } from './minutes.ts';
import { type Page, queryOf, type Reader } from './page.ts';
import { pauseAfter } from './reloads.ts';

type BeingPaid = BillToPay & {
  /** When the payer's lock on the bill ends at the latest; undefined while the capture is under way. */
  readonly until: Date | undefined;
};

type Shown = {
  readonly now: Date;
  /** How often this page was shown in a row. */
  readonly checks: number;
};

/** The reload at which this page begins: half a minute, since nobody here has just paid. */
const firstReload = 5;

/**
 * `/transfer/{bill}` while somebody else pays. It shows only what everybody with the link may know, nothing of the
 * payment. A header reloads the page; once the lock is over, the page has the button again.
 */
export function beingPaidPage(reader: Reader, bill: BeingPaid, { now, checks }: Shown): Page {
  const { beingPaid: texts, waiting } = messagesIn(reader.language);
  const again = queryOf(reader) || '?';
  const next = `${again}${again === '?' ? '' : '&'}check=${checks + 1}`;
  const seconds = pause(bill.until, { now, checks });
  const markup = layout(reader, {
    title: texts.heading,
    name: 'being-paid',
    outcome: 'being_paid',
    body: html`<p class="note"><strong>${texts.heading}</strong><br>${held(reader.language, bill.until, now)}</p>
${billSummary(bill, reader.language)}
<p>${texts.text}</p>
<a class="button" href="${again}">${texts.check}</a>
<p class="quiet center">${seconds === undefined ? waiting.reloadsNoMore : waiting.reloads}</p>`,
  });
  return { status: 200, markup, ...(seconds !== undefined && { refresh: { seconds, to: next } }) };
}

/** Shorter when the bill is free sooner. */
function pause(until: Date | undefined, { now, checks }: Shown): number | undefined {
  const seconds = pauseAfter(firstReload + checks);
  const left = until ? Math.ceil((until.getTime() - now.getTime()) / 1000) : 0;
  return seconds === undefined || left <= 0 ? seconds : Math.min(seconds, left);
}

function held(language: Language, until: Date | undefined, now: Date): Html {
  const texts = messagesIn(language).beingPaid;
  if (!until) return html`${texts.soon}`;
  return until <= now ? html`${texts.ending}` : inMinutes(texts.held, until, { now, language });
}
