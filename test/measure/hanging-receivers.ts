import { CreateQueueCommand, DeleteMessageBatchCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { create } from '../../functions/postback-deliver.ts';
import { queueClient, startQueues } from '../../infra/local/services/queues.ts';
import { type ShopId, toMerchantId, toShopId } from '../../lib/ids.ts';
import { firstSecret } from '../../lib/merchant/webhook-secret.ts';
import type { PostbackEvent } from '../../lib/postback/event.ts';
import { queueEvent } from '../../lib/postback/queue-event.ts';
import { merchantPost } from '../../lib/provider/merchant-post.ts';
import { sqsQueue } from '../../lib/provider/sqs-queue.ts';
import { dynamoBills } from '../../lib/store/bills.ts';
import { dynamoContacts } from '../../lib/store/contacts.ts';
import { dynamoEndpoints } from '../../lib/store/endpoints.ts';
import { putEvent } from '../../lib/store/event-item.ts';
import { dynamoEvents } from '../../lib/store/events.ts';
import { dynamoMerchants } from '../../lib/store/merchants.ts';
import { dynamoPayments } from '../../lib/store/payments.ts';
import { dynamoShops } from '../../lib/store/shops.ts';
import { transact } from '../../lib/store/transact.ts';
import { aMerchant, aShop } from '../support/builders.ts';
import { batchOf } from '../support/queue.ts';
import { optionsOf } from '../simulation/arguments.ts';
import { startTables } from '../simulation/harness/tables.ts';

const usage = `npm run measure:hanging -- [options]: measures how long postbacks take while a server that gets half of them does not answer.

  --rate <number>     postbacks a second to the servers that answer, and as many to the one that does not (10)
  --workers <number>  concurrent batches, as the configured concurrency of postbacks (50)
  --retries <number>  concurrent batches of the retry queue (15)
  --seconds <number>  duration of the first and of the last phase (10)`;

const values = optionsOf(usage, {
  rate: { type: 'string', default: '10' },
  workers: { type: 'string', default: '50' },
  retries: { type: 'string', default: '15' },
  seconds: { type: 'string', default: '10' },
});
const [rate, seconds] = [Number(values.rate), Number(values.seconds)];

type Phase = 'alone' | 'before the breaker opens' | 'after the breaker opened';
const phases: readonly Phase[] = ['alone', 'before the breaker opens', 'after the breaker opened'];
let phase: Phase = 'alone';
const over = new AbortController();
const sent = new Map<string, { readonly at: number; readonly phase: Phase }>();
const taken = new Map<Phase, number[]>(phases.map((each) => [each, []]));

const quick = await serverOf((request, response) => {
  const known = sent.get(String(request.headers['webhook-id']));
  if (known) taken.get(known.phase)?.push(performance.now() - known.at);
  request.resume().on('end', () => response.end('ok'));
});
const hanging = await serverOf(() => undefined);
const [tables, queues] = [await startTables(), await startQueues()];
const table = await tables.make('measured');
const client = queueClient(queues.origin);

const opener = { open: async (sealed: string) => sealed };
const now = () => new Date();
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const deps = {
  events: dynamoEvents(table),
  endpoints: dynamoEndpoints(table),
  merchants: dynamoMerchants(table),
  shops: dynamoShops(table),
  bills: dynamoBills(table, now),
  payments: dynamoPayments(table),
  opener,
  phoneOpener: opener,
  contacts: dynamoContacts(table, now),
  contactOpener: opener,
  post: merchantPost({ policy: 'loopback', resolve: async () => [], now }),
  queue: await queueNamed('postbacks'),
  retryQueue: await queueNamed('retries'),
  now,
  chance: Math.random,
  notify: () => undefined,
  log: () => undefined,
};
const merchantId = toMerchantId('MerchantMerchant');
const quickShops = [1, 2, 3, 4, 5].map((at) => toShopId(`QuickShop0000000${at}`));
const hangingShop = toShopId('HangingShop00000');
await deps.merchants.create(
  aMerchant({ id: merchantId, sealedToken: 'pl_test_token', webhookSecrets: firstSecret(secret) }),
);
for (const id of [...quickShops, hangingShop])
  await deps.shops.create(
    aShop({
      id,
      merchantId,
      resultUrl: id === hangingShop ? hanging.url : quick.url,
      webhookSecrets: firstSecret(secret),
    }),
  );

const workers = [
  startWorkers('postbacks', create(deps), Number(values.workers)),
  startWorkers('retries', create(deps, 'retries'), Number(values.retries)),
];
const senders = [sendTo(() => quickShops[sent.size % quickShops.length] ?? hangingShop)];

console.log(`alone, ${rate} postbacks a second …`);
await sleep(seconds * 1000);
phase = 'before the breaker opens';
const began = performance.now();
console.log(`and as many to a server that does not answer, until its circuit breaker opens …`);
senders.push(sendTo(() => hangingShop));
while ((await deps.endpoints.find(hangingShop))?.openUntil === undefined) await sleep(50);
const openedAfter = (performance.now() - began) / 1000;
phase = 'after the breaker opened';
console.log(
  `the circuit breaker opened after ${openedAfter.toFixed(1)} s; measuring for another ${seconds} s …`,
);
await sleep(seconds * 1000);
over.abort();
await Promise.all(senders);
// Postbacks in flight may still arrive; those to the hanging server time out.
await sleep(16_000);
console.table(
  Object.fromEntries(
    phases.map((each) => {
      const ms = (taken.get(each) ?? []).toSorted((one, other) => one - other);
      const all = [...sent.values()].filter((known) => known.phase === each).length;
      const at = (share: number) => Math.round(ms[Math.ceil(ms.length * share) - 1] ?? Number.NaN);
      return [
        each,
        { sent: all, taken: ms.length, 'p50 ms': at(0.5), 'p99 ms': at(0.99), 'longest ms': at(1) },
      ];
    }),
  ),
);
console.log('Measured from the commit of a postback until its server receives it.');
process.exit(0);

async function serverOf(answer: RequestListener): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return { server, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/result` };
}

async function queueNamed(QueueName: string) {
  await client.send(new CreateQueueCommand({ QueueName, Attributes: { VisibilityTimeout: '180' } }));
  return sqsQueue(client, `${queues.origin}/000000000000/${QueueName}`, 'eventId');
}

/** Writes an event, then sends its message, as payments do. */
async function sendTo(shopOf: () => ShopId): Promise<void> {
  const pauseMs = 1000 / rate;
  for (let next = performance.now(); !over.signal.aborted; next += pauseMs) {
    await sleep(Math.max(next - performance.now(), 0));
    const shopId = shopOf();
    const event = eventOf(`pay.${shopId}x${Math.random().toString(36).slice(2)}.SUCCESS`, shopId);
    void transact(table, [putEvent(table, event)]).then(() => {
      if (shopId !== hangingShop) sent.set(event.id, { at: performance.now(), phase });
      return queueEvent(deps.queue, event);
    });
  }
}

function eventOf(id: string, shopId: ShopId): PostbackEvent {
  const at = now();
  return {
    id,
    kind: 'payment',
    merchantId,
    shopId,
    supersededByBill: undefined,
    sealedPhone: undefined,
    sentAfter: undefined,
    extended: undefined,
    status: 'SUCCESS',
    fields: { InvId: '1', OutSum: '1.00', TrsId: id, Status: 'SUCCESS' },
    state: 'PENDING',
    attempts: [],
    tries: 0,
    createdAt: at,
    nextAt: at,
  };
}

/** Processes up to `count` batches of up to ten messages concurrently, each until its last record is done, as Lambda does. */
function startWorkers(
  queue: string,
  handler: (event: SQSEvent) => Promise<SQSBatchResponse>,
  count: number,
): Promise<unknown> {
  const QueueUrl = `${queues.origin}/000000000000/${queue}`;
  const receive = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 1 });
  const free: (() => void)[] = [];
  let busy = 0;
  const work = async () => {
    for (;;) {
      if (busy >= count) await new Promise<void>((resolve) => free.push(resolve));
      const { Messages = [] } = await client.send(receive);
      if (Messages.length === 0) continue;
      busy += 1;
      const records = Messages.map(({ Body = '', MessageId = '' }) => ({ body: Body, messageId: MessageId }));
      void handler(batchOf(...records)).then(async ({ batchItemFailures }) => {
        const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
        const Entries = Messages.filter(({ MessageId = '' }) => !failed.has(MessageId)).map(
          ({ MessageId, ReceiptHandle }) => ({ Id: MessageId, ReceiptHandle }),
        );
        if (Entries.length > 0) await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
        busy -= 1;
        free.shift()?.();
      });
    }
  };
  return work();
}
void workers;
