import type { Merchant } from '../../merchant/merchant.ts';
import { isFinalPayoutStatus } from '../../payout/states.ts';
import { payoutEventId } from '../../postback/event.ts';
import type { AuditRecord, Difference } from './records.ts';

/** A final state: the endpoint of its postback, and when its payment or payout was created. */
type Owed = { readonly endpoint: string; readonly begun: Date };

/** The retention of an event of a payout. */
const retentionMs = 90 * 24 * 60 * 60_000;

/** Checks that each final payout of the last 90 days whose merchant had a webhook from the start has its event, and that each event reports a true state. */
export class PostbackCheck {
  readonly #expectedSince: Date;
  /** By event id. */
  readonly #owed = new Map<string, Owed>();
  readonly #events = new Set<string>();
  readonly #urlSince = new Map<string, Date>();

  constructor(now: Date) {
    this.#expectedSince = new Date(now.getTime() - retentionMs);
  }

  see(record: AuditRecord): void {
    if (record.kind === 'event' && record.event.kind === 'payout') this.#events.add(record.event.id);
    if (record.kind === 'merchant') this.#seeWebhook(record.merchant);
    if (record.kind === 'payout' && isFinalPayoutStatus(record.payout.status)) {
      const { id, status, merchantId, createdAt } = record.payout;
      this.#owed.set(payoutEventId(id, status), { endpoint: merchantId, begun: createdAt });
    }
  }

  differences(): readonly Difference[] {
    const missing = [...this.#owed].filter(([id, owed]) => !this.#events.has(id) && this.#hadUrl(owed));
    const untrue = [...this.#events].filter((id) => !this.#owed.has(id));
    return [
      ...missing.map(([id]) => difference(id, `postback ${id} is missing`)),
      ...untrue.map((id) =>
        difference(id, `postback ${id} reports a state that its payment or payout is not in`),
      ),
    ];
  }

  #seeWebhook({ id, payoutWebhookUrl, payoutWebhookSince }: Merchant): void {
    if (payoutWebhookUrl !== undefined && payoutWebhookSince) this.#urlSince.set(id, payoutWebhookSince);
  }

  #hadUrl({ endpoint, begun }: Owed): boolean {
    const since = this.#urlSince.get(endpoint);
    return since !== undefined && since <= begun && begun > this.#expectedSince;
  }
}

const difference = (about: string, text: string): Difference => ({
  invariant: 'events_match_states',
  about,
  text,
});
