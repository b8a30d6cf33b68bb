import * as z from 'zod/mini';
import { isPayoutId, type PayoutId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import { type DispatchPorts, dispatchPayout } from '../lib/payout/dispatch-payout.ts';
import { dispatchPorts } from '../lib/runtime/ports.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { sqsBatch } from '../lib/runtime/sqs-batch.ts';

const body = z.object({ payoutId: z.custom<PayoutId>(isPayoutId) });

/** SQS -> the dispatcher. */
export const create = (deps: DispatchPorts & { readonly log: Log }) =>
  sqsBatch({
    ...deps,
    body,
    failure: 'payout_not_worked_on',
    about: ({ payoutId }) => ({ payout: payoutId }),
    handle: ({ payoutId }) => dispatchPayout(deps, payoutId),
  });

export const handler = lambdaHandler(async () => create(await dispatchPorts()));
