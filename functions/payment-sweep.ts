import { sweepPayments, type SweepPorts } from '../lib/payment/sweep-payments.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { resolvePorts } from '../lib/runtime/payment-ports.ts';

/** Each minute: asks the acquirer about the payments that are due. */
export const create = (deps: SweepPorts) => async (): Promise<void> => {
  const { asked, finished, failed } = await sweepPayments(deps);
  if (asked > 0) deps.log('info', 'payments_swept', { asked, finished, failed });
};

export const handler = lambdaHandler(async () => create(await resolvePorts()));
