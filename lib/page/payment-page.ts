import { longestComment, longestPayerName } from '../bill/contact.ts';
import type { Askable } from '../bill/options.ts';
import type { PaymentMethod } from '../payment/acquirer.ts';
import type { MethodForm } from '../payment/open-bill.ts';
import type { AskedContact, ContactTrouble, FieldTroubles, Typed } from '../payment/payer-contact.ts';
import { type BillToPay, billSummary, charge } from './bill-summary.ts';
import { html, type Html } from './html.ts';
import { layout } from './layout.ts';
import { messagesIn } from './messages.ts';
import type { Page, Reader } from './page.ts';
import { lock } from './signs.ts';

/** Why the page is shown again. */
export type PaymentNotice =
  | 'failed_before'
  | 'form_too_old'
  | 'foreign_form'
  | 'not_responding'
  | 'method_refused'
  | 'other_way'
  | ContactTrouble;

type Payable = BillToPay & {
  /** The methods that take the charge, each with the signed one-time token by which a second click continues the same payment. */
  readonly forms: readonly MethodForm[];
  readonly notice: PaymentNotice | undefined;
  /** What the bill has the payer asked, in every form. */
  readonly fields?: readonly Askable[];
  /** What the payer typed, so that it need not be typed again. */
  readonly typed?: Typed;
  /** What is wrong with it. */
  readonly troubles?: FieldTroubles;
  /** The method that has just not worked: it is offered last. */
  readonly failedMethod?: PaymentMethod;
  /** The acquirers' pages: Chromium applies `form-action` to the redirect after the form as well. */
  readonly acquirerSources: readonly string[];
};

/** The query parameter of the payment page that offers the other ways to pay, although this browser's payment is under way. */
export const anotherWay = { another: '1' } as const;

const looks: Readonly<
  Record<PaymentNotice, { readonly status: number; readonly retryAfterSeconds?: number }>
> = {
  failed_before: { status: 200 },
  form_too_old: { status: 409 },
  foreign_form: { status: 403 },
  not_responding: { status: 503, retryAfterSeconds: 60 },
  method_refused: { status: 503 },
  other_way: { status: 200 },
  contact_missing: { status: 422 },
  contact_unreadable: { status: 422 },
  fields_wrong: { status: 422 },
};

/** `/transfer/{bill}` (contract 4.1, `link_page_url`): payee, purpose, amount, and a button for each way to pay. */
export function paymentPage(reader: Reader, payable: Payable): Page {
  const { notice, acquirerSources } = payable;
  const forms = payable.forms.toSorted((one, other) => rank(one, payable) - rank(other, payable));
  const texts = messagesIn(reader.language);
  const told = forms.length === 0 ? texts.payment.noMethod : noticeOf(reader, payable);
  const markup = layout(reader, {
    title: texts.payment.title(payable.shop.name),
    name: 'payment',
    outcome: forms.length === 0 ? 'no_method' : 'payable',
    ...(notice && { notice }),
    ...(notice === 'other_way' && { keep: anotherWay }),
    body: html`${told !== undefined && html`<p class="note" role="status">${told}</p>`}
${billSummary(payable, reader.language)}
${groupsOf(forms, payable).map((group) => formOf(reader, payable, group))}
${forms.length > 0 && html`<p class="quiet hint">${lock}<span>${hintOf(reader, forms)}</span></p>`}`,
  });
  return { markup, formAction: acquirerSources, ...(notice ? looks[notice] : { status: 200 }) };
}

type Group = {
  readonly asks: AskedContact | undefined;
  readonly fields: readonly Askable[];
  readonly ways: readonly (MethodForm & { readonly place: number })[];
};

/** The ways to pay by their forms: those that need the payer's contact or answers share one, because a field is there once. */
function groupsOf(forms: readonly MethodForm[], { fields = [] }: Payable): readonly Group[] {
  const ways = forms.map((form, place) => ({ ...form, place }));
  const isAsking = ({ asks }: MethodForm) => asks !== undefined || fields.length > 0;
  const asking = ways.filter(isAsking);
  const [asks] = (['email', 'email_or_phone'] as const).filter((each) =>
    asking.some((way) => way.asks === each),
  );
  return [
    ...(asking.length > 0 ? [{ asks, fields, ways: asking }] : []),
    ...ways.filter((way) => !isAsking(way)).map((way) => ({ asks: undefined, fields: [], ways: [way] })),
  ];
}

/**
 * Without `action` the form is sent to the page's own URL, under any stage or domain. A token is signed for its way to pay: where a form
 * has several, the button's `method` says which token counts; elsewhere it only names the button for programs.
 */
function formOf(reader: Reader, payable: Payable, { asks, fields, ways }: Group): Html {
  const isShared = asks !== undefined || fields.length > 0;
  const tokenName = (method: PaymentMethod): string => (isShared ? `token-${method}` : 'token');
  return html`<form method="post" novalidate>
${ways.map(({ method, token }) => html`<input type="hidden" name="${tokenName(method)}" value="${token}">`)}
${asks && contactField(reader, payable, asks)}
${fields.length > 0 && askedFields(reader, payable, fields)}
${ways.map((way) => button(reader, payable, way))}
</form>
`;
}

function button({ language }: Reader, payable: Payable, { method, place }: Group['ways'][number]): Html {
  const texts = messagesIn(language).payment;
  const amount = charge(payable, language);
  const isPlain = payable.forms.length === 1 && method === 'card';
  return html`<button class="button${place > 0 && ' second'}" name="method" value="${method}">${isPlain ? texts.pay(amount) : texts.payBy[method](amount)}</button>`;
}

/** One field for either contact. What is wrong with it stands in the place of its hint, and the field has the focus. */
function contactField({ language }: Reader, { notice, typed, troubles }: Payable, asks: AskedContact): Html {
  const { label, hint, ...sentences } = messagesIn(language).payment.contact[asks];
  const told = notice === 'contact_missing' || notice === 'contact_unreadable' ? notice : undefined;
  const trouble = told ?? (troubles?.contact && (`contact_${troubles.contact}` as const));
  const type = asks === 'email' ? 'email' : 'text';
  return html`<label for="contact">${label}</label>
<input id="contact" name="contact" type="${type}" inputmode="email" autocomplete="email" autocapitalize="none" spellcheck="false" maxlength="254" required value="${typed?.contact ?? ''}" aria-describedby="contact-note"${trouble && html` aria-invalid="true" autofocus`}>
<p class="${trouble ? 'bad' : 'quiet'} under" id="contact-note">${trouble ? sentences[trouble] : hint}</p>
`;
}

/** The fields that the bill asks. What is wrong with one stands below it, and the first of these has the focus. */
function askedFields({ language }: Reader, payable: Payable, fields: readonly Askable[]): Html {
  const { hint, ...texts } = messagesIn(language).payment.asked;
  const { troubles = {} } = payable;
  const first = troubles.contact ? undefined : fields.find((field) => troubles[field]);
  return html`<p class="quiet apart">${hint}</p>
${fields.map((field) => {
  const trouble = troubles[field];
  const marks = html`${trouble && html` aria-invalid="true" aria-describedby="${field}-note"`}${field === first && html` autofocus`}`;
  return html`<label for="${field}">${texts[field].label}</label>
${control(field, payable.typed?.[field] ?? '', marks)}
${trouble && html`<p class="bad under" id="${field}-note">${texts[field][trouble]}</p>`}
`;
})}`;
}

const attributes = {
  email: html`type="email" inputmode="email" autocomplete="email" autocapitalize="none" spellcheck="false" maxlength="254" required`,
  phone: html`type="tel" inputmode="tel" autocomplete="tel" maxlength="32" required`,
  name: html`type="text" autocomplete="name" maxlength="${String(longestPayerName)}" required`,
} as const;

const control = (field: Askable, text: string, marks: Html): Html =>
  field === 'comment'
    ? html`<textarea id="comment" name="comment" rows="3" maxlength="${String(longestComment)}"${marks}>
${text}</textarea>`
    : html`<input id="${field}" name="${field}" ${attributes[field]} value="${text}"${marks}>`;

/** What has just failed is last, what the bill asks for is first. */
function rank({ method }: MethodForm, { failedMethod, bill }: Payable): number {
  if (method === failedMethod) return 1;
  return method === bill.options?.method ? -1 : 0;
}

/** What happened, and after a method that does not work what to do. */
function noticeOf({ language }: Reader, { notice, forms }: Payable): string | undefined {
  const { notices, payment } = messagesIn(language);
  if (notice === undefined) return undefined;
  if (notice === 'failed_before') return `${notices[notice]} ${payment.tryAgain[onlyMethod(forms) ?? 'any']}`;
  if (notice !== 'not_responding' && notice !== 'method_refused') return notices[notice];
  return `${notices[notice]} ${forms.length > 1 ? payment.otherWay : payment.tryLater}`;
}

const onlyMethod = ([first, ...others]: readonly MethodForm[]): PaymentMethod | undefined =>
  others.length === 0 ? first?.method : undefined;

const hintOf = ({ language }: Reader, forms: readonly MethodForm[]): string =>
  forms.map(({ method }) => messagesIn(language).payment.hints[method]).join(' ');
