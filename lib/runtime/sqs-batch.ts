import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import type * as z from 'zod/mini';
import { kindOf, type Log, type LogFields } from '../log.ts';

/** The part of a record that is used. */
type Message = Pick<SQSRecord, 'messageId' | 'body'>;
type Batch = { readonly Records: readonly Message[] };

type Work<Body extends z.ZodMiniType> = {
  readonly body: Body;
  readonly handle: (body: z.output<Body>) => Promise<void>;
  /** The event that is logged for a failed record, and the ids logged with it. */
  readonly failure: string;
  readonly about: (body: z.output<Body>) => LogFields;
  readonly log: Log;
};

/**
 * Handles the records of a batch in parallel. Only a failed record is delivered again; one that cannot be parsed ends in the
 * dead-letter queue.
 */
export const sqsBatch =
  <Body extends z.ZodMiniType>(work: Work<Body>) =>
  async ({ Records }: Batch): Promise<SQSBatchResponse> => {
    const outcomes = await Promise.allSettled(Records.map((record) => handleOne(work, record)));
    const failed = Records.filter((_, at) => outcomes[at]?.status === 'rejected');
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };

async function handleOne<Body extends z.ZodMiniType>(
  { body: schema, handle, failure, about, log }: Work<Body>,
  { body, messageId }: Message,
): Promise<void> {
  let ids: LogFields = { messageId };
  try {
    const read = schema.parse(JSON.parse(body));
    ids = { messageId, ...about(read) };
    await handle(read);
  } catch (error) {
    log('error', failure, { ...kindOf(error), ...ids });
    throw error;
  }
}
