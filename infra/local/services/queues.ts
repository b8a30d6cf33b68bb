import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import { clientConfig, localRegion } from '../../../lib/installation/local-endpoints.ts';
import { loopback } from '../http-server.ts';
import { ofType, type Resource } from '../template/resources.ts';

/** An SQS-compatible server in this process. Its messages do not outlive it: the sweepers send again what is due. */
export type QueueServer = { readonly origin: string; readonly stop: () => Promise<void> };

/** Listens on loopback alone; fauxqs's own start would listen on every address of the machine. */
export async function startQueues(): Promise<QueueServer> {
  const app = buildApp({ logger: false, defaultRegion: localRegion });
  const origin = await app.listen({ port: 0, host: loopback });
  return { origin, stop: () => app.close() };
}

/** The SDK's client for the queues here, whatever host a queue's URL names. */
export const queueClient = (endpoint: string): SQSClient =>
  new SQSClient({ ...clientConfig(endpoint), useQueueUrlAsEndpoint: false });

/** Makes the template's queues, each after its dead-letter queue is there. */
export async function makeQueues(
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

/** What CloudFormation and the service's own API call alike. */
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
