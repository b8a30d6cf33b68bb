import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { SandboxDeps } from '../../../lib/sandbox/deps.ts';
import { type PayoutId, readPayoutId, toPayoutId } from '../../../lib/ids.ts';
import { kindManners, type SandboxManners } from '../../../lib/sandbox/manners.ts';
import { changeTransfer, type Transfer } from '../../../lib/sandbox/transfer.ts';
import { attemptsOf, moveReferred } from '../../../lib/sandbox/transfers.ts';
import { captured } from '../../../lib/sandbox/order-money.ts';
import { moveOrder } from '../../../lib/sandbox/orders.ts';
import { signatureHeader, signatureOf } from '../../../lib/sandbox/secret.ts';
import { sandbox } from '../../../lib/sandbox/sandbox.ts';
import type { GatewayEvent } from '../../../lib/sandbox/request.ts';
import type { Table } from '../../../lib/store/table.ts';
import type { SeededRandom } from './seeded-random.ts';
import { type CallKind, noAnswer } from './faults.ts';
import type { Invocation } from './invocation.ts';
import type { Scheduler } from './scheduler.ts';
import type { Watch } from './watch.ts';

export const sandboxUrl = 'https://sandbox.test/sandbox';
export const sandboxSecret = 'a secret between two parties';

const openedOrder = z.object({ paymentId: z.string(), reference: z.optional(z.string()) });

type Notice = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

type Sent = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

/** The sandbox as an outside party: each request is handled completely in one turn, on its own table. */
export class Provider {
  readonly #handle: ReturnType<typeof sandbox>;
  readonly #deps: SandboxDeps;
  /** Payments for which the acquirer reported two contradictory states. */
  readonly contradicted = new Set<string>();
  /** The acquirer's reference of each payment's last order, and the payment of each reference. */
  readonly #references = new Map<string, string>();
  readonly #payments = new Map<string, string>();
  readonly #scheduler: Scheduler;
  readonly #watch: Watch;
  readonly table: Table;
  /** Notifications sent, not delivered yet. */
  readonly notices: Notice[] = [];
  /** How kind the payout rail is: the seed decides. */
  railManners: SandboxManners = kindManners;
  /** Payouts whose ended transfer the rail changed to its opposite. */
  readonly changedPayouts = new Set<PayoutId>();
  /** The rail's notifications, not delivered yet: each names a payout. */
  readonly payoutNotices: PayoutId[] = [];

  constructor(table: Table, scheduler: Scheduler, watch: Watch, random: SeededRandom) {
    this.table = table;
    this.#scheduler = scheduler;
    this.#watch = watch;
    this.#deps = {
      table,
      manners: kindManners,
      secret: async () => sandboxSecret,
      now: () => new Date(scheduler.clock),
      random: (bytes) => random.bytes(bytes),
      delay: async () => {},
      fetch: async (_url, init) => this.#queueNotice(init),
      url: sandboxUrl,
    };
    this.#handle = sandbox(this.#deps);
  }

  /** The acquirer authorises or captures an order that it had ended, and notifies the service (late money, lib/payment/README.md). */
  async contradict(paymentId: string, to: 'authorised' | 'captured'): Promise<void> {
    const { step } = await moveOrder(this.#deps, this.referenceOf(paymentId), (order) => {
      if (order.state !== 'voided' && order.state !== 'declined') return undefined;
      const held = { ...order, heldMinor: order.amountMinor };
      return to === 'captured' ? captured(held) : { to: { ...held, state: 'authorised' } };
    });
    if (step) this.contradicted.add(paymentId);
    this.tell(paymentId);
  }

  /** Sends a notification. Recovery repeats it each round, as an acquirer does until it is accepted. */
  tell(paymentId: string): void {
    const body = JSON.stringify({ paymentId, reference: this.referenceOf(paymentId), state: 'captured' });
    this.notices.push({ headers: { [signatureHeader]: signatureOf(body, sandboxSecret) }, body });
  }

  /** The states of all transfers of a payout, also of those that the rail's search does not show yet. */
  async transfersOf(payoutId: PayoutId): Promise<readonly Transfer[]> {
    return attemptsOf(this.#railDeps, payoutId);
  }

  /** The rail changes an ended transfer to its opposite, and notifies the service. */
  async changeTransfer({ reference, state, payoutId }: Transfer): Promise<void> {
    if (payoutId === undefined || (state !== 'paid' && state !== 'refused')) return;
    const to = state === 'paid' ? 'refused' : 'paid';
    const { step } = await moveReferred(this.#railDeps, reference, (known) => changeTransfer(known, to));
    if (!step) return;
    this.changedPayouts.add(toPayoutId(payoutId));
    this.payoutNotices.push(toPayoutId(payoutId));
  }

  /** The `fetch` of a handler: each call to the sandbox goes through the scheduler. */
  fetchFor(by: Invocation): typeof fetch {
    return async (input, init = {}) => {
      const request = sentBy(init);
      const url = input instanceof Request ? input.url : input.toString();
      const { name, kind } = nameOf(url, request.method);
      const sentAt = this.#scheduler.clock;
      const act = async () => {
        if (kind === 'rail' && this.#isLost(sentAt)) throw noAnswer(kind);
        this.#note(url, request);
        return this.#answer(url, request);
      };
      return this.#scheduler.call(by, { site: `${by.useCase}: ${name}`, kind, act });
    };
  }

  /** Submits a form of a sandbox page as a payer's browser does; returns the redirect target, if any. */
  async browse(pageUrl: string, form: Readonly<Record<string, string>>): Promise<string | undefined> {
    const body = new URLSearchParams(form).toString();
    const { headers } = await this.#handle(eventOf(pageUrl, { method: 'POST', headers: {}, body }));
    const location = headers['Location'];
    return location === undefined ? undefined : new URL(location, pageUrl).href;
  }

  /** Returns the URL of a payment's card page. */
  async pageOf(paymentId: string): Promise<string> {
    const { client, name: TableName } = this.table;
    const reference = this.referenceOf(paymentId);
    const { Item } = await client.send(
      new GetCommand({ TableName, Key: { PK: `ORDER#${reference}`, SK: 'ORDER' } }),
    );
    return `${sandboxUrl}/card/${reference}.${String(Item?.['pageKey'])}`;
  }

  /** The reference of a payment's last order; the payment's id where there is none. */
  referenceOf(paymentId: string): string {
    return this.#references.get(paymentId) ?? paymentId;
  }

  get #railDeps(): SandboxDeps {
    return { ...this.#deps, manners: this.railManners };
  }

  /** No request travels for an hour. A rail that keeps its keys for ever is tested without this, at its worst. */
  #isLost(sentAt: number): boolean {
    return this.railManners.keyLifeHours !== 'unlimited' && this.#scheduler.clock - sentAt > 3_600_000;
  }

  async #answer(url: string, request: Sent): Promise<Response> {
    const handle = url.includes('/rail/') ? sandbox(this.#railDeps) : this.#handle;
    const { statusCode, body } = await handle(eventOf(url, request));
    if (statusCode === 200 && request.method === 'POST' && url.endsWith('/acquirer/orders'))
      this.#learn(body);
    const key = request.headers['idempotency-key'];
    if (statusCode === 429 && key !== undefined) this.#watch.railWasBusy(key);
    // A real Response reads its body asynchronously, at a time that no seed decides.
    return Object.assign(new Response(null, { status: statusCode }), { text: async () => body });
  }

  #note(url: string, { headers }: Sent): void {
    const key = headers['idempotency-key'];
    if (key !== undefined && url.endsWith('/rail/transfers')) {
      this.#watch.railCalled(key, { at: this.#scheduler.clock, manners: this.railManners });
      this.#tellEarly(key);
    }
    const [, reference = '', verb] = /orders\/(\w+)\/(\w+)$/.exec(url) ?? [];
    const payment = this.#payments.get(reference) ?? reference;
    if (key !== undefined && verb !== undefined) this.#watch.keyUsed(`${payment}/${verb}`, key);
    if (verb === 'capture') this.#watch.bills.captureRequested(payment);
  }

  #learn(opened: string): void {
    const { paymentId, reference = paymentId } = openedOrder.parse(JSON.parse(opened));
    this.#references.set(paymentId, reference);
    this.#payments.set(reference, paymentId);
  }

  /** A notification may come before the answer to the call that caused it, or without a cause. */
  #tellEarly(key: string): void {
    const payoutId = readPayoutId(key.split('.')[0]);
    if (payoutId && this.#scheduler.faults) this.payoutNotices.push(payoutId);
  }

  #queueNotice(init: RequestInit | undefined): Response {
    this.notices.push({ headers: headersOf(init), body: textOf(init) });
    return new Response();
  }
}

const headersOf = (init: RequestInit | undefined) => Object.fromEntries(new Headers(init?.headers));

const textOf = (init: RequestInit | undefined): string => (typeof init?.body === 'string' ? init.body : '');

const sentBy = (init: RequestInit): Sent => ({
  method: init.method ?? 'GET',
  headers: headersOf(init),
  body: typeof init.body === 'string' ? init.body : null,
});

function eventOf(url: string, { method, headers, body }: Sent): GatewayEvent {
  const { pathname, searchParams } = new URL(url);
  return {
    httpMethod: method,
    pathParameters: { proxy: pathname.replace('/sandbox/', '') },
    headers: { ...headers },
    queryStringParameters: Object.fromEntries(searchParams),
    body,
    isBase64Encoded: false,
    requestContext: { domainName: 'sandbox.test', stage: 'test' },
  };
}

/** Names a call by its URL: `acquirer capture`, `rail get`. */
function nameOf(url: string, method: string): { readonly name: string; readonly kind: CallKind } {
  const [kind, , id, verb] = new URL(url).pathname.replace('/sandbox/', '').split('/');
  const what = verb ?? (id === undefined ? 'open' : method.toLowerCase());
  return { name: `${kind} ${what}`, kind: kind === 'rail' ? 'rail' : 'acquirer' };
}
