import { type BillId, readBillId } from '../ids.ts';
import { browserLength } from '../payment/browser.ts';
import { openBill, type OpenBill, type OpenBillPorts } from '../payment/open-bill.ts';
import { showLink, type ShowLinkPorts } from '../payment/show-link.ts';
import { beingPaidPage } from './being-paid-page.ts';
import { browserCookie, browserIn } from './browser-cookie.ts';
import { messagePage } from './message-page.ts';
import type { PageAnswer, Visit } from './page-endpoint.ts';
import { queryOf } from './page.ts';
import { type PaymentNotice, paymentPage } from './payment-page.ts';

type Shown = {
  readonly opened: OpenBill;
  readonly acquirerSources: readonly string[];
  readonly now: Date;
  /** Why the submitted form started no payment. */
  readonly notice: PaymentNotice | undefined;
};

/** Answers a payer who opens the bill: the payment page, their payment under way, or why it cannot be paid. */
export function billAnswer({ reader }: Visit, { opened, acquirerSources, now, notice }: Shown): PageAnswer {
  if (opened.kind === 'in_progress') return { goTo: opened.pageUrl };
  if (opened.kind === 'pending') return { goTo: opened.resultUrl };
  if (opened.kind === 'being_paid') return beingPaidPage(reader, opened, now);
  if (opened.kind !== 'payable') return messagePage(reader, opened.kind);
  const failed = opened.failedBefore ? 'failed_before' : undefined;
  return paymentPage(reader, { ...opened, acquirerSources, notice: notice ?? failed });
}

/**
 * Answers with the bill's current state: the payment page, or a redirect to where this browser has to go on. The page's
 * form is bound to the browser's number, which is set as a cookie.
 */
export async function openBillAnswer(
  ports: OpenBillPorts,
  visit: Visit,
  notice?: PaymentNotice,
): Promise<PageAnswer> {
  const { id, publicUrl, reader } = visit;
  const billId = readBillId(id);
  if (billId === undefined) return messagePage(reader, 'not_found');
  const signing = { secrets: await ports.pageSecrets(), now: ports.now() };
  const browser = browserIn(visit, signing) ?? ports.newId(browserLength);
  const opened = await openBill(ports, { billId, browser, publicUrl, returnQuery: queryOf(reader) });
  const acquirerSources = ports.acquirers.pageSources;
  const answer = billAnswer(visit, { opened, acquirerSources, now: signing.now, notice });
  return opened.kind === 'payable' ? { ...answer, cookie: browserCookie(visit, browser, signing) } : answer;
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
  if (shown.kind !== 'payable') return messagePage(reader, shown.kind);
  const { bill, price } = shown;
  const acquirerSources = ports.acquirers.pageSources;
  return paymentPage(reader, {
    ...price,
    bill,
    amount: bill.amount,
    token: '',
    notice: undefined,
    acquirerSources,
  });
}

export const payUrl = (publicUrl: string, billId: BillId): string => `${publicUrl}/transfer/${billId}`;
