import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { setTimeout as delay } from 'node:timers/promises';
import { failedIds } from './batch-report.ts';
import type { EventSource } from './event-sources.ts';
import { sqsRecord } from './sqs-record.ts';
import type { InvocationOutcome } from './worker-messages.ts';

type Invoke = (functionName: string, event: unknown) => Promise<InvocationOutcome>;

/** Invokes the function with the queue's messages until it is stopped. */
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
  const inFlight = new Set<Promise<void>>();
  while (!signal.aborted) {
    if (inFlight.size >= source.maximumConcurrency) await Promise.race(inFlight);
    const messages = await receive(client, source, signal);
    if (messages.length === 0) continue;
    const batch = handle(client, source, invoke, messages).finally(() => inFlight.delete(batch));
    inFlight.add(batch);
  }
  await Promise.all(inFlight);
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
    // The server runs in this process, so it fails only when it is stopping, and the loop ends too.
    await delay(1000, undefined, { signal }).catch(() => undefined);
    return [];
  }
}

/** Invokes the function with a batch. Deletes handled messages; the others return after their visibility timeout. */
async function handle(
  client: SQSClient,
  source: EventSource,
  invoke: Invoke,
  messages: readonly Message[],
): Promise<void> {
  const outcome = await invoke(source.functionName, {
    Records: messages.map((message) => sqsRecord(message, source)),
  });
  const failed = failedIds(outcome, source, messages);
  const done = messages.filter(({ MessageId = '' }) => !failed.has(MessageId));
  if (done.length === 0) return;
  const Entries = done.map(({ MessageId, ReceiptHandle }) => ({ Id: MessageId, ReceiptHandle }));
  await client.send(new DeleteMessageBatchCommand({ QueueUrl: source.queueUrl, Entries }));
}
