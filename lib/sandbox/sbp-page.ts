import { shownAmount } from '../page/amount.ts';
import { html } from '../page/html.ts';
import type { Language } from '../page/language.ts';
import type { SandboxResponse } from './answer.ts';
import { page } from './layout.ts';
import { messagesIn } from './messages.ts';
import type { Order } from './order.ts';
import { timeLeft } from './time-left.ts';

/** What the payer's bank shows for a payment by SBP: a button to pay, and one to give up; works without JavaScript. */
export function sbpPage(order: Order, language: Language, now: Date): SandboxResponse {
  const says = messagesIn(language);
  const amount = shownAmount({ minor: order.amountMinor, currency: order.currency }, language);
  const body = html`<h1>${says.sbpTitle}</h1>
<p class="quiet"><bdi>${order.description}</bdi></p>
<p class="quiet">${says.toPay}</p><p class="amount">${amount}</p>
${timeLeft(order, says, now)}
<form method="post"><button name="do" value="pay">${says.pay} ${amount}</button>
<button class="second" name="do" value="abandon">${says.abandon}</button></form>`;
  return page({ language, title: says.sbpTitle, body, returnUrl: order.returnUrl });
}
