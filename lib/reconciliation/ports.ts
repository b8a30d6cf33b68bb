import type { AlarmName } from '../alarms.ts';
import type { PaymentId, PayoutId, RefundId } from '../ids.ts';
import type { Chargebacks } from '../ledger/chargeback.ts';
import type { Entry } from '../ledger/entry.ts';
import type { Journal } from '../ledger/journal.ts';
import type { Log } from '../log.ts';
import type { Merchants, Shops } from '../merchant/ports.ts';
import type { Acquirers } from '../payment/acquirer.ts';
import type { Payment } from '../payment/payment.ts';
import type { UnknownPayments } from '../payment/unknown-payments.ts';
import type { Payout } from '../payout/payout.ts';
import type { Rails } from '../payout/ports.ts';
import type { PostbackEvent } from '../postback/event.ts';
import type { Refund } from '../refund/refund.ts';
import type { StatementLine } from '../provider-port.ts';
import type { Period } from './day.ts';
import type { Compared, Reconciliations } from './reconciliation.ts';

/** What the reconciliation reads of the table, many items at a time. Missing items are left out; in no particular order. */
export interface Books {
  /** The journal of all merchants in this period, read part by part as time goes on. */
  journalOf(period: Period): Promise<JournalReader>;
  payments(ids: readonly PaymentId[]): Promise<readonly Payment[]>;
  payouts(ids: readonly PayoutId[]): Promise<readonly Payout[]>;
  refunds(ids: readonly RefundId[]): Promise<readonly Refund[]>;
  events(ids: readonly string[]): Promise<readonly PostbackEvent[]>;
  /** The PROVIDER_FEE entries of these payments. */
  providerFees(ids: readonly PaymentId[]): Promise<readonly Entry[]>;
}

export interface JournalReader {
  /** The entries before this time that were not returned yet. Each call has a later time. */
  until(at: Date): Promise<readonly Entry[]>;
}

/** A deployed provider in one of its roles, with its statement. */
export type StatementSource = Pick<Compared, 'provider' | 'role'> & {
  /** Whether any of its methods tells the fee of a payment. */
  readonly tellsFees: boolean;
  statement(period: Period): Promise<readonly StatementLine[]>;
};

export type ReconcilePorts = {
  readonly now: () => Date;
  readonly wait: (ms: number) => Promise<void>;
  /** The time that is left for this run, in milliseconds. */
  readonly remainingMs: () => number;
  readonly timeZone: string;
  readonly log: Log;
  readonly alarm: (name: AlarmName, about: { readonly day: string }) => void;
  readonly books: Books;
  readonly journal: Pick<Journal, 'about'>;
  readonly chargebacks: Pick<Chargebacks, 'ofPayment'>;
  readonly unknownPayments: Pick<UnknownPayments, 'find'>;
  readonly shops: Pick<Shops, 'find'>;
  readonly merchants: Pick<Merchants, 'find'>;
  readonly reconciliations: Reconciliations;
  readonly sources: readonly StatementSource[];
  readonly acquirers: Pick<Acquirers, 'named'>;
  readonly rails: Pick<Rails, 'named'>;
};
