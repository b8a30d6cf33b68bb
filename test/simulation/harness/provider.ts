import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type PayoutId, readPayoutId, readRefundId, toPayoutId } from '../../../lib/ids.ts';
import { captureOther, takeBack } from '../../../lib/sandbox/changes.ts';
import type { SandboxDeps } from '../../../lib/sandbox/deps.ts';
import { kindManners, type SandboxManners } from '../../../lib/sandbox/manners.ts';
import { captured } from '../../../lib/sandbox/order-money.ts';
import type { Order, OrderStep } from '../../../lib/sandbox/order.ts';
import { findOrder, isOrder, moveOrder } from '../../../lib/sandbox/orders.ts';
import { sandbox } from '../../../lib/sandbox/sandbox.ts';
import { signatureHeader, signatureOf } from '../../../lib/sandbox/secret.ts';
import { changeTransfer, type Transfer } from '../../../lib/sandbox/transfer.ts';
import { attemptsOf, moveReferred } from '../../../lib/sandbox/transfers.ts';
import type { Table } from '../../../lib/store/table.ts';
import { scan } from './scan.ts';
import {
  answerIn,
  eventOf,
  headersOf,
  nameOf,
  responseOf,
  type Sent,
  sentBy,
  textOf,
  verbOf,
} from './exchange.ts';
import { noAnswer } from './faults.ts';
import type { Invocation } from './invocation.ts';
import type { MannerSet } from './manner-sets.ts';
import type { Scheduler } from './scheduler.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { Watch } from './watch.ts';

export const sandboxSecret = 'a secret between two parties';

const openedOrder = z.object({ paymentId: z.string(), reference: z.optional(z.string()) });

type Notice = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

type Party = {
  /** As payments and payouts name it. */
  readonly name: 'sandbox' | 'yookassa';
  readonly table: Table;
  readonly scheduler: Scheduler;
  readonly watch: Watch;
  readonly random: SeededRandom;
  readonly count: (what: string) => void;
};

/** What becomes of the calls of `start` of one payment. */
type StartFate = 'answered' | 'no_answer' | 'never_arrives';

const hourMs = 3_600_000;
/** The last late query comes a week after the failure; a payment is not changed unnoticed after it. */
const changesForMs = 6 * 24 * hourMs;

/** The sandbox as an outside party: each request is handled completely in one turn, on its own table. */
export class Provider {
  readonly name: Party['name'];
  readonly url: string;
  readonly table: Table;
  /** How kind it is, as acquirer and as rail. A scenario may change them. */
  manners: SandboxManners = kindManners;
  railManners: SandboxManners = kindManners;
  faults: Pick<MannerSet, 'losesStarts' | 'refusesAtRandom'> = { losesStarts: false, refusesAtRandom: false };
  /** Payments for which the acquirer reported two contradictory states, or whose money it changed. */
  readonly contradicted = new Set<string>();
  /** Notifications sent, not delivered yet. */
  readonly notices: Notice[] = [];
  /** Payouts whose ended transfer the rail changed to its opposite. */
  readonly changedPayouts = new Set<PayoutId>();
  /** The rail's notifications, not delivered yet: each names a payout. */
  readonly payoutNotices: PayoutId[] = [];
  /** The acquirer's reference of each payment's last order, and the payment of each reference. */
  readonly #references = new Map<string, string>();
  readonly #payments = new Map<string, string>();
  readonly #startFates = new Map<string, StartFate>();
  readonly #party: Party;
  readonly #faultRandom: SeededRandom;

  constructor(party: Party, faultRandom: SeededRandom) {
    this.#party = party;
    this.#faultRandom = faultRandom;
    this.name = party.name;
    this.table = party.table;
    this.url = `https://${party.name}.test/sandbox`;
  }

  /** Whether it has answered with an order of the payment. */
  knows(paymentId: string): boolean {
    return this.#references.has(paymentId);
  }

  /** The acquirer authorises or captures an order that it had ended, and notifies the service (late money, lib/payment/README.md). */
  contradict(paymentId: string, to: 'authorised' | 'captured'): Promise<void> {
    return this.#change(paymentId, (order) => {
      if (order.state !== 'voided' && order.state !== 'declined') return undefined;
      const held = { ...order, changes: order.changes + 1, heldMinor: order.amountMinor };
      return to === 'captured' ? captured(held) : { to: { ...held, state: 'authorised' } };
    });
  }

  /** The acquirer's staff or the payer's bank take back a part of a capture, or its amount is corrected. */
  changeCapture(paymentId: string, how: 'taken_back' | 'less' | 'more'): Promise<void> {
    return this.#change(paymentId, (order) => {
      const part = order.heldMinor / 4n;
      if (how === 'taken_back') return takeBack(order, part);
      return captureOther(order, how === 'less' ? order.heldMinor - part : order.heldMinor + part);
    });
  }

  async #change(paymentId: string, decide: (order: Order) => OrderStep | undefined): Promise<void> {
    const { scheduler } = this.#party;
    const { step } = await moveOrder(this.#deps, this.referenceOf(paymentId), (order) => {
      const openedAt = order.openedAt?.getTime() ?? 0;
      return scheduler.clock - openedAt < changesForMs ? decide(order) : undefined;
    });
    if (step) this.contradicted.add(paymentId);
    if (this.manners.notices !== 'lost') this.tell(paymentId);
  }

  /**
   * What time alone changes at the acquirer, whether or not anybody asks: pages that expire, holds that lapse, money that is
   * charged back. Returns the payments whose money was changed.
   */
  async passTime(): Promise<readonly string[]> {
    for (const { SK, reference } of await scan(this.table)) {
      if (SK !== 'ORDER') continue;
      const order = await findOrder(this.#deps, String(reference));
      if (isOrder(order) && order.changes > 0) this.contradicted.add(order.paymentId);
    }
    return [...this.contradicted];
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
  async changeTransfer(transfer: Transfer): Promise<void> {
    if (transfer.state === 'paid') await this.#changeTransfer(transfer, 'refused');
    if (transfer.state === 'refused') await this.#changeTransfer(transfer, 'paid');
  }

  /** The rail pays a transfer that it had ended because our account was empty, and notifies the service. */
  async payAfterItsEnd(transfer: Transfer): Promise<void> {
    await this.#changeTransfer(transfer, 'paid');
  }

  async #changeTransfer({ reference, payoutId }: Transfer, to: 'paid' | 'refused'): Promise<void> {
    if (payoutId === undefined) return;
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
      const { scheduler, watch } = this.#party;
      const { name, kind } = nameOf(url, request.method);
      const sentAt = scheduler.clock;
      const act = async () => {
        if (this.#isLost(kind === 'rail' ? this.railManners : this.manners, sentAt)) throw noAnswer(kind);
        return (
          this.#busy() ??
          (kind === 'rail' ? this.#railCalled(url, request) : this.#acquirerCalled(url, request))
        );
      };
      const begun = this.#begin(url, request);
      const site = `${by.useCase}: ${this.name === 'sandbox' ? '' : 'second '}${name}`;
      const response = await scheduler.call(by, { site, kind, act });
      if (begun)
        watch.attempts.answered(begun.about, begun.key, answerIn(response.status, await response.text()));
      return response;
    };
  }

  /** Submits a form of a sandbox page as a payer's browser does; returns the redirect target, if any. */
  async browse(pageUrl: string, form: Readonly<Record<string, string>>): Promise<string | undefined> {
    const body = new URLSearchParams(form).toString();
    const { headers } = await sandbox(this.#deps)(eventOf(pageUrl, { method: 'POST', headers: {}, body }));
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
    return `${this.url}/card/${reference}.${String(Item?.['pageKey'])}`;
  }

  /** The reference of a payment's last order; the payment's id where there is none. */
  referenceOf(paymentId: string): string {
    return this.#references.get(paymentId) ?? paymentId;
  }

  get #deps(): SandboxDeps {
    const { table, scheduler, random } = this.#party;
    return {
      table,
      manners: this.manners,
      secret: async () => sandboxSecret,
      now: () => new Date(scheduler.clock),
      random: (bytes) => random.bytes(bytes),
      delay: async () => {},
      fetch: async (_url, init) => this.#queueNotice(init),
      url: this.url,
    };
  }

  get #railDeps(): SandboxDeps {
    return { ...this.#deps, manners: this.railManners };
  }

  /** No request travels for an hour. A provider that keeps its keys for ever is tested without this, at its worst. */
  #isLost({ keyLifeHours }: SandboxManners, sentAt: number): boolean {
    return keyLifeHours !== 'unlimited' && this.#party.scheduler.clock - sentAt > hourMs;
  }

  /** Some calls are answered 429, and not carried out. */
  #busy(): Response | undefined {
    const isBusy = this.#party.scheduler.faults && this.#faultRandom.happens(0.02);
    return isBusy ? responseOf(429, '{"error":"too_many_requests"}', { 'retry-after': '30' }) : undefined;
  }

  /** A handler makes a call with an idempotency key to the acquirer. */
  #begin(
    url: string,
    { method, headers }: Sent,
  ): { readonly about: string; readonly key: string } | undefined {
    const key = headers['idempotency-key'];
    const asked = verbOf(url, method);
    if (key === undefined || !asked) return undefined;
    const payment = asked.verb === 'start' ? (key.split('.')[0] ?? '') : this.#paymentOf(asked.reference);
    // Each refund that a merchant asked for has keys of its own.
    const refundId = asked.verb === 'refunds' ? readRefundId(key.split('.')[0]) : undefined;
    const about = `${refundId ?? payment}/${asked.verb}`;
    const { watch, scheduler } = this.#party;
    // When it is sent: a request may travel for days to a provider that keeps its keys for ever.
    if (asked.verb === 'start' || asked.verb === 'refunds') watch.attempts.creates(key, scheduler.clock);
    // A voided order that is authorised again is voided under the next key.
    if (asked.verb !== 'cancel' || !this.contradicted.has(payment)) watch.attempts.begun(about, key);
    return { about, key };
  }

  #paymentOf(reference: string): string {
    return this.#payments.get(reference) ?? reference;
  }

  async #railCalled(url: string, request: Sent): Promise<Response> {
    const { watch, scheduler } = this.#party;
    const key = request.headers['idempotency-key'];
    if (key !== undefined && url.endsWith('/rail/transfers')) {
      watch.railCalled(key, { at: scheduler.clock, manners: this.railManners });
      this.#tellEarly(key);
    }
    const { statusCode, body, headers } = await sandbox(this.#railDeps)(eventOf(url, request));
    if (statusCode === 429 && key !== undefined) watch.railWasBusy(key);
    return responseOf(statusCode, body, headers);
  }

  async #acquirerCalled(url: string, request: Sent): Promise<Response> {
    const { watch, count } = this.#party;
    const { verb, reference = '' } = verbOf(url, request.method) ?? {};
    const payment = this.#paymentOf(reference);
    const key = request.headers['idempotency-key'] ?? '';
    if (verb === 'capture') watch.bills.captureRequested(payment);
    if (verb === 'cancel') watch.bills.cancelRequested(payment);
    if (verb === undefined && new URL(url).pathname.endsWith('/orders'))
      count('did search the list of orders');
    if (verb === 'start') return this.#started(key, url, request);
    return (await this.#refusal(url, verb)) ?? this.#answer(url, request);
  }

  async #started(key: string, url: string, request: Sent): Promise<Response> {
    const fate = this.#fateOf(key.split('.')[0] ?? '');
    if (fate === 'never_arrives') throw noAnswer('acquirer');
    if (this.#refusesNow()) return responseOf(422, '{"error":"order_refused"}');
    const response = await this.#answer(url, request);
    if (fate === 'no_answer') throw noAnswer('acquirer');
    return response;
  }

  /** Drawn once for each payment. */
  #fateOf(payment: string): StartFate {
    if (!this.faults.losesStarts) return 'answered';
    const known = this.#startFates.get(payment);
    const fate =
      known ?? this.#faultRandom.weighted<StartFate>({ answered: 80, no_answer: 10, never_arrives: 10 });
    this.#startFates.set(payment, fate);
    return fate;
  }

  #refusesNow(): boolean {
    return this.faults.refusesAtRandom && this.#party.scheduler.faults && this.#faultRandom.happens(0.03);
  }

  /** A capture or cancel that is refused in this state, with the state: now and then without a reason. */
  async #refusal(url: string, verb: string | undefined): Promise<Response | undefined> {
    if ((verb !== 'capture' && verb !== 'cancel') || !this.#refusesNow()) return undefined;
    const orderUrl = url.slice(0, url.lastIndexOf('/'));
    const headers = { authorization: `Bearer ${sandboxSecret}` };
    const response = await this.#answer(orderUrl, { method: 'GET', headers, body: null });
    if (response.status !== 200) return response;
    return responseOf(409, (await response.text()).replace('{', '{"error":"not_possible",'));
  }

  async #answer(url: string, request: Sent): Promise<Response> {
    const { statusCode, body } = await sandbox(this.#deps)(eventOf(url, request));
    const isStart = verbOf(url, request.method)?.verb === 'start';
    if (isStart && statusCode === 200) this.#learn(body);
    return responseOf(statusCode, body);
  }

  #learn(opened: string): void {
    const { paymentId, reference = paymentId } = openedOrder.parse(JSON.parse(opened));
    this.#references.set(paymentId, reference);
    this.#payments.set(reference, paymentId);
  }

  /** A notification may come before the answer to the call that caused it, or without a cause. */
  #tellEarly(key: string): void {
    const payoutId = readPayoutId(key.split('.')[0]);
    if (payoutId && this.#party.scheduler.faults) this.payoutNotices.push(payoutId);
  }

  #queueNotice(init: RequestInit | undefined): Response {
    this.notices.push({ headers: headersOf(init), body: textOf(init) });
    return new Response();
  }
}
