import { askable } from '../bill/options.ts';
import { type BillId, readBillId } from '../ids.ts';
import type { PaymentMethod } from '../payment/acquirer.ts';
import { browserLength } from '../payment/browser.ts';
import {
  type NotResponding,
  openBill,
  type OpenBill,
  type OpenBillPorts,
  otherWaysToPay,
  type PayableBill,
} from '../payment/open-bill.ts';
import type { FieldTroubles, Typed } from '../payment/payer-contact.ts';
import { viewOf, viewWith } from '../payment/payer-view.ts';
import { showLink, type ShowLinkPorts } from '../payment/show-link.ts';
import { beingPaidPage } from './being-paid-page.ts';
import { browserCookie, browserIn } from './browser-cookie.ts';
import { messagePage } from './message-page.ts';
import type { PageAnswer, Visit } from './page-endpoint.ts';
import { type Page, queryOf, readerWith } from './page.ts';
import { type PaymentNotice, paymentPage } from './payment-page.ts';
import { checksIn } from './reloads.ts';

type Shown = {
  readonly opened: Exclude<OpenBill, { readonly kind: 'not_responding' }>;
  readonly acquirerSources: readonly string[];
  readonly now: Date;
  readonly told: Told | undefined;
};

/** Why the submitted form started no payment, and by which method if that is why. */
type Told = {
  readonly notice: PaymentNotice;
  readonly failedMethod?: PaymentMethod;
  readonly troubles?: FieldTroubles;
};

/** What another contact may help against. Without the field, the payer of a bill with a contact that fails could never pay. */
const asksForContact: ReadonlySet<PaymentNotice> = new Set([
  'contact_missing',
  'contact_unreadable',
  'method_refused',
]);

/** Answers a payer who opens the bill: the payment page, their payment under way, or why it cannot be paid. */
export function billAnswer(
  { reader, query, form }: Visit,
  { opened, acquirerSources, now, told }: Shown,
): PageAnswer {
  if (opened.kind === 'in_progress') return { goTo: opened.pageUrl };
  if (opened.kind === 'pending') return { goTo: opened.resultUrl };
  if (opened.kind === 'not_found') return messagePage(reader, opened.kind);
  if ('view' in opened) return messagePage(readerWith(reader, opened.view), opened.kind);
  const readerOfBill = readerWith(reader, viewWith(opened.bill, opened.shop));
  if (opened.kind === 'being_paid')
    return beingPaidPage(readerOfBill, opened, { now, checks: checksIn({ query }) });
  const failed = opened.failedBefore ? { notice: 'failed_before' as const } : { notice: undefined };
  return paymentPage(readerOfBill, { ...opened, acquirerSources, ...typedIn({ form }), ...(told ?? failed) });
}

/**
 * Answers with the bill's current state: the payment page, or a redirect to where this browser has to go on. The page's
 * form is bound to the browser's number, which is set as a cookie.
 */
export async function openBillAnswer(ports: OpenBillPorts, visit: Visit, told?: Told): Promise<PageAnswer> {
  const { id, publicUrl, reader } = visit;
  const billId = readBillId(id);
  if (billId === undefined) return messagePage(reader, 'not_found');
  const signing = { secrets: await ports.pageSecrets(), now: ports.now() };
  const browser = browserIn(visit, signing) ?? ports.newId(browserLength);
  const opened = await openBill(ports, {
    billId,
    browser,
    publicUrl,
    returnQuery: queryOf(reader),
    asksAnyway:
      told !== undefined && (asksForContact.has(told.notice) || told.troubles?.contact !== undefined),
  });
  if (opened.kind === 'not_responding') return notRespondingAnswer(ports, visit, { billId, opened });
  if (opened.kind === 'in_progress' && visit.query['another'] !== undefined) {
    const payable = await otherWaysToPay(ports, { billId, browser });
    if (payable)
      return {
        ...otherWaysPage(ports, visit, payable),
        cookie: browserCookie(visit, browser, signing),
      };
  }
  const { acquirers } = ports;
  const answer = billAnswer(visit, {
    opened,
    acquirerSources: acquirers.pageSources,
    now: signing.now,
    told,
  });
  return opened.kind === 'payable' ? { ...answer, cookie: browserCookie(visit, browser, signing) } : answer;
}

/** For a payer who has begun to pay and looks for another way: whichever they choose now displaces what they began. */
const otherWaysPage = ({ acquirers }: OpenBillPorts, { reader }: Visit, payable: PayableBill): Page =>
  paymentPage(readerWith(reader, viewWith(payable.bill, payable.shop)), {
    ...payable,
    acquirerSources: acquirers.pageSources,
    notice: 'other_way',
  });

/** What the payer typed, when the form comes back. */
export const typedIn = ({ form }: Pick<Visit, 'form'>): { readonly typed: Typed } => ({
  typed: Object.fromEntries(
    (['contact', ...askable] as const).flatMap((field) => {
      const text = form[field];
      return text === undefined ? [] : [[field, text]];
    }),
  ),
});

type Failed = { readonly billId: BillId; readonly opened: NotResponding };

/** Answers a payer whose method's acquirer does not respond: the page with what still works, if anything does. */
export async function notRespondingAnswer(
  ports: OpenBillPorts,
  visit: Visit,
  { billId, opened: { method, maySwitch, bill } }: Failed,
): Promise<PageAnswer> {
  const reader = readerWith(visit.reader, await viewOf(ports, bill));
  const signing = { secrets: await ports.pageSecrets(), now: ports.now() };
  const browser = browserIn(visit, signing);
  const payable =
    maySwitch && browser !== undefined ? await otherWaysToPay(ports, { billId, browser }) : undefined;
  if (!payable?.forms.some((form) => form.method !== method)) return messagePage(reader, 'unavailable');
  const page = paymentPage(reader, {
    ...payable,
    ...typedIn(visit),
    acquirerSources: ports.acquirers.pageSources,
    notice: 'not_responding',
    failedMethod: method,
  });
  return { ...page, cookie: browserCookie(visit, browser ?? '', signing) };
}

/**
 * Answers HEAD from the stored bill. Messengers send HEAD for every shared link, so the acquirer is not queried and no
 * payment is changed. Only the status and the headers are sent.
 */
export async function storedBillAnswer(
  ports: ShowLinkPorts & Pick<OpenBillPorts, 'acquirers'>,
  { id, reader }: Visit,
): Promise<PageAnswer> {
  const billId = readBillId(id);
  if (billId === undefined) return messagePage(reader, 'not_found');
  const shown = await showLink(ports, { billId });
  if (shown.kind === 'not_found') return messagePage(reader, shown.kind);
  if (shown.kind !== 'payable') return messagePage(readerWith(reader, shown.view), shown.kind);
  const { bill, price } = shown;
  const { acquirers } = ports;
  const methods = acquirers.methodsFor({ minor: price.chargeMinor, currency: bill.amount.currency });
  return paymentPage(reader, {
    ...price,
    bill,
    amount: bill.amount,
    forms: methods.map((method) => ({ method, token: '' })),
    notice: undefined,
    acquirerSources: acquirers.pageSources,
  });
}

export const payUrl = (publicUrl: string, billId: BillId): string => `${publicUrl}/transfer/${billId}`;
