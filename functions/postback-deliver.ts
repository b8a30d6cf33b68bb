import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Log } from '../lib/http/trouble.ts';
import { type DeliverPorts, deliverPostback } from '../lib/postback/deliver-postback.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { postbackQueue } from '../lib/runtime/queues.ts';
import { tokenOpener } from '../lib/runtime/sealing.ts';
import { merchantPost } from '../lib/runtime/merchant-post.ts';
import { bills, endpoints, events, merchants, shops } from '../lib/runtime/store.ts';
import { system } from '../lib/runtime/system.ts';

type Deps = DeliverPorts & { readonly log: Log };

const message = z.object({ eventId: z.string().check(z.regex(/^(?:pay|po)\.[0-9A-Za-z]+\.[A-Z]+$/)) });

/**
 * SQS -> signed POST, the records of a batch side by side. A record that fails fails alone and comes again; one that
 * no worker can read ends in the dead-letter queue. What a merchant's server does is no failure here.
 */
export const create =
  (deps: Deps) =>
  async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const outcomes = await Promise.allSettled(Records.map((record) => deliver(deps, record)));
    const failed = Records.filter((_, at) => outcomes[at]?.status === 'rejected');
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };

async function deliver(deps: Deps, { body, messageId }: SQSRecord): Promise<void> {
  try {
    const { eventId } = message.parse(JSON.parse(body));
    await deliverPostback(deps, eventId);
  } catch (error) {
    deps.log('postback_not_worked_on', { messageId, error: error instanceof Error ? error.name : 'unknown' });
    throw error;
  }
}

export const handler = lambdaHandler(() =>
  create({
    ...system,
    events: events(),
    endpoints: endpoints(),
    merchants: merchants(),
    shops: shops(),
    bills: bills(),
    opener: tokenOpener(),
    post: merchantPost(),
    queue: postbackQueue(),
    notify: ({ endpointId, why }) => system.alarm('endpoint_paused', { endpoint: endpointId, why }),
  }),
);
