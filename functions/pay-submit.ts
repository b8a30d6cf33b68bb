import { type PageDeps, pageEndpoint } from '../lib/page/page-endpoint.ts';
import { submitAnswer } from '../lib/page/submit-answer.ts';
import type { StartPaymentPorts } from '../lib/payment/start-payment.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { startPaymentPorts } from '../lib/runtime/ports.ts';
import { system } from '../lib/runtime/system.ts';

/** `POST /transfer/{bill}`: starts a payment and redirects the browser to the acquirer's card page. */
export const create = (deps: StartPaymentPorts & PageDeps) =>
  pageEndpoint('pay-submit', deps, (visit) => submitAnswer(deps, visit));

export const handler = lambdaHandler(async () => create({ ...system, ...(await startPaymentPorts()) }));
