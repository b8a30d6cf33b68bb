import type { Message } from '@aws-sdk/client-sqs';
import type { EventSource } from './event-sources.ts';
import { localRegion } from '../../../lib/installation/local-endpoints.ts';

/** Returns a message as a record of Lambda's SQS event. */
export function sqsRecord(message: Message, { queueArn }: Pick<EventSource, 'queueArn'>): object {
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
