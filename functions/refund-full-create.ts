import { createFullRefundRoute } from '../lib/contract/refund.ts';
import { endpoint, type EndpointDeps } from '../lib/http/endpoint.ts';
import { presentCreatedRefund } from '../lib/http/present/refund.ts';
import { readPaymentId } from '../lib/ids.ts';
import { nothingLeft } from '../lib/nothing-left.ts';
import { createRefund, type CreateRefundPorts } from '../lib/refund/create-refund.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { refundCreationPorts } from '../lib/runtime/ports.ts';

export const create = (deps: CreateRefundPorts & EndpointDeps) =>
  endpoint(createFullRefundRoute, deps, {
    run: ({ payment_id, reason, payer_email, payer_phone, ...rest }, { caller, idempotencyKey }) => {
      nothingLeft(rest);
      return createRefund(deps, {
        by: { kind: 'merchant', caller },
        paymentId: readPaymentId(payment_id),
        amount: { kind: 'full' },
        reason,
        payer: { email: payer_email, phone: payer_phone },
        idempotencyKey,
      });
    },
    present: presentCreatedRefund,
    isReplay: ({ replayed }) => replayed,
  });

export const handler = lambdaHandler(() => create(refundCreationPorts()));
