import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Log } from '../log.ts';

/** What is read of a record. */
type Message = Pick<SQSRecord, 'messageId' | 'body'>;
type Batch = { readonly Records: readonly Message[] };

type Work<Body extends z.ZodMiniType> = {
  readonly body: Body;
  readonly handle: (body: z.output<Body>) => Promise<void>;
  /** The line that is logged about a record that failed. */
  readonly failure: string;
  readonly log: Log;
};

/**
 * Works on the records of a batch side by side. A record that fails fails alone and comes again; one that no worker
 * can read ends in the dead-letter queue.
 */
export const sqsBatch =
  <Body extends z.ZodMiniType>(work: Work<Body>) =>
  async ({ Records }: Batch): Promise<SQSBatchResponse> => {
    const outcomes = await Promise.allSettled(Records.map((record) => handleOne(work, record)));
    const failed = Records.filter((_, at) => outcomes[at]?.status === 'rejected');
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };

async function handleOne<Body extends z.ZodMiniType>(
  { body: schema, handle, failure, log }: Work<Body>,
  { body, messageId }: Message,
): Promise<void> {
  try {
    await handle(schema.parse(JSON.parse(body)));
  } catch (error) {
    log(failure, { messageId, error: error instanceof Error ? error.name : 'unknown' });
    throw error;
  }
}
