import { type BillToPay, billSummary } from './bill-summary.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';
import { messagesIn } from './messages.ts';
import { type Page, queryOf, type Reader } from './page.ts';
import { qrCode } from './qr.ts';

type Link = BillToPay & {
  /** The absolute URL of the payment page, for the QR code. */
  readonly payUrl: string;
};

/** `GET /link/{bill}`: the payment page's URL as a QR code and as a button (contract 4.1, `link_url`). */
export function linkPage(reader: Reader, link: Link): Page {
  const texts = messagesIn(reader.language).link;
  const markup = layout(reader, {
    title: texts.title(link.shop.name),
    name: 'link',
    outcome: 'payable',
    body: html`${billSummary(link, reader.language)}
<div class="code" role="img" aria-label="${texts.qr}">${qrCode(link.payUrl)}</div>
<p class="quiet center">${texts.scan}</p>
<a class="button" href="${link.payUrl}${queryOf(reader)}">${texts.open}</a>`,
  });
  return { status: 200, markup };
}
