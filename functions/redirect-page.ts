import { largestBody } from '../lib/contract/body-limits.ts';
import { readPaymentId } from '../lib/ids.ts';
import { payUrl } from '../lib/page/bill-answer.ts';
import { outcomePage } from '../lib/page/outcome-page.ts';
import { readerWith } from '../lib/page/page.ts';
import { type PageDeps, pageEndpoint, type Visit } from '../lib/page/page-endpoint.ts';
import { viewWith } from '../lib/payment/payer-view.ts';
import { showOutcome, type ShowOutcomePorts } from '../lib/payment/return-of-payer.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { payments, shops } from '../lib/runtime/stores.ts';
import { system } from '../lib/runtime/system.ts';

/**
 * `/redirect/payment/success` and `/fail` (contract 6.3), for shops without their own URLs. Both show the stored outcome of
 * the payment that the redirect names, whatever else was posted.
 */
export const create = (deps: ShowOutcomePorts & PageDeps) => {
  const answer = async ({ form, query, reader, publicUrl }: Visit) => {
    const paymentId = readPaymentId(form['TrsId'] ?? query['TrsId']);
    const shown = await showOutcome(deps, { paymentId });
    if (!shown) return outcomePage(reader, undefined);
    const readerOfBill = readerWith(reader, viewWith(shown.bill, shown.shop));
    return outcomePage(readerOfBill, { ...shown, payUrl: payUrl(publicUrl, shown.bill.id) });
  };
  // The contract's fields, as posted to a shop, may include a long `custom`.
  return pageEndpoint('redirect-page', deps, answer, { largest: largestBody });
};

export const handler = lambdaHandler(() => create({ ...system, payments: payments(), shops: shops() }));
