import { billAnswer } from '../lib/page/bill-answer.ts';
import { messagePage } from '../lib/page/message-page.ts';
import { type Answer, type PageDeps, pageEndpoint, type Visit } from '../lib/page/page-endpoint.ts';
import type { PaymentNotice } from '../lib/page/payment-page.ts';
import { isFromOwnPage } from '../lib/page/request.ts';
import { openBill, type OpenBillPorts } from '../lib/payment/open-bill.ts';
import { startPayment, type StartPaymentPorts } from '../lib/payment/start-payment.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { acquirer } from '../lib/runtime/acquirer.ts';
import { postbackQueue } from '../lib/runtime/queues.ts';
import { pageSecret } from '../lib/runtime/secrets.ts';
import { bills, merchants, payments, rates, shops, terms, failedAttempts } from '../lib/runtime/store.ts';
import { cardTestingLimits } from '../lib/runtime/defaults.ts';
import { system } from '../lib/runtime/system.ts';

type Deps = OpenBillPorts & StartPaymentPorts & PageDeps;

/** `POST /transfer/{bill}`: starts a payment and leads the browser to the acquirer's card page. */
export const create = (deps: Deps) =>
  pageEndpoint('pay-submit', deps, async (visit) => {
    if (!isFromOwnPage(visit, visit.publicUrl)) return showAgain(deps, visit, 'foreign_form');
    const started = await startPayment(deps, {
      billId: visit.id,
      token: visit.form['token'] ?? '',
      sourceIp: visit.sourceIp,
      publicUrl: visit.publicUrl,
    });
    if (started.kind === 'started') return { goTo: started.pageUrl };
    if (started.kind === 'stale_form') return showAgain(deps, visit, 'form_too_old');
    if (started.kind === 'too_many_attempts') return messagePage(visit.reader, started.kind);
    return billAnswer(visit, { opened: started, acquirerOrigin: deps.acquirer.origin });
  });

async function showAgain(deps: Deps, visit: Visit, notice: PaymentNotice): Promise<Answer> {
  const opened = await openBill(deps, { billId: visit.id, publicUrl: visit.publicUrl });
  return billAnswer(visit, { opened, acquirerOrigin: deps.acquirer.origin, notice });
}

export const handler = lambdaHandler(async () =>
  create({
    ...system,
    bills: bills(),
    merchants: merchants(),
    terms: terms(),
    rates: rates(),
    pageSecret,
    payments: payments(),
    shops: shops(),
    failedAttempts: failedAttempts(),
    acquirer: await acquirer(),
    postbackQueue: postbackQueue(),
    cardTestingLimits: cardTestingLimits(),
  }),
);
