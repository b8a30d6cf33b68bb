import { html } from '../../../lib/page/html.ts';
import { qrCode } from '../../../lib/page/qr.ts';
import { type PageOrigins, sbpUrl, visitedUrl } from './addresses.ts';
import { leave } from './card-page.ts';
import { page, summary, type Checkout } from './layout.ts';
import { messagesIn } from './messages.ts';

/**
 * The hosted SBP page: a QR code for a phone, and a link to the same address for this device. It reloads itself, because a
 * payment on the phone ends without this browser.
 */
export function sbpPage(checkout: Checkout, origins: PageOrigins) {
  const says = messagesIn(checkout.locale);
  const { paymentId, methods } = checkout;
  const bankUrl = sbpUrl(origins, paymentId);
  const body = html`${summary(checkout, says.sbpTitle)}
<p>${says.sbpText}</p>
<div class="qr" role="img" aria-label="${says.qrLabel}">${qrCode(bankUrl)}</div>
<a class="button" href="${bankUrl}">${says.sbpButton}</a>
${methods.includes('bank_card') && html`<p class="leave"><a href="${visitedUrl(origins, paymentId)}&method=bank_card">${says.payByCardInstead}</a></p>`}
${leave(checkout)}`;
  return page({ ...checkout, kind: 'sbp', title: says.sbpTitle, body, origin: 'checkout', reloadSeconds: 5 });
}

/** The payer's bank, on its own origin. */
export function sbpBankPage(checkout: Checkout, leadsTo: readonly string[]) {
  const says = messagesIn(checkout.locale);
  const body = html`${summary(checkout, says.sbpBankTitle)}
<p>${says.sbpBankText}</p>
<form method="post"><button name="answer" value="confirm">${says.confirm}</button>
<button class="second" name="answer" value="refuse">${says.refuse}</button></form>`;
  return page({ ...checkout, kind: 'sbp-bank', title: says.sbpBankTitle, body, leadsTo, origin: 'bank' });
}
