import { type SweepPaymentsPorts, sweepPayments } from '../lib/payment/sweep-payments.ts';
import { type SweepRefundsPorts, sweepRefunds } from '../lib/refund/sweep-refunds.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { paymentQueue, refundQueue } from '../lib/runtime/queues.ts';
import { payments, refunds } from '../lib/runtime/stores.ts';
import { system } from '../lib/runtime/system.ts';

/** Each minute: queues the payments and then the refunds that are due, these also when payments were not swept. */
export const create = (deps: SweepPaymentsPorts & SweepRefundsPorts) => async (): Promise<void> => {
  try {
    await sweepPayments(deps);
  } finally {
    await sweepRefunds(deps);
  }
};

export const handler = lambdaHandler(() =>
  create({
    ...system,
    payments: payments(),
    paymentQueue: paymentQueue(),
    refunds: refunds(),
    refundQueue: refundQueue(),
  }),
);
