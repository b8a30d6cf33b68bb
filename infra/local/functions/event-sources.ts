import * as z from 'zod/mini';
import { functionNameIn } from './functions.ts';
import { ofType, type Resource } from '../template/resources.ts';
import { CommandError } from '../../../lib/installation/command-error.ts';

/** A queue that invokes a function. */
export type EventSource = {
  readonly queueUrl: string;
  readonly queueArn: string;
  readonly functionName: string;
  readonly batchSize: number;
  readonly reportsItemFailures: boolean;
  readonly maximumConcurrency: number;
};

const schema = z.object({
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  Enabled: z._default(z.boolean(), true),
  BatchSize: z._default(z.number(), 10),
  FunctionResponseTypes: z._default(z.array(z.string()), []),
  ScalingConfig: z.optional(z.object({ MaximumConcurrency: z.optional(z.number()) })),
});

/** Concurrent batches: as many as a function has threads. */
const maxBatches = 8;

/** Returns the template's enabled event source mappings. */
export function eventSourcesOf(resources: readonly Resource[]): readonly EventSource[] {
  const queues = ofType(resources, 'AWS::SQS::Queue');
  return ofType(resources, 'AWS::Lambda::EventSourceMapping').flatMap(({ id, properties }) => {
    const parsed = schema.safeParse(properties);
    const queue = queues.find(({ identity }) => identity.attributes['Arn'] === properties['EventSourceArn']);
    if (!parsed.success || !queue)
      throw new CommandError(
        `The local runner cannot run the event source mapping ${id}: only SQS queues of the template are read.`,
      );
    const { EventSourceArn, FunctionName, Enabled, BatchSize, FunctionResponseTypes, ScalingConfig } =
      parsed.data;
    if (!Enabled) return [];
    return {
      queueUrl: queue.identity.ref,
      queueArn: EventSourceArn,
      functionName: functionNameIn(FunctionName) ?? FunctionName,
      // A receive returns at most ten messages. A larger batch needs a batching window, which the runner does not support.
      batchSize: Math.min(BatchSize, 10),
      reportsItemFailures: FunctionResponseTypes.includes('ReportBatchItemFailures'),
      maximumConcurrency: Math.min(ScalingConfig?.MaximumConcurrency ?? maxBatches, maxBatches),
    };
  });
}
