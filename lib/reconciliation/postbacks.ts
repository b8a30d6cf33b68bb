import { isBefore } from '../ledger/recomputation.ts';
import { isPaid, type Payment } from '../payment/payment.ts';
import { isFinalPayout, type Payout } from '../payout/payout.ts';
import { paymentEventId, payoutEventId, type PostbackEvent, refundEventId } from '../postback/event.ts';
import { isEndedRefund, type Refund } from '../refund/refund.ts';
import { isWithin, type Day } from './day.ts';
import { inBatches, inParallel } from './in-parallel.ts';
import type { Movement } from './movement.ts';
import type { ReconcilePorts } from './ports.ts';
import type { Difference, Side } from './reconciliation.ts';

type Ports = Pick<ReconcilePorts, 'books' | 'shops' | 'merchants' | 'now'>;

/** The payments, payouts and refunds that movements are about. */
export type Subjects = {
  readonly payments: readonly Payment[];
  readonly payouts: readonly Payout[];
  readonly refunds: readonly Refund[];
};

const batchSize = 100;
const batchesAtOnce = 4;
const dayMs = 24 * 60 * 60_000;
/** How long an event of a payout or of a refund is stored after its end (lib/store/README.md). */
const eventDays = 90;

/** Compares the journal of a day with the postbacks that it owes: each paid payment, and each payout and refund that ended. */
export class PostbackComparison {
  readonly differences: Difference[] = [];
  /** Delivered or superseded. */
  told = 0;
  readonly #ports: Ports;
  readonly #day: Day;

  constructor(ports: Ports, day: Day) {
    this.#ports = ports;
    this.#day = day;
  }

  /** Checks what these entries of the day owe. */
  async see(movements: readonly Movement[], { payments, payouts, refunds }: Subjects): Promise<void> {
    const owing = movements.filter(({ at }) => isWithin(this.#day, at));
    const paid = new Set(owing.filter(({ entry }) => entry === 'CAPTURE').map(({ subject }) => subject));
    const ended = new Set(
      owing.filter(({ entry }) => entry === 'SETTLE' || entry === 'RELEASE').map(({ subject }) => subject),
    );
    await inParallel(
      inBatches(
        payments.filter(({ id }) => paid.has(id)),
        batchSize,
      ),
      batchesAtOnce,
      (batch) => this.#checkPayments(batch),
    );
    await inParallel(
      inBatches(
        payouts.filter(({ id }) => ended.has(id)),
        batchSize,
      ),
      batchesAtOnce,
      (batch) => this.#checkPayouts(batch),
    );
    const refunded = new Set(
      owing
        .filter(({ entry }) => entry === 'REFUND_SETTLE' || entry === 'REFUND_RELEASE')
        .map(({ subject }) => subject),
    );
    await inParallel(
      inBatches(
        refunds.filter(({ id }) => refunded.has(id)),
        batchSize,
      ),
      batchesAtOnce,
      (batch) => this.#checkRefunds(batch),
    );
  }

  /** A delivered postback is recorded with its payment, which outlives the event. */
  async #checkPayments(payments: readonly Payment[]): Promise<void> {
    const paid = payments.filter(isPaid);
    const open = paid.filter(({ deliveredAt }) => deliveredAt === undefined);
    this.told += paid.length - open.length;
    const events = await this.#events(open.map(({ id, status }) => paymentEventId(id, status)));
    for (const payment of open) {
      const id = paymentEventId(payment.id, payment.status);
      const event = events.get(id);
      if (event) this.#judge(event, payment.id);
      else if (await this.#isOwedPayment(payment)) this.#missing(payment.id, id, payment.status);
    }
  }

  async #checkPayouts(all: readonly Payout[]): Promise<void> {
    const payouts = all.filter(isFinalPayout);
    const events = await this.#events(payouts.map(({ id, status }) => payoutEventId(id, status)));
    for (const payout of payouts) {
      const id = payoutEventId(payout.id, payout.status);
      const event = events.get(id);
      if (event) this.#judge(event, payout.id);
      else if (await this.#isOwedPayout(payout)) this.#missing(payout.id, id, payout.status);
    }
  }

  async #checkRefunds(all: readonly Refund[]): Promise<void> {
    const refunds = all.filter(isEndedRefund);
    const events = await this.#events(refunds.map(({ id, status }) => refundEventId(id, status)));
    for (const refund of refunds) {
      const id = refundEventId(refund.id, refund.status);
      const event = events.get(id);
      if (event) this.#judge(event, refund.id);
      else if (await this.#isOwedRefund(refund)) this.#missing(refund.id, id, refund.status);
    }
  }

  async #events(ids: readonly string[]): Promise<ReadonlyMap<string, PostbackEvent>> {
    const events = ids.length === 0 ? [] : await this.#ports.books.events(ids);
    return new Map(events.map((event) => [event.id, event]));
  }

  #judge({ id, state, status }: PostbackEvent, subject: string): void {
    if (state === 'DELIVERED' || state === 'SUPERSEDED') this.told += 1;
    else this.#differ('postback_not_delivered', subject, { id, there: state, here: status });
  }

  #missing(subject: string, id: string, here: string): void {
    this.#differ('postback_missing', subject, { id, there: undefined, here });
  }

  #differ(
    kind: 'postback_missing' | 'postback_not_delivered',
    subject: string,
    { id, there, here }: { readonly id: string; readonly there: string | undefined; readonly here: string },
  ): void {
    const side = (state: string): Side => ({
      state,
      amountMinor: undefined,
      currency: undefined,
      at: undefined,
    });
    this.differences.push({
      kind,
      about: 'postback',
      why: undefined,
      provider: undefined,
      subject,
      reference: id,
      there: there === undefined ? undefined : side(there),
      here: side(here),
      decidedBy: undefined,
    });
  }

  async #isOwedPayment({ shopId, createdAt }: Payment): Promise<boolean> {
    const shop = await this.#ports.shops.find(shopId);
    return isOwed(shop?.resultUrl, shop?.resultUrlSince, createdAt);
  }

  async #isOwedRefund({ shopId, createdAt }: Refund): Promise<boolean> {
    if (!this.#areEventsStored()) return false;
    const shop = await this.#ports.shops.find(shopId);
    return isOwed(shop?.refundUrl, shop?.refundUrlSince, createdAt);
  }

  #areEventsStored(): boolean {
    return this.#day.from.getTime() >= this.#ports.now().getTime() - eventDays * dayMs;
  }

  async #isOwedPayout({ merchantId, createdAt }: Payout): Promise<boolean> {
    if (!this.#areEventsStored()) return false;
    const merchant = await this.#ports.merchants.find(merchantId);
    return isOwed(merchant?.payoutWebhookUrl, merchant?.payoutWebhookSince, createdAt);
  }
}

/** A URL that was set after the payment or payout began, by whichever of their clocks, does not make a postback owed. */
const isOwed = (url: string | undefined, since: Date | undefined, begun: Date): boolean =>
  url !== undefined && since !== undefined && isBefore(since, begun);
