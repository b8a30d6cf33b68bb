/** How an acquirer treats one payment's order, and what else happens to that payment. */
export type Manners = {
  /** Two steps: paying authorises. Otherwise paying captures. */
  readonly holds: boolean;
  /** Whether `cancel` ends an order that nobody has paid. Otherwise the acquirer ends it by itself. */
  readonly endsOpenOrders: boolean;
  /** Otherwise a declined or cancelled order may be authorised or captured afterwards. */
  readonly failureIsFinal: boolean;
  /**
   * Calls of `start` and their answers may be lost or delayed, so that the reference is learned late: from the same call again, the
   * list or a notification. The payment ages: its page closes, its key expires, the list decides.
   */
  readonly losesStarts: boolean;
  /** A new order is missing from the list at first. */
  readonly listLags: boolean;
  /** `start` may be refused, or not carried out because the acquirer is busy. */
  readonly refusesStarts: boolean;
  /** Notifications come, any number of times, at any time; otherwise they are lost. */
  readonly notifies: boolean;
  /** Less than the charge may be authorised. */
  readonly authorisesLess: boolean;
  /** Captured money may be returned at the acquirer by somebody else. */
  readonly undoes: boolean;
  /** Refunds may be pending, rejected or impossible for now; their calls may be lost, and their keys expire. */
  readonly delaysRefunds: boolean;
  /** The acquirer may be missing from the environment's record for a while. */
  readonly leaves: boolean;
  /** People may fail the payment by hand while it is open, unless the acquirer has captured it. */
  readonly isFailedByHand: boolean;
};

const kind: Manners = {
  holds: true,
  endsOpenOrders: true,
  failureIsFinal: true,
  losesStarts: false,
  listLags: false,
  refusesStarts: false,
  notifies: false,
  authorisesLess: false,
  undoes: false,
  delaysRefunds: false,
  leaves: false,
  isFailedByHand: false,
};

export const manners = (given: Partial<Manners>): Manners => ({ ...kind, ...given });

/** A guard that is removed: the search must find what it prevents. */
export type Mutant =
  | 'no_fence_condition'
  | 'capture_before_fence'
  | 'takeover_fenced'
  | 'takeover_without_lock'
  | 'switch_fenced'
  | 'switch_without_lock'
  | 'settle_unconditional'
  | 'release_unchecked'
  | 'cancel_counts'
  | 'fail_on_timeout'
  | 'void_unendable'
  | 'cancel_before_voiding'
  | 'capture_charge'
  | 'start_after_22_hours'
  | 'absence_after_24_hours'
  | 'refusal_despite_unanswered'
  | 'ask_another_acquirer'
  | 'no_late_query'
  | 'late_query_unasked'
  | 'raise_unanswered_refund'
  | 'refund_after_22_hours';
