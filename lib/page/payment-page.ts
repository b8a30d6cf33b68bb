import { type BillToPay, billSummary, charge } from './bill-summary.ts';
import { html, type Html } from './html.ts';
import { layout } from './layout.ts';
import { messagesIn } from './messages.ts';
import type { Page, Reader } from './page.ts';
import { lock } from './signs.ts';

/** Why the page is shown again. */
export type PaymentNotice = 'failed_before' | 'form_too_old' | 'foreign_form' | 'method_refused';

type Payable = BillToPay & {
  /** The signed one-time token by which a second click continues the same payment. */
  readonly token: string;
  readonly notice: PaymentNotice | undefined;
  /** The acquirers' origins: Chromium applies `form-action` to the redirect after the form as well. */
  readonly acquirerSources: readonly string[];
};

const statusOf: Readonly<Record<PaymentNotice, number>> = {
  failed_before: 200,
  form_too_old: 409,
  foreign_form: 403,
  method_refused: 503,
};

/** `/transfer/{bill}` (contract 4.1, `link_page_url`): payee, purpose, amount, and the button to pay. */
export function paymentPage(reader: Reader, payable: Payable): Page {
  const { notice, acquirerSources } = payable;
  const texts = messagesIn(reader.language);
  const markup = layout(reader, {
    title: texts.payment.title(payable.shop.name),
    name: 'payment',
    outcome: 'payable',
    ...(notice && { notice }),
    body: html`${notice && html`<p class="note" role="status">${texts.notices[notice]}</p>`}
${billSummary(payable, reader.language)}
${form(reader, payable)}
<p class="quiet hint">${lock}<span>${texts.payment.hint}</span></p>`,
  });
  return { status: notice ? statusOf[notice] : 200, markup, formAction: acquirerSources };
}

/** Without `action` the form is sent to the page's own URL, under any stage or domain. */
function form({ language }: Reader, payable: Payable): Html {
  const pay = messagesIn(language).payment.pay(charge(payable, language));
  return html`<form method="post">
<input type="hidden" name="token" value="${payable.token}">
<button class="button">${pay}</button>
</form>`;
}
