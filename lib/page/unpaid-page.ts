import type { Unpaid } from '../payment/unpaid.ts';
import { html, type Html } from './html.ts';
import { layout } from './layout.ts';
import { messagesIn } from './messages.ts';
import { inMinutes } from './minutes.ts';
import { type Page, queryOf, type Reader } from './page.ts';
import { anotherWay } from './payment-page.ts';
import { sign } from './signs.ts';
import { reloading, type Waiting } from './waiting-page.ts';

type Left = Waiting & {
  readonly unpaid: Unpaid;
  /** The bill's payment page. */
  readonly payUrl: string;
  readonly now: Date;
};

/**
 * `/result/{payment}` for a payer who has left the acquirer's page, which can still be paid: they may have paid a moment ago,
 * so the page reloads as the waiting page does, or may go on paying the same order.
 */
export function unpaidPage(reader: Reader, { unpaid, payUrl, now, ...waiting }: Left): Page {
  const { method, pageUrl } = unpaid;
  const { unpaid: texts, waiting: waits } = messagesIn(reader.language);
  const { next, refresh, reloads } = reloading(reader, waiting);
  const markup = layout(reader, {
    title: texts.heading,
    name: 'waiting',
    outcome: 'unpaid',
    keep: { key: waiting.key },
    body: html`${sign('calm')}
<h1>${texts.heading}</h1>
<p>${texts.begun[method]} ${texts.nothing}</p>
<p><strong>${texts.paid}</strong> ${reloads} <a href="${next}">${waits.check}</a></p>
<p>${texts.notPaid} ${inMinutes(texts.open, unpaid.until, { now, language: reader.language })}</p>
<a class="button" href="${pageUrl}">${texts.goOn[method]}</a>
${otherWay(reader, unpaid, { payUrl, now })}
<p class="quiet">${again(reader, unpaid, now)}</p>`,
  });
  return { status: 200, markup, ...refresh };
}

/** Where the bill can be paid anew, or in another way that displaces this payment. */
function otherWay(
  reader: Reader,
  { againFrom, hasOtherWay }: Unpaid,
  { payUrl, now }: Pick<Left, 'payUrl' | 'now'>,
): Html | undefined {
  const texts = messagesIn(reader.language).unpaid;
  const second = (query: string, text: string): Html =>
    html`<a class="button second" href="${payUrl}${query}">${text}</a>`;
  if (againFrom && againFrom <= now) return second(queryOf(reader), texts.anew);
  return hasOtherWay && againFrom ? second(anotherWayQuery(reader), texts.otherWay) : undefined;
}

const anotherWayQuery = ({ language, languageChosen }: Reader): string =>
  `?${new URLSearchParams({ ...(languageChosen && { lang: language }), ...anotherWay }).toString()}`;

function again({ language }: Reader, { againFrom }: Unpaid, now: Date): Html {
  const texts = messagesIn(language).unpaid;
  if (!againFrom) return html`${texts.notCharged}`;
  return againFrom <= now
    ? html`${texts.againNow}`
    : html`${texts.notCharged} ${inMinutes(texts.again, againFrom, { now, language })}`;
}
