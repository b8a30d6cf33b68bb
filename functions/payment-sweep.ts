import { sweepPayments, type SweepPorts } from '../lib/payment/sweep-payments.ts';
import type { Log } from '../lib/http/trouble.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { acquirer } from '../lib/runtime/acquirer.ts';
import { postbackQueue } from '../lib/runtime/queues.ts';
import { payments, shops, failedAttempts } from '../lib/runtime/store.ts';
import { system } from '../lib/runtime/system.ts';

/** Each minute: asks the acquirer about the payments that are due. */
export const create = (deps: SweepPorts & { readonly log: Log }) => async (): Promise<void> => {
  const { asked, finished, failed } = await sweepPayments(deps);
  if (asked > 0) deps.log('payments_swept', { asked, finished, failed });
};

export const handler = lambdaHandler(async () =>
  create({
    ...system,
    unresolved: (about) => system.log('payment_not_resolved', about),
    payments: payments(),
    shops: shops(),
    failedAttempts: failedAttempts(),
    acquirer: await acquirer(),
    postbackQueue: postbackQueue(),
  }),
);
