import { shownAmount } from '../page/amount.ts';
import { html, type Html } from '../page/html.ts';
import type { Language } from '../page/language.ts';
import type { SandboxResponse } from './answer.ts';
import type { CardErrors, CardField } from './card.ts';
import { page } from './layout.ts';
import { messagesIn, type Messages } from './messages.ts';
import type { Order } from './order.ts';
import { paymentCards } from './test-values.ts';
import { timeLeft } from './time-left.ts';

/** The payer's input, shown again for correction. The CVC is never sent back. */
export type CardForm = Readonly<Record<CardField | 'holder', string>>;
const emptyForm: CardForm = { number: '', expiry: '', cvc: '', holder: '' };

type Input = {
  readonly name: CardField | 'holder';
  readonly label: Html;
  readonly hint?: string;
  readonly autocomplete: string;
  readonly mode: 'numeric' | 'text';
  readonly longest: number;
};

/** The hosted card page; works without JavaScript. */
export function cardPage(
  order: Order,
  { language, now }: { readonly language: Language; readonly now: Date },
  form: CardForm = emptyForm,
  errors: CardErrors = {},
): SandboxResponse {
  const says = messagesIn(language);
  const troubled = Object.keys(errors).length > 0;
  const input = (each: Input) => field(each, form, errors, says);
  const amount = shownAmount({ minor: order.amountMinor, currency: order.currency }, language);
  const body = html`<h1>${says.title}</h1>
<p class="quiet"><bdi>${order.description}</bdi></p>
<p class="quiet">${says.toPay}</p><p class="amount">${amount}</p>
${timeLeft(order, says, now)}
<form method="post" novalidate>${troubled && html`<p class="bad" role="alert">${says.checkFields}</p>`}
${input({ name: 'number', label: html`${says.number}`, autocomplete: 'cc-number', mode: 'numeric', longest: 30 })}
<div class="pair"><div>${input({ name: 'expiry', label: html`${says.expiry}`, hint: says.expiryHint, autocomplete: 'cc-exp', mode: 'text', longest: 9 })}</div>
<div>${input({ name: 'cvc', label: html`${says.cvc}`, autocomplete: 'cc-csc', mode: 'numeric', longest: 4 })}</div></div>
${input({ name: 'holder', label: html`${says.holder} <span>(${says.optional})</span>`, autocomplete: 'cc-name', mode: 'text', longest: 60 })}
<button name="do" value="pay">${says.pay} ${amount}</button>
<button class="second" name="do" value="abandon">${says.abandon}</button></form>
${cardTable(language, says)}`;
  const status = troubled ? 422 : 200;
  return page({ status, language, title: says.title, body, returnUrl: order.returnUrl });
}

function field(
  { name, label, hint, autocomplete, mode, longest }: Input,
  form: CardForm,
  errors: CardErrors,
  says: Messages,
): Html {
  const trouble = name === 'holder' ? undefined : errors[name];
  const value = name === 'cvc' ? '' : form[name];
  const wrong = trouble && html` aria-invalid="true" aria-describedby="${name}-trouble"`;
  return html`<label for="${name}">${label}</label><input id="${name}" name="${name}" value="${value}" inputmode="${mode}" autocomplete="${autocomplete}" maxlength="${longest}"${hint && html` placeholder="${hint}"`}${wrong}>${trouble && html`<p class="bad" id="${name}-trouble">${says.troubles[trouble]}</p>`}`;
}

const grouped = (number: string): string => number.replaceAll(/(\d{4})(?=\d)/g, '$1 ');

const cardTable = (language: Language, says: Messages): Html =>
  html`<details><summary>${says.testCards}</summary><p class="quiet">${says.testCardsHint}</p>
<table><thead><tr><th scope="col">${says.number}</th><th scope="col">${says.outcome}</th></tr></thead><tbody>
${paymentCards.map((row) => html`<tr><td>${grouped(row.value)}</td><td>${row[language]}</td></tr>`)}
</tbody></table></details>`;
