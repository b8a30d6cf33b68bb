import type { Bills, Contacts } from '../../bill/ports.ts';
import type { Adjustments } from '../../ledger/adjustment.ts';
import type { Balances } from '../../ledger/balance.ts';
import type { Chargebacks } from '../../ledger/chargeback.ts';
import type { Claims } from '../../ledger/claim.ts';
import type { Journal } from '../../ledger/journal.ts';
import type { Merchants, Shops } from '../../merchant/ports.ts';
import type { Payments } from '../../payment/ports.ts';
import type { PayoutAccounts, Payouts } from '../../payout/ports.ts';
import type { Changes } from '../../merchant/change.ts';
import type { Proposals } from '../../decision/proposal.ts';
import type { Refunds } from '../../refund/ports.ts';
import type { Endpoints, Events } from '../../postback/ports.ts';
import type { KeyedListings, Listings } from '../../search/ports.ts';

export type TracePorts = {
  readonly now: () => Date;
  readonly bills: Pick<Bills, 'find'>;
  readonly contacts: Pick<Contacts, 'find'>;
  readonly payments: Pick<Payments, 'find' | 'listOf'>;
  readonly payouts: Pick<Payouts, 'find' | 'findGroup'>;
  readonly events: Pick<Events, 'find'>;
  readonly endpoints: Pick<Endpoints, 'find'>;
  readonly merchants: Pick<Merchants, 'find'>;
  readonly shops: Pick<Shops, 'find' | 'listOf'>;
  readonly payoutAccounts: Pick<PayoutAccounts, 'listOf'>;
  readonly balances: Balances;
  readonly adjustments: Pick<Adjustments, 'find'>;
  readonly chargebacks: Pick<Chargebacks, 'find' | 'ofPayment'>;
  readonly claims: Pick<Claims, 'ofPayment'>;
  readonly refunds: Pick<Refunds, 'find' | 'ofPayment'>;
  readonly proposals: Pick<Proposals, 'find' | 'listOpen'>;
  readonly changes: Changes;
  readonly listings: Pick<Listings, 'merchants'>;
  readonly keyedListings: Pick<KeyedListings, 'billsOfOrder' | 'payoutsOfOrder'>;
  readonly journal: Journal;
};

type Fact = string | number | boolean | undefined;

/** A subject of the timeline in its current state. */
export type Subject = {
  readonly kind:
    | 'bill'
    | 'payment'
    | 'payout'
    | 'postback'
    | 'merchant'
    | 'shop'
    | 'balance'
    | 'account'
    | 'adjustment'
    | 'chargeback'
    | 'claim'
    | 'refund'
    | 'proposal'
    | 'rates';
  readonly id: string;
  readonly facts: Readonly<Record<string, Fact>>;
};

/** One event of the timeline. */
export type TimelineStep = {
  readonly at: Date;
  readonly id: string;
  readonly what: string;
};

export type Timeline = { readonly subjects: readonly Subject[]; readonly steps: readonly TimelineStep[] };

export const emptyTimeline: Timeline = { subjects: [], steps: [] };

/** Merges timelines into one, in order of time. */
export const mergeTimelines = (timelines: readonly Timeline[]): Timeline => ({
  subjects: timelines.flatMap(({ subjects }) => subjects),
  steps: timelines.flatMap(({ steps }) => steps).sort((one, other) => one.at.getTime() - other.at.getTime()),
});
