import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Log } from '../lib/http/trouble.ts';
import { type DispatchPorts, dispatchPayout } from '../lib/payout/dispatch-payout.ts';
import { isPayoutId } from '../lib/payout/payout-id.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { payoutQueue, postbackQueue } from '../lib/runtime/queues.ts';
import { rail } from '../lib/runtime/rail.ts';
import { destinationOpener } from '../lib/runtime/sealing.ts';
import { merchants, payouts } from '../lib/runtime/store.ts';
import { system } from '../lib/runtime/system.ts';

type Deps = DispatchPorts & { readonly log: Log };

/** What is read of a record. */
type Message = Pick<SQSRecord, 'messageId' | 'body'>;

const payload = z.object({ payoutId: z.string().check(z.refine(isPayoutId)) });

/** SQS -> the dispatcher. A record that fails fails alone; one that no worker can read ends in the dead-letter queue. */
export const create =
  (deps: Deps) =>
  async ({ Records }: { readonly Records: readonly Message[] }): Promise<SQSBatchResponse> => {
    const outcomes = await Promise.allSettled(Records.map((record) => dispatch(deps, record)));
    const failed = Records.filter((_, at) => outcomes[at]?.status === 'rejected');
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };

async function dispatch(deps: Deps, { body, messageId }: Message): Promise<void> {
  try {
    const { payoutId } = payload.parse(JSON.parse(body));
    await dispatchPayout(deps, payoutId);
  } catch (error) {
    deps.log('payout_not_worked_on', { messageId, error: error instanceof Error ? error.name : 'unknown' });
    throw error;
  }
}

export const handler = lambdaHandler(async () =>
  create({
    ...system,
    payouts: payouts(),
    merchants: merchants(),
    rail: await rail(),
    destinationOpener: destinationOpener(),
    payoutQueue: payoutQueue(),
    postbackQueue: postbackQueue(),
  }),
);
