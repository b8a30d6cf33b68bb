import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import { type DispatchPorts, dispatchPayout } from '../lib/payout/dispatch-payout.ts';
import { isPayoutId } from '../lib/payout/payout-id.ts';

const message = z.object({ payoutId: z.string().check(z.refine(isPayoutId)) });

/** SQS -> the dispatcher. A record that fails fails alone; one that no worker can read ends in the dead-letter queue. */
export const create =
  (deps: DispatchPorts) =>
  async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const outcomes = await Promise.allSettled(Records.map((record) => dispatch(deps, record)));
    const failed = Records.filter((_, at) => outcomes[at]?.status === 'rejected');
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };

async function dispatch(deps: DispatchPorts, { body }: SQSRecord): Promise<void> {
  const { payoutId } = message.parse(JSON.parse(body));
  await dispatchPayout(deps, payoutId);
}
