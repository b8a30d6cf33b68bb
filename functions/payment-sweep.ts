import { type SweepPaymentsPorts, sweepPayments } from '../lib/payment/sweep-payments.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { paymentQueue } from '../lib/runtime/queues.ts';
import { payments } from '../lib/runtime/stores.ts';
import { system } from '../lib/runtime/system.ts';

/** Each minute: queues the payments that are due. */
export const create = (deps: SweepPaymentsPorts) => async (): Promise<void> => {
  await sweepPayments(deps);
};

export const handler = lambdaHandler(() =>
  create({ ...system, payments: payments(), paymentQueue: paymentQueue() }),
);
