import * as z from 'zod/mini';
import { checkPayment, type CheckPorts } from '../lib/payment/check-payment.ts';
import { isPaymentId, type PaymentId } from '../lib/ids.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { checkPorts } from '../lib/runtime/ports.ts';
import { sqsBatch } from '../lib/runtime/sqs-batch.ts';

const body = z.object({ paymentId: z.custom<PaymentId>(isPaymentId) });

/** SQS -> one status query to the acquirer. */
export const create = (deps: CheckPorts) =>
  sqsBatch({
    ...deps,
    body,
    failure: 'payment_not_checked',
    about: ({ paymentId }) => ({ payment: paymentId }),
    handle: ({ paymentId }) => checkPayment(deps, paymentId),
  });

export const handler = lambdaHandler(async () => create(await checkPorts()));
