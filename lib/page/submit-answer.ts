import { readBillId } from '../ids.ts';
import { startPayment, type StartPaymentPorts } from '../payment/start-payment.ts';
import { billAnswer, notRespondingAnswer, openBillAnswer, typedIn } from './bill-answer.ts';
import { browserCookie, browserIn } from './browser-cookie.ts';
import { messagePage } from './message-page.ts';
import type { PageAnswer, Visit } from './page-endpoint.ts';
import { queryOf, readerWith } from './page.ts';
import { isFromOwnPage } from './request.ts';

/** Answers a payer who pressed Pay: the acquirer's card page, the bill again, or why it cannot be paid. */
export async function submitAnswer(ports: StartPaymentPorts, visit: Visit): Promise<PageAnswer> {
  const { id, form, sourceIp, publicUrl, reader } = visit;
  const billId = readBillId(id);
  if (billId === undefined) return messagePage(reader, 'not_found');
  if (!isFromOwnPage(visit, publicUrl)) return openBillAnswer(ports, visit, { notice: 'foreign_form' });
  const returnQuery = queryOf(reader);
  const signing = { secrets: await ports.pageSecrets(), now: ports.now() };
  const browser = browserIn(visit, signing);
  const started = await startPayment(ports, {
    billId,
    token: tokenIn(form),
    sourceIp,
    browser,
    language: reader.language,
    languageChosen: reader.languageChosen,
    publicUrl,
    returnQuery,
    ...typedIn(visit),
  });
  if (started.kind === 'started')
    return {
      goTo: started.pageUrl,
      // The card page can be open for an hour.
      ...(browser !== undefined && { cookie: browserCookie(visit, browser, signing) }),
    };
  if (started.kind === 'stale_form') return openBillAnswer(ports, visit, { notice: 'form_too_old' });
  if (started.kind === 'no_contact') {
    const { why: notice, troubles } = started;
    return openBillAnswer(ports, visit, { notice, ...(troubles && { troubles }) });
  }
  if (started.kind === 'method_refused')
    return openBillAnswer(ports, visit, { notice: started.kind, failedMethod: started.method });
  if (started.kind === 'not_responding')
    return notRespondingAnswer(ports, visit, { billId, opened: started });
  if (started.kind === 'too_many_attempts')
    return messagePage(readerWith(reader, started.view), started.kind);
  return billAnswer(visit, {
    opened: started,
    acquirerSources: ports.acquirers.pageSources,
    now: signing.now,
    told: undefined,
  });
}

/** A form with several ways to pay has a token for each, and the pressed button names the way. */
const tokenIn = (form: Visit['form']): string => form['token'] ?? form[`token-${form['method']}`] ?? '';
