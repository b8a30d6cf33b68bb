import { SQSClient } from '@aws-sdk/client-sqs';
import { sqsQueue } from '../provider/sqs-queue.ts';
import { requestHandler } from './deadlines.ts';
import { lazy } from './cached.ts';
import { setting } from './system.ts';

// An endpoint configured for the SDK must take precedence over the host in the queue's URL.
const client = lazy(() => new SQSClient({ requestHandler, useQueueUrlAsEndpoint: false }));

export const postbackQueue = () => sqsQueue(client(), setting('POSTBACK_QUEUE_URL'), 'eventId');
export const retryQueue = () => sqsQueue(client(), setting('RETRY_QUEUE_URL'), 'eventId');
export const paymentQueue = () => sqsQueue(client(), setting('PAYMENT_QUEUE_URL'), 'paymentId');
/** The workers that check payments carry refunds out too. */
export const refundQueue = () => sqsQueue(client(), setting('PAYMENT_QUEUE_URL'), 'refundId');
export const payoutQueue = () => sqsQueue(client(), setting('PAYOUT_QUEUE_URL'), 'payoutId');
