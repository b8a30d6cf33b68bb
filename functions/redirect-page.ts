import { largestBody } from '../lib/contract/body-limits.ts';
import { readPaymentId } from '../lib/ids.ts';
import { payUrl } from '../lib/page/bill-answer.ts';
import { outcomePage } from '../lib/page/outcome-page.ts';
import { type PageDeps, pageEndpoint, type Visit } from '../lib/page/page-endpoint.ts';
import { showOutcome, type ShowOutcomePorts } from '../lib/payment/return-of-payer.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { payments, shops } from '../lib/runtime/stores.ts';
import { system } from '../lib/runtime/system.ts';

/**
 * `/redirect/payment/success` and `/fail` (contract 6.3), for shops without a URL of their own. The payment that the
 * hand-off named is shown as the store knows it, whatever else was posted and to whichever of the two.
 */
export const create = (deps: ShowOutcomePorts & PageDeps) => {
  const answer = async ({ form, query, reader, publicUrl }: Visit) => {
    const paymentId = readPaymentId(form['TrsId'] ?? query['TrsId']);
    const shown = await showOutcome(deps, { paymentId });
    return outcomePage(reader, shown && { ...shown, payUrl: payUrl(publicUrl, shown.bill.id) });
  };
  // Whoever posts the contract's fields here as to a shop may send a long `custom`.
  return pageEndpoint('redirect-page', deps, answer, { largest: largestBody });
};

export const handler = lambdaHandler(() => create({ ...system, payments: payments(), shops: shops() }));
