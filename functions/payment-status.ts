import { paymentStatusRoute } from '../lib/contract/payment.ts';
import { endpoint, type EndpointDeps } from '../lib/http/endpoint.ts';
import { presentPaymentStatus } from '../lib/http/present/payment.ts';
import { readPaymentId } from '../lib/ids.ts';
import { getPaymentStatus, type PaymentStatusPorts } from '../lib/refund/get-payment-status.ts';
import { nothingLeft } from '../lib/nothing-left.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { chargebacks, payments, refunds } from '../lib/runtime/stores.ts';
import { system, timeZone } from '../lib/runtime/system.ts';

export const create = (deps: PaymentStatusPorts & EndpointDeps) =>
  endpoint(paymentStatusRoute, deps, {
    run: ({ id, refunds: withRefunds, chargeback: withChargebacks, ...rest }, { caller }) => {
      nothingLeft(rest);
      return getPaymentStatus(deps, { caller, id: readPaymentId(id), withRefunds, withChargebacks });
    },
    present: presentPaymentStatus,
  });

export const handler = lambdaHandler(() =>
  create({
    ...system,
    timeZone: timeZone(),
    payments: payments(),
    refunds: refunds(),
    chargebacks: chargebacks(),
  }),
);
