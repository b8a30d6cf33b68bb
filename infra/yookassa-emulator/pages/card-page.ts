import { html, type Html } from '../../../lib/page/html.ts';
import { testCards, type TestCard } from '../test-cards.ts';
import type { CardErrors, CardField, CardForm } from './card-form.ts';
import { page, shownAmount, summary, type Checkout } from './layout.ts';
import { messagesIn, type Messages } from './messages.ts';

const emptyForm: CardForm = { number: '', expiry: '', cvc: '' };

/** The hosted card form, with a second form for SBP where the payer may choose. The CVC is never sent back. */
export function cardPage(
  checkout: Checkout,
  leadsTo: readonly string[],
  form: CardForm = emptyForm,
  errors: CardErrors = {},
) {
  const says = messagesIn(checkout.locale);
  const troubled = Object.keys(errors).length > 0;
  const input = (each: Input) => field(each, form, errors, says);
  const body = html`${summary(checkout, says.cardTitle)}
<form method="post" novalidate>${troubled && html`<p class="bad" role="alert">${says.checkFields}</p>`}
${input({ name: 'number', label: says.number, autocomplete: 'cc-number', mode: 'numeric', longest: 30 })}
<div class="pair"><div>${input({ name: 'expiry', label: says.expiry, hint: says.expiryHint, autocomplete: 'cc-exp', mode: 'text', longest: 9 })}</div>
<div>${input({ name: 'cvc', label: says.cvc, autocomplete: 'cc-csc', mode: 'numeric', longest: 4 })}</div></div>
<button name="method" value="bank_card">${says.pay} ${shownAmount(checkout)}</button></form>
${checkout.methods.includes('sbp') && html`<p class="or">${says.or}</p><form method="post"><button class="second" name="method" value="sbp">${says.paySbp}</button></form>`}
${leave(checkout)}
${cardTable(says)}`;
  const status = troubled ? 400 : 200;
  return page({
    status,
    ...checkout,
    kind: 'card',
    title: says.cardTitle,
    body,
    leadsTo,
    origin: 'checkout',
  });
}

/** A link and not a form: the vendor does not end the payment, it stays payable until it expires. */
export const leave = ({ locale, returnUrl }: Checkout): Html =>
  html`<p class="leave"><a href="${returnUrl}">${messagesIn(locale).backToShop}</a></p>`;

type Input = {
  readonly name: CardField;
  readonly label: string;
  readonly hint?: string;
  readonly autocomplete: string;
  readonly mode: 'numeric' | 'text';
  readonly longest: number;
};

function field(
  { name, label, hint, autocomplete, mode, longest }: Input,
  form: CardForm,
  errors: CardErrors,
  says: Messages,
): Html {
  const trouble = errors[name];
  const value = name === 'cvc' ? '' : form[name];
  const wrong = trouble && html` aria-invalid="true" aria-describedby="${name}-trouble"`;
  return html`<label for="${name}">${label}</label><input id="${name}" name="${name}" value="${value}" inputmode="${mode}" autocomplete="${autocomplete}" maxlength="${longest}"${hint !== undefined && html` placeholder="${hint}"`}${wrong}>${trouble && html`<p class="bad" id="${name}-trouble">${says.troubles[trouble]}</p>`}`;
}

const cardTable = (says: Messages): Html =>
  html`<details><summary>${says.testCards}</summary><p class="quiet">${says.testCardsHint}</p>
<table><thead><tr><th scope="col">${says.number}</th><th scope="col">${says.outcome}</th></tr></thead><tbody>
${testCards.map((card) => html`<tr><td>${grouped(card.number)}</td><td>${outcomeText(card, says)}</td></tr>`)}
</tbody></table></details>`;

const grouped = (number: string): string => number.replaceAll(/(\d{4})(?=\d)/g, '$1 ');

function outcomeText({ outcome }: TestCard, says: Messages): string {
  if (outcome.kind === 'refused') return `${says.isRefused}: ${outcome.reason}`;
  return outcome.threeDSecure ? says.isPaidWith3ds : says.isPaid;
}
