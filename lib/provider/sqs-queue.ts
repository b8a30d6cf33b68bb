import { GetQueueAttributesCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** A queue whose messages carry one id each. */
interface IdQueue {
  send(id: string, options: { readonly group: string; readonly delaySeconds?: number }): Promise<void>;
  length(): Promise<number>;
}

/**
 * A standard queue; `idName` is the id's key in the message. The group does not order messages: when one group floods the queue,
 * SQS serves the others first ("fair queues").
 */
export function sqsQueue(client: SQSClient, QueueUrl: string, idName: string): IdQueue {
  return {
    async send(id, { group, delaySeconds: DelaySeconds }) {
      const MessageBody = JSON.stringify({ [idName]: id });
      const delay = DelaySeconds === undefined ? {} : { DelaySeconds };
      await client.send(new SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId: group, ...delay }));
    },

    async length() {
      const AttributeNames = ['ApproximateNumberOfMessages' as const];
      const { Attributes } = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
      return Number(Attributes?.ApproximateNumberOfMessages ?? 0);
    },
  };
}
