import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod/mini';
import { functionNameIn } from './functions.ts';
import { localRegion } from './place.ts';
import { ofType, type Resource } from './resources.ts';
import { Trouble } from './trouble.ts';
import type { Outcome } from './worker-messages.ts';

/** A queue whose messages go to a function. */
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

/** As many batches at once as one function has threads here. */
const mostBatches = 8;

/** The enabled event source mappings of the template. */
export function eventSourcesOf(resources: readonly Resource[]): readonly EventSource[] {
  const queues = ofType(resources, 'AWS::SQS::Queue');
  return ofType(resources, 'AWS::Lambda::EventSourceMapping').flatMap(({ id, properties }) => {
    const parsed = schema.safeParse(properties);
    const queue = queues.find(({ identity }) => identity.attributes['Arn'] === properties['EventSourceArn']);
    if (!parsed.success || !queue)
      throw new Trouble(
        `The local runner can not run the event source mapping ${id}: only SQS queues of the template are read.`,
      );
    const { EventSourceArn, FunctionName, Enabled, BatchSize, FunctionResponseTypes, ScalingConfig } =
      parsed.data;
    if (!Enabled) return [];
    return {
      queueUrl: queue.identity.ref,
      queueArn: EventSourceArn,
      functionName: functionNameIn(FunctionName) ?? FunctionName,
      // One receive gives ten messages at most; a larger batch would need a window, which no mapping of ours has.
      batchSize: Math.min(BatchSize, 10),
      reportsItemFailures: FunctionResponseTypes.includes('ReportBatchItemFailures'),
      maximumConcurrency: Math.min(ScalingConfig?.MaximumConcurrency ?? mostBatches, mostBatches),
    };
  });
}

type Invoke = (functionName: string, event: unknown) => Promise<Outcome>;

/** Moves messages from the queue to the function until it is stopped. */
export function startEventSource(
  client: SQSClient,
  source: EventSource,
  invoke: Invoke,
): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const polling = poll(client, source, invoke, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await polling;
    },
  };
}

async function poll(
  client: SQSClient,
  source: EventSource,
  invoke: Invoke,
  signal: AbortSignal,
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  while (!signal.aborted) {
    if (underWay.size >= source.maximumConcurrency) await Promise.race(underWay);
    const messages = await receive(client, source, signal);
    if (messages.length === 0) continue;
    const batch = handle(client, source, invoke, messages).finally(() => underWay.delete(batch));
    underWay.add(batch);
  }
  await Promise.all(underWay);
}

async function receive(
  client: SQSClient,
  source: EventSource,
  signal: AbortSignal,
): Promise<readonly Message[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl: source.queueUrl,
    MaxNumberOfMessages: source.batchSize,
    WaitTimeSeconds: 20,
    MessageSystemAttributeNames: ['All'],
    MessageAttributeNames: ['All'],
  });
  try {
    return (await client.send(command, { abortSignal: signal })).Messages ?? [];
  } catch {
    // The server in this process can only be stopping; the loop ends with it.
    await delay(1000, undefined, { signal }).catch(() => undefined);
    return [];
  }
}

/** A message is deleted when it was handled; what failed comes back after its visibility timeout. */
async function handle(
  client: SQSClient,
  source: EventSource,
  invoke: Invoke,
  messages: readonly Message[],
): Promise<void> {
  const outcome = await invoke(source.functionName, {
    Records: messages.map((message) => recordOf(message, source)),
  });
  const failed = failedIds(outcome, source, messages);
  const done = messages.filter(({ MessageId = '' }) => !failed.has(MessageId));
  if (done.length === 0) return;
  const Entries = done.map(({ MessageId, ReceiptHandle }) => ({ Id: MessageId, ReceiptHandle }));
  await client.send(new DeleteMessageBatchCommand({ QueueUrl: source.queueUrl, Entries }));
}

const reportSchema = z.nullish(
  z.object({
    batchItemFailures: z.nullish(z.array(z.object({ itemIdentifier: z.string().check(z.minLength(1)) }))),
  }),
);

/** Lambda's rule: an error, an unreadable report or one that names a stranger fails the whole batch. */
export function failedIds(
  outcome: Outcome,
  { reportsItemFailures }: Pick<EventSource, 'reportsItemFailures'>,
  messages: readonly Pick<Message, 'MessageId'>[],
): ReadonlySet<string> {
  const all = new Set(messages.map(({ MessageId = '' }) => MessageId));
  if (!outcome.ok) return all;
  if (!reportsItemFailures) return new Set();
  const report = reportSchema.safeParse(outcome.payload);
  if (!report.success) return all;
  const named = (report.data?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  return named.every((id) => all.has(id)) ? new Set(named) : all;
}

/** The record of a message as a function sees it. */
function recordOf(message: Message, { queueArn }: EventSource): object {
  const attributes = Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [
    name,
    {
      stringValue: value.StringValue,
      binaryValue: value.BinaryValue && Buffer.from(value.BinaryValue).toString('base64'),
      stringListValues: [],
      binaryListValues: [],
      dataType: value.DataType,
    },
  ]);
  return {
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: message.Attributes ?? {},
    messageAttributes: Object.fromEntries(attributes),
    md5OfBody: message.MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: localRegion,
  };
}
