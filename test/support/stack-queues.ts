import {
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { namesOf } from '../../lib/installation/names.ts';
import type { Stack } from './stack.ts';

const names = namesOf('local');
type Queue = 'postbacks' | 'retries' | 'payouts' | 'payments';

/** Access to the queues of a running stack from outside; call `close` at the end. */
export function queuesOf(stack: Stack) {
  const client = new SQSClient({ ...stack.client('SQS'), useQueueUrlAsEndpoint: false });
  const urlOf = async (QueueName: string) =>
    (await client.send(new GetQueueUrlCommand({ QueueName }))).QueueUrl;
  return {
    /** Sends in batches of ten, in this order. */
    send: async (queue: Queue, bodies: readonly string[]) => {
      const QueueUrl = await urlOf(names.queue(queue));
      for (let from = 0; from < bodies.length; from += 10) {
        const some = bodies.slice(from, from + 10);
        const Entries = some.map((MessageBody, at) => ({ Id: String(at), MessageBody }));
        await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
      }
    },
    /** Sets the visibility timeout, so that a failed message is redelivered sooner than the template's three minutes. */
    hurry: async (queue: Queue, seconds: number) => {
      const Attributes = { VisibilityTimeout: String(seconds) };
      const QueueUrl = await urlOf(names.queue(queue));
      await client.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));
    },
    /** Receives the messages in the dead-letter queue. */
    dead: async (queue: Queue): Promise<readonly string[]> => {
      const QueueUrl = await urlOf(names.deadLetterQueue(queue));
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 600 }),
      );
      return Messages.map(({ Body = '' }) => Body);
    },
    close: () => client.destroy(),
  };
}

export type Queues = ReturnType<typeof queuesOf>;
