import { readBillId } from '../lib/ids.ts';
import { payUrl } from '../lib/page/bill-answer.ts';
import { linkPage } from '../lib/page/link-page.ts';
import { messagePage } from '../lib/page/message-page.ts';
import { readerWith } from '../lib/page/page.ts';
import { type PageDeps, pageEndpoint } from '../lib/page/page-endpoint.ts';
import { viewWith } from '../lib/payment/payer-view.ts';
import { showLink, type ShowLinkPorts } from '../lib/payment/show-link.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { pricePorts } from '../lib/runtime/ports.ts';
import { bills } from '../lib/runtime/stores.ts';
import { system } from '../lib/runtime/system.ts';

/** `GET` and `HEAD /link/{bill}`: a QR code of the payment page, which shows a payment in progress. */
export const create = (deps: ShowLinkPorts & PageDeps) =>
  pageEndpoint('link-page', deps, async ({ id, reader, publicUrl }) => {
    const billId = readBillId(id);
    if (billId === undefined) return messagePage(reader, 'not_found');
    const shown = await showLink(deps, { billId });
    if (shown.kind === 'not_found') return messagePage(reader, shown.kind);
    if (shown.kind !== 'payable') return messagePage(readerWith(reader, shown.view), shown.kind);
    const { bill, price } = shown;
    return linkPage(readerWith(reader, viewWith(bill, price.shop)), {
      ...price,
      bill,
      amount: bill.amount,
      payUrl: payUrl(publicUrl, bill.id),
    });
  });

export const handler = lambdaHandler(() => create({ ...system, ...pricePorts(), bills: bills() }));
