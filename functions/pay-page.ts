import { openBillAnswer, storedBillAnswer } from '../lib/page/bill-answer.ts';
import { type PageDeps, pageEndpoint } from '../lib/page/page-endpoint.ts';
import type { OpenBillPorts } from '../lib/payment/open-bill.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { openBillPorts } from '../lib/runtime/ports.ts';
import { system } from '../lib/runtime/system.ts';

/** `GET` and `HEAD /transfer/{bill}`: the payment page, or the bill's current state. */
export const create = (deps: OpenBillPorts & PageDeps) =>
  pageEndpoint('pay-page', deps, (visit) =>
    visit.method === 'HEAD' ? storedBillAnswer(deps, visit) : openBillAnswer(deps, visit),
  );

export const handler = lambdaHandler(async () => create({ ...system, ...(await openBillPorts()) }));
