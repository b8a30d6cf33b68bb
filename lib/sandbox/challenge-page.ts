import { shownAmount } from '../page/amount.ts';
import { html } from '../page/html.ts';
import type { Language } from '../page/language.ts';
import type { SandboxResponse } from './answer.ts';
import { page } from './layout.ts';
import { messagesIn } from './messages.ts';
import type { Order } from './order.ts';

/** The only code that the sandbox's issuer accepts. */
export const challengeCode = '123456';

/** The issuer's 3-D Secure page; works without JavaScript. */
export function challengePage(order: Order, language: Language, wrongCode = false): SandboxResponse {
  const says = messagesIn(language);
  const marked = wrongCode && html` aria-invalid="true"`;
  const body = html`<h1>${says.challengeTitle}</h1>
<p>${says.challengeText(order.card ?? '')}</p>
<p class="quiet">${says.toPay}</p>
<p class="amount">${shownAmount({ minor: order.amountMinor, currency: order.currency }, language)}</p>
<form method="post" novalidate><label for="code">${says.code}</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="10" aria-describedby="code-hint"${marked}>
<p class="${wrongCode ? 'bad' : 'hint'}" id="code-hint"${wrongCode && html` role="alert"`}>${wrongCode ? says.wrongCode : says.codeHint}</p>
<button name="answer" value="confirm">${says.confirm}</button>
<button class="second" name="answer" value="refuse">${says.refuse}</button></form>`;
  const status = wrongCode ? 422 : 200;
  return page({ status, language, title: says.challengeTitle, body, returnUrl: order.returnUrl });
}

/** Shown when the authorisation was made but the browser gets no confirmation. */
export function timedOutPage(order: Order, language: Language): SandboxResponse {
  const says = messagesIn(language);
  const body = html`<h1>${says.timedOutTitle}</h1><p>${says.timedOutText}</p>
<form method="post" action="${order.returnUrl}"><button>${says.back}</button></form>`;
  return page({ status: 504, language, title: says.timedOutTitle, body, returnUrl: order.returnUrl });
}

/** Shown when the order expired before it was paid. */
export function expiredPage(order: Order, language: Language): SandboxResponse {
  const says = messagesIn(language);
  const body = html`<h1>${says.expiredTitle}</h1><p>${says.expiredText}</p>
<form method="post" action="${order.returnUrl}"><button>${says.back}</button></form>`;
  return page({ status: 410, language, title: says.expiredTitle, body, returnUrl: order.returnUrl });
}

export function unknownPage(language: Language): SandboxResponse {
  const says = messagesIn(language);
  const body = html`<h1>${says.notFoundTitle}</h1><p>${says.notFoundText}</p>`;
  return page({ status: 404, language, title: says.notFoundTitle, body });
}

export function tooLargePage(language: Language): SandboxResponse {
  const says = messagesIn(language);
  const body = html`<h1>${says.tooLargeTitle}</h1><p>${says.tooLargeText}</p>`;
  return page({ status: 413, language, title: says.tooLargeTitle, body });
}
