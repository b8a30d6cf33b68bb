import { billAnswer } from '../lib/page/bill-answer.ts';
import { type PageDeps, pageEndpoint } from '../lib/page/page-endpoint.ts';
import { openBill, type OpenBillPorts } from '../lib/payment/open-bill.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { acquirer } from '../lib/runtime/acquirer.ts';
import { postbackQueue } from '../lib/runtime/queues.ts';
import { pageSecret } from '../lib/runtime/secrets.ts';
import { bills, merchants, payments, rates, shops, terms, failedAttempts } from '../lib/runtime/store.ts';
import { system } from '../lib/runtime/system.ts';

/** `GET /transfer/{bill}`: the payment page, or wherever this bill stands by now. */
export const create = (deps: OpenBillPorts & PageDeps) =>
  pageEndpoint('pay-page', deps, async (visit) => {
    const opened = await openBill(deps, { billId: visit.id, publicUrl: visit.publicUrl });
    return billAnswer(visit, { opened, acquirerOrigin: deps.acquirer.origin });
  });

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
  }),
);
