import type { Result } from '../result.ts';
import type { DayAccount } from './accounts.ts';
import type { Totals } from './compare.ts';
import type { Day } from './day.ts';

/** The differences between a provider's statement and the journal, and between the journal and the postbacks. */
export const differenceKinds = [
  /** The provider has a movement that the journal does not have. */
  'missing_here',
  /** The journal has a movement that the provider does not have. */
  'missing_there',
  'amount',
  /** The provider's fee, or its booking. */
  'fee',
  /** Both know it, in states that contradict each other. */
  'state',
  'currency',
  /** A final state that a merchant is owed a postback about has none. */
  'postback_missing',
  'postback_not_delivered',
] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

export const differenceSubjects = ['payment', 'refund', 'payout', 'postback'] as const;

/** More about a difference, where its kind does not say enough. */
export const differenceReasons = [
  /** No payment or payout has the id that the provider names. */
  'unknown_id',
  /** The payment or payout belongs to another order or transfer of the provider. */
  'another_reference',
  /** Money went back, or came, at the provider without a call of ours, and no chargeback item tells of it. */
  'not_asked_for',
  /** The provider has no such order or transfer, or none was ever named. */
  'no_order',
  /** The provider reports it when it is asked for it, and its statement of the day leaves it out. */
  'not_stated',
] as const;
export type DifferenceReason = (typeof differenceReasons)[number];

/** One side of a difference, as far as it is known. */
export type Side = {
  readonly state: string | undefined;
  /** Minor units of `currency`. */
  readonly amountMinor: bigint | undefined;
  readonly currency: string | undefined;
  readonly at: Date | undefined;
};

export type Difference = {
  readonly kind: DifferenceKind;
  readonly about: (typeof differenceSubjects)[number];
  readonly why: DifferenceReason | undefined;
  /** Undefined for postbacks. */
  readonly provider: string | undefined;
  /** Our payment or payout. */
  readonly subject: string | undefined;
  /** The provider's id of the order, refund or transfer; of a postback, the event's id. */
  readonly reference: string | undefined;
  readonly there: Side | undefined;
  readonly here: Side | undefined;
  /** Who decided the state here by hand; the later of two people. */
  readonly decidedBy: string | undefined;
};

export const providerRoles = ['acquirer', 'rail'] as const;

/** One statement that was compared, or why it could not be read whole. */
export type Compared = {
  readonly provider: string;
  readonly role: (typeof providerRoles)[number];
  /**
   * `statement_failed`: no answer or an error; `not_deployed`: the day has movements of a provider that the record no longer
   * has; `too_many`: more than can be looked up one by one; `out_of_time`. Undefined: compared whole.
   */
  readonly incomplete: Incomplete | undefined;
};
export const incompleteReasons = ['statement_failed', 'not_deployed', 'too_many', 'out_of_time'] as const;
export type Incomplete = (typeof incompleteReasons)[number];

/** The reconciliation of a day. */
export type Reconciliation = {
  readonly day: Day;
  /** Whether the day was over when the run started. Otherwise `day.to` is that time, and the result says how it is so far. */
  readonly isOver: boolean;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly compared: readonly Compared[];
  readonly totals: readonly Totals[];
  /** By provider and currency; undefined in results of earlier versions. */
  readonly accounts: readonly DayAccount[] | undefined;
  readonly counts: Counts;
  /** At most `mostDifferences`. */
  readonly differences: readonly Difference[];
  /** How many more there are. */
  readonly moreDifferences: number;
};

export type Counts = {
  /** Lines and movements that agree. */
  readonly matched: number;
  /** Those whose other side is on another day, further than 15 minutes from midnight. */
  readonly onAnotherDay: number;
  /** Explained by chargeback items, refunds of failed payments in the cabinet, returned payouts or closed unknown payments. */
  readonly explained: number;
  /** Lines about orders and transfers of other systems. */
  readonly foreign: number;
  /** Payments whose fee the provider told, and whose booking is still due. */
  readonly feesDue: number;
  /** Postbacks that were delivered or superseded. */
  readonly postbacks: number;
};

/** The most differences that are stored for a day; the others are counted. */
export const mostDifferences = 1_000;

export const isIncomplete = ({ compared }: Pick<Reconciliation, 'compared'>): boolean =>
  compared.some(({ incomplete }) => incomplete !== undefined);

type Verdict = 'agrees' | 'differs' | 'incomplete';

/** A day that was not compared whole is never one that agrees, whatever was found. */
export function verdictOf(result: Reconciliation | Summary): Verdict {
  if (isIncomplete(result) || !result.isOver) return 'incomplete';
  return countOf(result) > 0 ? 'differs' : 'agrees';
}

/** Returns how many differences the day has, stored or not. */
export const countOf = (result: Reconciliation | Summary): number =>
  ('differences' in result ? result.differences.length : result.differenceCount) + result.moreDifferences;

/** A day's result without its differences. */
export type Summary = Omit<Reconciliation, 'differences'> & { readonly differenceCount: number };

export interface Reconciliations {
  find(date: string): Promise<Reconciliation | undefined>;
  /** The results of these dates, without the differences. */
  list(dates: readonly string[]): Promise<readonly Summary[]>;
  /** Replaces the result of the day in one transaction; refused when a run that started later has stored its own. */
  store(reconciliation: Reconciliation): Promise<Result<void, 'newer_result'>>;
}
