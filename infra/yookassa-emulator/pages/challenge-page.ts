import { html } from '../../../lib/page/html.ts';
import { leave } from './card-page.ts';
import { page, summary, type Checkout } from './layout.ts';
import { messagesIn, type Locale } from './messages.ts';

/** The issuer's 3-D Secure page, on the bank's origin. Any code is accepted, as in the vendor's test shop. */
export function challengePage(checkout: Checkout, leadsTo: readonly string[]) {
  const says = messagesIn(checkout.locale);
  const body = html`${summary(checkout, says.challengeTitle)}
<p>${says.challengeText(checkout.card ?? '')}</p>
<form method="post" novalidate><label for="code">${says.code}</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="10" aria-describedby="code-hint">
<p class="hint" id="code-hint">${says.codeHint}</p>
<button name="answer" value="confirm">${says.confirm}</button>
<button class="second" name="answer" value="refuse">${says.refuse}</button></form>`;
  return page({ ...checkout, kind: 'challenge', title: says.challengeTitle, body, leadsTo, origin: 'bank' });
}

/** The hosted page of a payment that waits for the issuer: a link, so that the shop's `form-action` need not name the bank. */
export function toBankPage(checkout: Checkout, bankUrl: string) {
  const says = messagesIn(checkout.locale);
  const body = html`${summary(checkout, says.bankPendingTitle)}
<p>${says.bankPendingText}</p><a class="button" href="${bankUrl}">${says.toBank}</a>${leave(checkout)}`;
  return page({ ...checkout, kind: 'to-bank', title: says.bankPendingTitle, body, origin: 'checkout' });
}

export function unknownPage(locale: Locale, origin: 'checkout' | 'bank') {
  const says = messagesIn(locale);
  const body = html`<h1>${says.notFoundTitle}</h1><p>${says.notFoundText}</p>`;
  return page({ status: 404, locale, kind: 'problem', title: says.notFoundTitle, body, origin });
}
