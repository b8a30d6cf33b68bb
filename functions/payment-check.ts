import * as z from 'zod/mini';
import { isPaymentId, isRefundId, type PaymentId, type RefundId } from '../lib/ids.ts';
import { checkPayment, type CheckPorts } from '../lib/payment/check-payment.ts';
import type { RefundPorts } from '../lib/refund/advance-refund.ts';
import { checkRefund } from '../lib/refund/check-refund.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { checkPorts } from '../lib/runtime/ports.ts';
import { sqsBatch } from '../lib/runtime/sqs-batch.ts';
import { refunds } from '../lib/runtime/stores.ts';

const body = z.union([
  z.object({ paymentId: z.custom<PaymentId>(isPaymentId) }),
  z.object({ refundId: z.custom<RefundId>(isRefundId) }),
]);

/** SQS -> one status query to the acquirer, or one step of a refund. */
export const create = (deps: CheckPorts & RefundPorts) =>
  sqsBatch({
    ...deps,
    body,
    failure: 'payment_not_checked',
    about: (message) =>
      'refundId' in message ? { refund: message.refundId } : { payment: message.paymentId },
    handle: (message) =>
      'refundId' in message ? checkRefund(deps, message.refundId) : checkPayment(deps, message.paymentId),
  });

export const handler = lambdaHandler(async () => create({ ...(await checkPorts()), refunds: refunds() }));
