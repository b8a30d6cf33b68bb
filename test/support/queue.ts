import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { queueClient, startQueues } from '../../infra/local/services/queues.ts';

type LocalQueue = { readonly client: SQSClient; readonly url: string };

let server: ReturnType<typeof startQueues> | undefined;
let made = 0;

/** Creates an empty queue on the SQS-compatible server of this test file. */
export async function freshQueue(attributes: Record<string, string> = {}): Promise<LocalQueue> {
  server ??= startQueues();
  const { origin } = await server;
  const client = queueClient(origin);
  const QueueName = `queue-${(made += 1)}`;
  await client.send(new CreateQueueCommand({ QueueName, Attributes: attributes }));
  return { client, url: `${origin}/000000000000/${QueueName}` };
}

/** Counts the visible messages and the delayed messages. */
export async function countMessages({ client, url }: LocalQueue) {
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['All'] }),
  );
  return {
    waiting: Number(Attributes?.ApproximateNumberOfMessages),
    delayed: Number(Attributes?.ApproximateNumberOfMessagesDelayed),
  };
}

/** Receives and deletes all visible messages; returns their bodies. */
export async function takeMessages(queue: LocalQueue): Promise<readonly string[]> {
  const bodies: string[] = [];
  await work(queue, async ({ Records }) => {
    bodies.push(...Records.map(({ body }) => body));
    return { batchItemFailures: [] };
  });
  return bodies;
}

/** Passes visible messages to a worker in batches of ten, as the event source does, and deletes those that did not fail. */
export async function work(
  { client, url }: LocalQueue,
  handler: (event: SQSEvent) => Promise<SQSBatchResponse>,
): Promise<void> {
  const receive = new ReceiveMessageCommand({ QueueUrl: url, MaxNumberOfMessages: 10 });
  for (;;) {
    const { Messages = [] } = await client.send(receive);
    if (Messages.length === 0) return;
    const { batchItemFailures } = await handler(
      batchOf(...Messages.map(({ Body = '', MessageId = '' }) => ({ body: Body, messageId: MessageId }))),
    );
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    for (const { MessageId = '', ReceiptHandle } of Messages) {
      if (!failed.has(MessageId))
        await client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle }));
    }
  }
}

/** The event that Lambda receives for these messages. */
export const batchOf = (...messages: readonly Pick<SQSRecord, 'body' | 'messageId'>[]): SQSEvent => ({
  Records: messages.map((message) => ({
    receiptHandle: '',
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: '',
      SenderId: '',
      ApproximateFirstReceiveTimestamp: '',
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: '',
    awsRegion: '',
    ...message,
  })),
});
