import { GetCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { parse } from 'node-html-parser';
import * as z from 'zod/mini';
import { create } from '../../functions/sandbox.ts';
import type { SandboxDeps } from '../../lib/sandbox/deps.ts';
import { kindManners } from '../../lib/sandbox/manners.ts';
import type { GatewayEvent } from '../../lib/sandbox/request.ts';
import type { Table } from '../../lib/sandbox/table.ts';
import { freshTable } from './dynamo.ts';

export const sandboxUrl = 'https://sandbox.test/sandbox';
export const sandboxSecret = 'a secret between two parties';

type Handle = ReturnType<typeof create>;
type Given = Partial<SandboxDeps>;

/** A separate sandbox with an empty table; unless given otherwise, its clock is fixed and every notification is accepted. */
export async function aSandbox(given: Given = {}) {
  let chance = 0;
  const deps: SandboxDeps = {
    table: given.table ?? (await freshTable()),
    manners: kindManners,
    secret: async () => sandboxSecret,
    now: () => new Date('2030-06-15T12:00:00Z'),
    random: (bytes) => Buffer.alloc(bytes, `${(chance += 1)}-chance`),
    delay: async () => {},
    fetch: async () => new Response(),
    url: sandboxUrl,
    ...given,
  };
  const handle = create(deps);
  return {
    ...deps,
    send: sendTo(handle),
    pay: payer(sendTo(handle)),
    books: booksOf(handle),
    /** The number of orders that were opened for a payment. */
    ordersOf: async (paymentId: string) =>
      (await ordersOf(deps.table)).filter((id) => id === paymentId).length,
    /** The same sandbox, whose next `callers` all read before any of them writes, in each of `looks` rounds. */
    meeting: (callers: number, looks = 1) =>
      sendTo(create({ ...deps, table: meeting(deps.table, callers, looks) })),
  };
}

export type Sandbox = Awaited<ReturnType<typeof aSandbox>>;

/** The handler as a `fetch` without a network. */
function sendTo(handle: Handle): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const answer = await handle(await eventOf(request));
    const body = [204, 303].includes(answer.statusCode) ? null : answer.body;
    return new Response(body, {
      status: answer.statusCode,
      headers: answer.headers,
    });
  };
}

/** A table whose reads return together, so that concurrent callers decide on the same state. */
function meeting({ client, name }: Table, readers: number, rounds: number): Table {
  const everybody = Array.from({ length: rounds }, () => Promise.withResolvers<void>());
  const send = client.send.bind(client);
  let reads = 0;
  const together = Object.assign(Object.create(client), {
    async send(command: GetCommand) {
      const answer = await send(command);
      if (!(command instanceof GetCommand)) return answer;
      const round = everybody[Math.floor(reads / readers)];
      reads += 1;
      if (reads % readers === 0) round?.resolve();
      await round?.promise;
      return answer;
    },
  });
  return { client: together, name };
}

async function ordersOf({ client, name }: Table): Promise<readonly unknown[]> {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: name, ConsistentRead: true }));
  return Items.filter(({ SK }) => SK === 'ORDER').map(({ paymentId }) => paymentId);
}

/** The gateway event of a request. */
async function eventOf(request: Request): Promise<GatewayEvent> {
  const { pathname, searchParams } = new URL(request.url);
  return {
    httpMethod: request.method,
    pathParameters: { proxy: pathname.replace('/sandbox/', '') },
    headers: Object.fromEntries(request.headers),
    queryStringParameters: Object.fromEntries(searchParams),
    body: await request.text(),
    isBase64Encoded: false,
    requestContext: { domainName: 'sandbox.test', stage: 'test' },
  };
}

export const aCard = { number: '4111 1111 1111 1111', expiry: '12/34', cvc: '123', holder: '' };

/** Opens a page of the sandbox or posts its form; redirects are returned, not followed. */
export const payer =
  (send: typeof fetch) =>
  async (pageUrl: string, form?: Readonly<Record<string, string>>, language = 'en') => {
    const headers = { 'accept-language': language };
    const body = form && new URLSearchParams(form);
    const answer = await send(pageUrl, body ? { method: 'POST', headers, body } : { headers });
    const location = answer.headers.get('location');
    const text = await answer.text();
    return {
      status: answer.status,
      location: location && new URL(location, pageUrl).href,
      headers: answer.headers,
      text,
      page: parse(text),
    };
  };

const sums = { currency: z.string(), captured: z.number(), refunded: z.number() };
const sent = { currency: z.string(), paidOut: z.number() };
const books = z.object({
  acquirer: z.object({
    totals: z.array(z.object(sums)),
    orders: z.array(z.object({ paymentId: z.string(), ...sums })),
  }),
  rail: z.object({
    totals: z.array(z.object(sent)),
    transfers: z.array(z.object({ key: z.string(), ...sent })),
  }),
});
type SandboxBooks = z.infer<typeof books>;

const booksOf = (handle: Handle) => async (): Promise<SandboxBooks> => {
  const headers = { authorization: `Bearer ${sandboxSecret}` };
  const answer = await sendTo(handle)(`${sandboxUrl}/books`, { headers });
  return books.parse(await answer.json());
};
