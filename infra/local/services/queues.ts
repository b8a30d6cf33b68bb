import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import { clientConfig, localRegion } from '../../../lib/installation/local-endpoints.ts';
import { loopback } from '../http-server.ts';
import { ofType, type Resource } from '../template/resources.ts';

/** An SQS-compatible server in this process. Messages are lost when it stops; sweeps send due work again. */
export type QueueServer = { readonly origin: string; readonly stop: () => Promise<void> };

/** Starts the server on loopback. fauxqs's own start function would listen on all addresses. */
export async function startQueues(): Promise<QueueServer> {
  const app = buildApp({ logger: false, defaultRegion: localRegion });
  const origin = await app.listen({ port: 0, host: loopback });
  return { origin, stop: () => app.close() };
}

/** Returns an SDK client for this server, whatever host is in a queue's URL. */
export const queueClient = (endpoint: string): SQSClient =>
  new SQSClient({ ...clientConfig(endpoint), useQueueUrlAsEndpoint: false });

/** Creates the template's queues, dead-letter queues first. Returns the queues' URLs. */
export async function createQueues(
  client: SQSClient,
  resources: readonly Resource[],
): Promise<readonly string[]> {
  const queues = ofType(resources, 'AWS::SQS::Queue');
  const [redriven, plain] = [queues.filter(hasRedrive), queues.filter((queue) => !hasRedrive(queue))];
  for (const { identity, properties } of [...plain, ...redriven]) {
    const QueueName = identity.attributes['QueueName'];
    await client.send(new CreateQueueCommand({ QueueName, Attributes: attributesOf(properties) }));
  }
  return queues.map(({ identity }) => identity.ref);
}

const hasRedrive = ({ properties }: Resource): boolean => 'RedrivePolicy' in properties;

/** The attributes that have the same name in CloudFormation and in the SQS API. */
const attributeNames = [
  'DelaySeconds',
  'FifoQueue',
  'ContentBasedDeduplication',
  'MaximumMessageSize',
  'MessageRetentionPeriod',
  'ReceiveMessageWaitTimeSeconds',
  'RedrivePolicy',
  'VisibilityTimeout',
];

function attributesOf(properties: Resource['properties']): Record<string, string> {
  const given = attributeNames.filter((name) => name in properties);
  return Object.fromEntries(given.map((name) => [name, asText(properties[name])]));
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
