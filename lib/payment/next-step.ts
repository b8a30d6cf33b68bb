import { paymentUnderWay } from '../bill/bill.ts';
import type { AcquirerView, MethodTerms } from './acquirer.ts';
import { type Call, hoursSince, isRefused, isSendable, listDecidesHours } from './call.ts';
import { isFinalPayment, type Payment } from './payment.ts';

/** The next step of a payment (lib/payment/README.md). */
export type NextStep =
  | 'nothing'
  /** Its reference is unknown: call `start` again, under the same key. */
  | 'start'
  /** Its reference is unknown and its key has expired: search the acquirer's list. */
  | 'find'
  /** Fence the bill, then capture. */
  | 'fence'
  | 'capture'
  /** Record that the order is to be voided, then cancel it. */
  | 'void'
  | 'cancel'
  /** Settle; record a duplicate capture when another payment finished the bill. */
  | 'settle'
  /** Fail; a refunded payment posts its REFUND entry. */
  | 'fail'
  /** Refund; a payment that was captured while it was voided is posted first. */
  | 'refund'
  /** Late money: the acquirer authorised or captured a payment that had failed. */
  | 'reopen';

/**
 * What is known of the order. `unknown`: no answer has named its reference. `absent`: not in the acquirer's list although its
 * key has expired. `refunded`: captured, and all of it went back.
 */
export type SeenState = AcquirerView['state'] | 'unknown' | 'absent' | 'refunded';
export type OrderView = AcquirerView | { readonly state: 'unknown' | 'absent' };

export const seenState = (view: OrderView): SeenState =>
  view.state === 'captured' && view.refundedMinor >= view.amountMinor ? 'refunded' : view.state;

/** Of an order whose reference is known, or that the list does not have. */
type Decided = Exclude<SeenState, 'unknown'>;

type Situation = {
  readonly payment: Pick<Payment, 'id' | 'status' | 'phase' | 'payableUntil'> & {
    readonly startCall: Pick<Call, 'answer' | 'unanswered' | 'firstAt'>;
  };
  readonly terms: Pick<MethodTerms, 'endsOpenOrders'>;
  readonly bill: Parameters<typeof paymentUnderWay>[0] & { readonly paidBy?: unknown };
  readonly view: SeenState;
  readonly now: Date;
};

/** Whether the payment holds its NORMAL bill. True for every payment of a MULTI bill. */
export const holdsBill = ({
  payment,
  bill,
}: {
  readonly payment: Pick<Payment, 'id'>;
  readonly bill: Situation['bill'];
}): boolean => bill.type === 'MULTI' || paymentUnderWay(bill) === payment.id;

/**
 * Whether no card failed: the payer cancelled, the order was ended while nobody had paid, or there never was a page. This does
 * not count as a failure of the bill, or ten of them would disable a link permanently.
 */
export const isGivenUp = ({ phase }: Pick<Payment, 'phase'>, view: SeenState): boolean =>
  ['cancelled', 'unknown', 'absent'].includes(view) ||
  (view === 'voided' && (phase === 'AUTHORIZING' || phase === 'VOIDING'));

/** Returns the step that the acquirer's view allows in this state. Pure; the store's conditions check it again. */
export function nextStep({ view, ...situation }: Situation): NextStep {
  return view === 'unknown' ? withoutReference(situation) : byView({ ...situation, view });
}

type Seen = Omit<Situation, 'view'> & { readonly view: Decided };

function byView(situation: Seen): NextStep {
  const { payment, view } = situation;
  switch (payment.phase) {
    case 'AUTHORIZING':
      return whileAuthorizing(situation);
    case 'CAPTURING':
      return by(view, { authorised: 'capture', captured: 'settle', not_captured: 'fail' });
    case 'VOIDING':
      return whileVoiding(situation);
    case 'REFUNDING':
      return by(view, { captured: 'refund', not_captured: 'fail' });
    case 'DONE':
      return payment.status === 'FAIL' ? by(view, { authorised: 'reopen', captured: 'reopen' }) : 'nothing';
  }
}

/**
 * The same call again while its key lives. After that the list decides, and in between nothing: an order may still appear there.
 * A refusal with no call unanswered means that there is no order.
 */
function withoutReference({ payment: { phase, startCall }, now }: Omit<Situation, 'view'>): NextStep {
  if (phase === 'DONE') return 'nothing';
  const mayFail = phase === 'AUTHORIZING' || phase === 'VOIDING';
  if (isRefused(startCall)) return mayFail ? 'fail' : 'nothing';
  if (isSendable(startCall, now)) return 'start';
  return hoursSince(startCall.firstAt, now) >= listDecidesHours ? 'find' : 'nothing';
}

function whileAuthorizing(situation: Seen): NextStep {
  const { view, terms } = situation;
  const open = isHopeless(situation) && terms.endsOpenOrders ? 'void' : 'nothing';
  const authorised = holdsBill(situation) ? 'fence' : 'void';
  return by(view, { authorised, captured: 'settle', not_captured: 'fail', absent: 'fail', open });
}

/** Captured after all: it settles if its payer gave up late and the bill is still this payment's. */
function whileVoiding(situation: Seen): NextStep {
  const { payment, view, terms, bill } = situation;
  const isOwn = !isFinalPayment(payment) && holdsBill(situation) && bill.paidBy === undefined;
  return by(view, {
    authorised: 'cancel',
    captured: isOwn ? 'settle' : 'refund',
    not_captured: 'fail',
    absent: 'fail',
    open: terms.endsOpenOrders ? 'cancel' : 'nothing',
  });
}

/** Whether the payment was taken over, or the time of its page is over. */
const isHopeless = ({ payment, bill, now }: Seen): boolean =>
  !holdsBill({ payment, bill }) || now.getTime() >= payment.payableUntil.getTime();

type Kind = 'open' | 'authorised' | 'captured' | 'not_captured' | 'absent';

const kinds = {
  pending: 'open',
  authorised: 'authorised',
  captured: 'captured',
  declined: 'not_captured',
  cancelled: 'not_captured',
  voided: 'not_captured',
  refunded: 'not_captured',
  absent: 'absent',
} as const satisfies Readonly<Record<Decided, Kind>>;

const by = (view: Decided, steps: Partial<Record<Kind, NextStep>>): NextStep =>
  steps[kinds[view]] ?? 'nothing';
