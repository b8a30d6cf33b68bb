import { once } from 'node:events';
import { Agent, createServer, type IncomingHttpHeaders, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod/mini';
import { type ItemName, itemName, TransactionLocks } from './transaction-locks.ts';

const key = z.looseObject({ PK: z.object({ S: z.string() }), SK: z.object({ S: z.string() }) });
const onItem = z.object({ TableName: z.string(), Key: z.optional(key), Item: z.optional(key) });
const steps = z.object({
  ClientRequestToken: z.optional(z.string()),
  TransactItems: z.array(z.record(z.string(), onItem)),
});

type Refusal = {
  readonly __type: string;
  readonly CancellationReasons?: readonly { readonly Code: string }[];
};
const conflict = { __type: 'com.amazonaws.dynamodb.v20120810#TransactionConflictException' };
const inProgress = { __type: 'com.amazonaws.dynamodb.v20120810#TransactionInProgressException' };
const cancelled = 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException';

const nameOf = ({ TableName, Key, Item }: z.infer<typeof onItem>): ItemName => {
  const { PK, SK } = Key ?? Item ?? {};
  return itemName(TableName, { PK: PK?.S, SK: SK?.S });
};

/**
 * A proxy in front of the local database, which serializes all requests and therefore never returns a conflict. As on AWS,
 * a transaction holds its items, here for `lockMs`. Meanwhile another transaction on one of them is cancelled with the
 * reason TransactionConflict, a single-item write gets TransactionConflictException, a read passes, and a transactional
 * read is cancelled. A transaction repeated under its token while in progress gets TransactionInProgressException; later it
 * gets the first answer again.
 */
export async function conflictProxy({
  target,
  lockMs,
}: {
  readonly target: string;
  readonly lockMs: number;
}) {
  const locks = new TransactionLocks();
  const inProgressTokens = new Set<string>();
  const done = new Set<string>();
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const counts = { transactions: 0, cancelled: 0, writesRefused: 0 };

  const passOn = (headers: IncomingHttpHeaders, body: Buffer) =>
    forward(new URL(target), agent, headers, body);
  const reasonsFor = (items: readonly ItemName[]): Refusal => ({
    __type: cancelled,
    CancellationReasons: items.map((item) => ({ Code: locks.isHeld(item) ? 'TransactionConflict' : 'None' })),
  });

  async function transact(headers: IncomingHttpHeaders, body: Buffer): Promise<ProxiedAnswer> {
    const { TransactItems, ClientRequestToken: token = '' } = steps.parse(JSON.parse(body.toString()));
    counts.transactions += 1;
    if (done.has(token)) return passOn(headers, body);
    if (inProgressTokens.has(token)) return refused(inProgress);
    const items = TransactItems.flatMap((step) => Object.values(step).map(nameOf));
    const release = locks.take(items);
    if (!release) {
      counts.cancelled += 1;
      return refused(reasonsFor(items));
    }
    inProgressTokens.add(token);
    try {
      const [answer] = await Promise.all([passOn(headers, body), wait(lockMs)]);
      if (answer.status === 200) done.add(token);
      return answer;
    } finally {
      inProgressTokens.delete(token);
      release();
    }
  }

  async function write(headers: IncomingHttpHeaders, body: Buffer): Promise<ProxiedAnswer> {
    if (!locks.isHeld(nameOf(onItem.parse(JSON.parse(body.toString()))))) return passOn(headers, body);
    counts.writesRefused += 1;
    return refused(conflict);
  }

  async function transactGet(headers: IncomingHttpHeaders, body: Buffer): Promise<ProxiedAnswer> {
    const { TransactItems } = steps.parse(JSON.parse(body.toString()));
    const items = TransactItems.flatMap((step) => Object.values(step).map(nameOf));
    return items.some((item) => locks.isHeld(item)) ? refused(reasonsFor(items)) : passOn(headers, body);
  }

  const answering: Readonly<Record<string, typeof transact>> = {
    TransactWriteItems: transact,
    TransactGetItems: transactGet,
    PutItem: write,
    UpdateItem: write,
    DeleteItem: write,
  };
  const server = createServer((incoming, response) => {
    const operation = String(incoming.headers['x-amz-target']).split('.')[1] ?? '';
    const answer = async () => (answering[operation] ?? passOn)(incoming.headers, await buffer(incoming));
    answer().then(
      (given) => send(response, given),
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    counts,
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

export type ConflictProxy = Awaited<ReturnType<typeof conflictProxy>>;

type ProxiedAnswer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

const refused = (refusal: Refusal): ProxiedAnswer => ({
  status: 400,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: Buffer.from(JSON.stringify({ ...refusal, Message: 'Transaction is ongoing for the item' })),
});

function forward(
  target: URL,
  agent: Agent,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<ProxiedAnswer> {
  return new Promise((resolve, reject) => {
    const onward = request(target, { agent, method: 'POST', headers: { ...headers, host: target.host } });
    onward.on('response', (response) => {
      buffer(response).then(
        (content) =>
          resolve({ status: response.statusCode ?? 502, headers: response.headers, body: content }),
        reject,
      );
    });
    onward.on('error', reject);
    onward.end(body);
  });
}

function send(response: ServerResponse, { status, headers, body }: ProxiedAnswer): void {
  const { 'transfer-encoding': _, ...others } = headers;
  response.writeHead(status, { ...others, 'content-length': body.length }).end(body);
}
