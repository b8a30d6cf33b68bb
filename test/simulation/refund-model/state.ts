import type { Bearer, Chargeback, ChargebackDirection } from '../../../lib/ledger/chargeback.ts';
import type { Call } from '../../../lib/payment/call.ts';
import type { Payment, RefundTotals } from '../../../lib/payment/payment.ts';
import type { Refund } from '../../../lib/refund/refund.ts';
import { aPayment } from '../../support/builders.ts';

/** How the acquirer treats refunds, and what else happens to the payment. */
export type Manners = {
  /** What the acquirer may do with a new refund. `refused`: that call alone; nothing is stored under its key. */
  readonly answers: readonly ('succeeded' | 'pending' | 'rejected' | 'refused' | 'empty')[];
  /** A request may arrive after its caller has stopped waiting, and the acquirer may be too busy for a call. */
  readonly isSlow: boolean;
  /** A new refund cannot be found at first. */
  readonly listLags: boolean;
  /** Time passes: the key of a call expires, absence decides, the days for an empty account are over. */
  readonly ages: boolean;
  /** Somebody else takes one unit of the captured money back, and may return it; a notification tells of it. */
  readonly takesBack: boolean;
};

/** A guard that is removed: the search must find what it prevents. */
export type Mutant =
  | 'reserve_unconditional'
  | 'reserve_beside_chargeback'
  | 'reserve_beyond_balance'
  | 'enter_beside_refund'
  | 'unconfirmed_surplus_counts'
  | 'compare_open_refund'
  | 'compare_view_first'
  | 'fail_beside_new_call'
  | 'fail_on_refusal_despite_unanswered'
  | 'end_twice'
  | 'pending_succeeds'
  | 'raise_unanswered'
  | 'send_after_22_hours'
  | 'absence_after_22_hours';

export const receivedMinor = 3n;
const feeMinor = 1n;
/** The only payment, with one unit of fee. */
export const payment: Payment = aPayment({
  status: 'SUCCESS',
  phase: 'DONE',
  amount: { minor: receivedMinor, currency: 'RUB' },
  receivedMinor,
  feeMinor,
  fee: { bps: 0, fixedMinor: feeMinor, minimumMinor: 0n },
});

// ---- what all share

/** The payment and the balance in our table, and the captured order at the acquirer. */
export type Books = {
  /** The payment's. */
  readonly totals: RefundTotals | undefined;
  readonly chargebacks: readonly Chargeback[];
  readonly available: bigint;
  readonly locked: bigint;
  /** What the merchant paid for confirmed losses. */
  readonly borne: bigint;
  /** At the acquirer: the refunds that succeeded and those under way, and what others took back. */
  readonly refundedThere: bigint;
  readonly pendingThere: bigint;
  readonly takenBack: bigint;
  readonly wasTakenBack: boolean;
  /** What was done that must never happen. */
  readonly fault: string | undefined;
};

const totalsText = (totals: RefundTotals | undefined): string =>
  totals ? `${totals.reservedMinor},${totals.grossMinor},${totals.feeMinor},${totals.refundedMinor}` : '';
/** Whether a condition of a write on these totals is met. */
export const isSameTotals = (one: RefundTotals | undefined, other: RefundTotals | undefined): boolean =>
  totalsText(one) === totalsText(other);

const chargebackText = ({ direction, amount, seen, status, decision }: Chargeback): string =>
  `${direction}${amount.minor}${seen ? 'seen' : ''}${status}${decision?.bearer ?? ''}`;
const chargebacksText = (chargebacks: readonly Chargeback[]): string =>
  chargebacks.map(chargebackText).join(',');

export const booksText = (books: Books): string =>
  [
    totalsText(books.totals),
    chargebacksText(books.chargebacks),
    books.available,
    books.locked,
    books.borne,
    books.refundedThere,
    books.pendingThere,
    books.takenBack,
    books.wasTakenBack,
    books.fault,
  ].join('|');

// ---- lanes

/**
 * The age of a key since the first call under it. `unsent`: from 22 hours on. `expired`: from 24 hours on, when the acquirer no longer
 * knows it. `listed`: from 26 hours on, when every refund can be found.
 */
export type Age = 'live' | 'unsent' | 'expired' | 'listed';

export type StoredCall = Pick<Call, 'attempt' | 'unanswered' | 'answer'>;
/** A refund as it is stored, and as a worker has read it. */
export type Stored = { readonly status: Refund['status']; readonly call: StoredCall | undefined };
type Costed = Pick<Refund, 'amount' | 'debit' | 'feeReturnedMinor'>;

/** The state of a refund at the acquirer. */
export type There = 'pending' | 'succeeded' | 'rejected' | 'empty';

/** What a worker knows and does next. It may stop or crash before each. */
export type Worker =
  | { readonly kind: 'idle' }
  /** Has read the refund, and takes its next step. `looks`: a notification's, which sends nothing. */
  | { readonly kind: 'acting'; readonly seen: Stored; readonly looks: boolean }
  /** Has recorded a call, and makes it. `isInTime`: it was recorded within 22 hours. */
  | { readonly kind: 'calling'; readonly seen: Stored; readonly isInTime: boolean }
  /** Has an answer, and stores it. `isOwn`: to its call, not read from the refund there. */
  | { readonly kind: 'answered'; readonly seen: Stored; readonly view: There; readonly isOwn: boolean }
  | { readonly kind: 'busy'; readonly seen: Stored }
  /** Its repeated call was refused, and the acquirer has no refund. */
  | { readonly kind: 'refused'; readonly seen: Stored }
  /** Knows that nothing was refunded. */
  | { readonly kind: 'failing'; readonly seen: Stored };

/** What a request has read, and would write. */
export type Request =
  | { readonly kind: 'none' }
  | { readonly kind: 'reading'; readonly known: readonly Chargeback[] }
  | {
      readonly kind: 'creating';
      readonly known: number;
      readonly totals: RefundTotals | undefined;
      readonly cost: Costed;
    };

export type RefundLane = {
  readonly kind: 'refund';
  readonly asks: bigint | 'full';
  readonly request: Request;
  readonly cost: Costed | undefined;
  readonly stored: Stored | undefined;
  readonly age: Age;
  /** Whether the three days are over for which an empty account is waited for. */
  readonly isOverdue: boolean;
  readonly there: Readonly<Partial<Record<number, { readonly state: There; readonly isListed: boolean }>>>;
  /** The attempt of a request that is still on its way, though its caller has stopped waiting. */
  readonly travels: { readonly attempt: number; readonly isInTime: boolean } | undefined;
  readonly workers: readonly Worker[];
};

/** A person who enters a chargeback from a letter. */
export type LetterLane = {
  readonly kind: 'letter';
  readonly direction: ChargebackDirection;
  readonly minor: bigint;
  readonly step:
    | { readonly kind: 'none' | 'done' }
    | { readonly kind: 'reading'; readonly totals: RefundTotals | undefined }
    | { readonly kind: 'creating'; readonly totals: RefundTotals | undefined; readonly item: Chargeback };
};

/** A notification, after which the acquirer's view is compared with ours. */
export type ComparisonLane = {
  readonly kind: 'comparison';
  readonly step:
    | { readonly kind: 'none' }
    | { readonly kind: 'reading'; readonly totals: RefundTotals | undefined }
    | {
        readonly kind: 'looking';
        readonly totals: RefundTotals | undefined;
        readonly known: readonly Chargeback[];
      }
    | {
        readonly kind: 'comparing';
        readonly totals: RefundTotals | undefined;
        readonly known: readonly Chargeback[];
        readonly heldMinor: bigint;
      }
    | { readonly kind: 'early'; readonly heldMinor: bigint };
};

/** Two people who decide the open items. */
export type DecisionLane = { readonly kind: 'decision'; readonly bearer: Bearer };

export type Lane = RefundLane | LetterLane | ComparisonLane | DecisionLane;

export const idle: Worker = { kind: 'idle' };
const workerTexts = new WeakMap<Worker, string>();

/** Equal workers have the same text. */
export function workerText(worker: Worker): string {
  const known = workerTexts.get(worker);
  if (known !== undefined) return known;
  const written = JSON.stringify(worker);
  workerTexts.set(worker, written);
  return written;
}

/** The workers of one refund are interchangeable, so they are sorted. */
export const inOrder = (workers: readonly Worker[]): readonly Worker[] =>
  workers.length < 2 ? workers : workers.toSorted((a, b) => (workerText(a) < workerText(b) ? -1 : 1));

const stepText = (step: LetterLane['step'] | ComparisonLane['step']): string =>
  [
    step.kind,
    'totals' in step ? totalsText(step.totals) : '',
    'known' in step ? chargebacksText(step.known) : '',
    'item' in step ? step.item.number : '',
    'heldMinor' in step ? step.heldMinor : '',
  ].join(';');

const costText = (cost: Costed | undefined): string =>
  cost ? `${cost.amount.minor},${cost.debit.minor},${cost.feeReturnedMinor}` : '';

function requestText(request: Request): string {
  switch (request.kind) {
    case 'none':
      return '';
    case 'reading':
      return `reading ${chargebacksText(request.known)}`;
    case 'creating':
      return `creating ${request.known};${totalsText(request.totals)};${costText(request.cost)}`;
  }
}

const thereText = (refund: RefundLane['there'][number]): string =>
  refund ? `${refund.state}${refund.isListed}` : '';

/** Equal lanes have the same text. */
export function laneText(lane: Lane): string {
  switch (lane.kind) {
    case 'decision':
      return lane.bearer;
    case 'letter':
      return [lane.kind, lane.direction, lane.minor, stepText(lane.step)].join('|');
    case 'comparison':
      return `comparison|${stepText(lane.step)}`;
    case 'refund': {
      const call = lane.stored?.call;
      return [
        lane.asks,
        requestText(lane.request),
        costText(lane.cost),
        lane.stored?.status,
        call?.attempt,
        call?.unanswered,
        call?.answer,
        lane.age,
        lane.isOverdue,
        thereText(lane.there[1]),
        thereText(lane.there[2]),
        lane.travels?.attempt,
        lane.travels?.isInTime,
        ...lane.workers.map(workerText),
      ].join('|');
    }
  }
}

export const newRefund = (asks: bigint | 'full', workers: number): RefundLane => ({
  kind: 'refund',
  asks,
  request: { kind: 'none' },
  cost: undefined,
  stored: undefined,
  age: 'live',
  isOverdue: false,
  there: {},
  travels: undefined,
  workers: Array.from({ length: workers }, () => idle),
});
