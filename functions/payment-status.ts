import { paymentStatusRoute } from '../lib/contract/payment.ts';
import { endpoint, type EndpointDeps } from '../lib/http/endpoint.ts';
import { presentPayment } from '../lib/http/present/payment.ts';
import { readPaymentId } from '../lib/ids.ts';
import { getPayment, type GetPaymentPorts } from '../lib/payment/get-payment.ts';
import { nothingLeft } from '../lib/nothing-left.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { payments } from '../lib/runtime/stores.ts';
import { system, timeZone } from '../lib/runtime/system.ts';

export const create = (deps: GetPaymentPorts & EndpointDeps) =>
  endpoint(paymentStatusRoute, deps, {
    run: ({ id, ...rest }, { caller }) => {
      nothingLeft(rest);
      return getPayment(deps, { caller, id: readPaymentId(id) });
    },
    present: presentPayment,
  });

export const handler = lambdaHandler(() => create({ ...system, timeZone: timeZone(), payments: payments() }));
