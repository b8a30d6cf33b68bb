import type { NormalBill } from '../../../lib/bill/bill.ts';
import type { BillStep } from '../../../lib/bill/bill-steps.ts';
import { type Call, isRefused, nextCall } from '../../../lib/payment/call.ts';
import { nextRefund } from '../../../lib/payment/duplicate-capture.ts';
import {
  holdsBill,
  isGivenUp,
  nextStep,
  type NextStep,
  type SeenState,
} from '../../../lib/payment/next-step.ts';
import { isPaid, type PaymentPhase, phaseMoves, statusOfReceipt } from '../../../lib/payment/payment.ts';
import { cancelledAt, capturedAt, refundedAt, startedAt, viewOf } from './acquirer.ts';
import { paymentName, type StepsOfPayment, taken } from './bill.ts';
import {
  type Age,
  changed,
  type Changes,
  type Handler,
  idle,
  inOrder,
  type Lane,
  type Moment,
  type Paid,
  type RefundCall,
  type Seen,
} from './lane.ts';
import type { Manners, Mutant } from './manners.ts';

/*
 * One handler of a payment: the product's resolvePayment, split wherever others may interleave. Its decisions are the product's;
 * the control flow between them is modelled here again.
 */

export type HandlerMove = { readonly name: string; readonly bill: NormalBill; readonly lane: Lane };

/** The payment and its rules. */
export type Rules = {
  /** Which payment it is. */
  readonly at: number;
  readonly steps: StepsOfPayment;
  readonly manners: Manners;
  readonly mutant: Mutant | undefined;
};

type Situation = Rules & {
  readonly bill: NormalBill;
  readonly lane: Lane;
  readonly paid: Paid;
  /** The number of the handler. */
  readonly place: number;
};

const hour = 3600_000;
const started = new Date(0);
const payableUntil = new Date(hour);
/** A time within each. */
const clock: Readonly<Record<Moment, Date>> = {
  open: new Date(hour / 2),
  closed: new Date(2 * hour),
  unsent: new Date(23 * hour),
  expired: new Date(25 * hour),
  listed: new Date(27 * hour),
};
/** Of a step that is chosen at both, the earlier is kept. */
const momentsIn = (age: Age): readonly Moment[] => (age === 'live' ? ['closed', 'open'] : [age]);
/** More calls of `start` are begun only after one of these was answered. */
const mostUnanswered = 2;

const otherPayment = paymentName(9);

/** The next moves of one handler. */
export function handled(situation: Situation): readonly HandlerMove[] {
  const { lane, place, manners, paid } = situation;
  const handler = lane.handlers[place] ?? idle;
  if (handler.kind === 'idle') return begins(situation);
  const crash = go(situation, 'crash', idle);
  switch (handler.kind) {
    case 'reading':
      return [crash, ...decides(situation, handler.seen, viewOf(lane))];
    case 'knowing':
      return isPaid(paid) ? [crash] : [crash, ...decides(situation, seenIn(situation), handler.view)];
    case 'acting':
      return [crash, ...acts(situation, handler)];
    case 'starting':
      return [crash, ...callsStart(situation)];
    case 'refunding':
      return [
        crash,
        ...refundedAt(lane, handler.attempt, manners).map(({ lane: after, refund }) =>
          go(situation, 'refund', { kind: 'refund', attempt: handler.attempt, refund }, { lane: after }),
        ),
      ];
    case 'opened': {
      const next: Handler = { kind: 'knowing', view: handler.view };
      return [crash, go(situation, 'store reference', next, { changes: { hasReference: true } })];
    }
    case 'refused':
      return [
        crash,
        go(situation, 'store refusal', idle, { changes: answered(lane, handler.wasCarriedOut) }),
      ];
    case 'refund':
      return [crash, storesRefund(situation, handler)];
    case 'queried':
      return [
        crash,
        go(situation, 'late query made', idle, { changes: lateQueried(lane, handler.lateQuery) }),
      ];
  }
}

type After = { readonly lane?: Lane; readonly bill?: NormalBill; readonly changes?: Changes };

function go(situation: Situation, name: string, next: Handler, after: After = {}): HandlerMove {
  const { at, place } = situation;
  const { lane = situation.lane, bill = situation.bill, changes = {} } = after;
  const handlers = lane.handlers.map((each, other) => (other === place ? next : each));
  return { name: `${name} ${at}`, bill, lane: changed(lane, { ...changes, handlers: inOrder(handlers) }) };
}

/**
 * People fail an open payment by hand, which releases its bill; the order is voided after. The acquirer, which is asked first, has not
 * captured it.
 */
export function failsByHand({
  bill,
  lane,
  paid,
  at,
  steps,
}: Omit<Situation, 'place'>): readonly HandlerMove[] {
  const isOpen = paid.phase === 'AUTHORIZING' || paid.phase === 'CAPTURING';
  if (!isOpen || viewOf(lane) === 'captured') return [];
  const isHolder = holdsBill({ payment: { id: paymentName(at) }, bill });
  const after = isHolder ? taken(bill, steps.release) : bill;
  const failed = moved(paid, { status: 'FAIL', phase: 'VOIDING' });
  return after
    ? [{ name: `failed by hand ${at}`, bill: after, lane: changed(lane, { paid: failed, isByHand: true }) }]
    : [];
}

// ---- reading and deciding

/** A check, a visit or a notification begins. */
function begins(situation: Situation): readonly HandlerMove[] {
  const { lane, paid, manners, mutant } = situation;
  const { order, isDeployed, hasReference, lateQuery } = lane;
  if (isPaid(paid)) return [];
  const isDone = paid.phase === 'DONE';
  const moves: HandlerMove[] = [];
  // A notification names the order; another handler may have stored its reference before.
  if (manners.notifies && isDeployed && order && !hasReference)
    moves.push(go(situation, 'notified', { kind: 'opened', view: viewOf(lane) }));
  if (isDone && lateQuery === undefined && !manners.notifies) return moves;
  const seen = seenIn(situation);
  if (!isDeployed) {
    if (mutant === 'ask_another_acquirer') return decides(situation, seen, 'absent');
    if (mutant === 'late_query_unasked' && isDone && lateQuery !== undefined)
      moves.push(go(situation, 'not asked', { kind: 'queried', lateQuery }));
    return moves;
  }
  if (hasReference) return [...moves, go(situation, 'look', { kind: 'reading', seen })];
  return [...moves, ...(isDone ? [] : decides(situation, seen, 'unknown'))];
}

function seenIn({ bill, lane, paid, at }: Situation): Seen {
  const { phase } = paid;
  const { refundCall: call } = lane;
  const mayHold = phase !== 'REFUNDING' && phase !== 'DONE';
  return {
    paid,
    holds: mayHold && holdsBill({ payment: { id: paymentName(at) }, bill }),
    isBillPaid: phase === 'VOIDING' && bill.paidBy !== undefined,
    refundCall:
      call && phase === 'REFUNDING'
        ? { attempt: call.attempt, unanswered: call.unanswered, answer: call.answer }
        : undefined,
    lateQuery: phase === 'DONE' ? lane.lateQuery : undefined,
  };
}

function decides(situation: Situation, seen: Seen, view: SeenState): readonly HandlerMove[] {
  const steps = new Map(
    momentsIn(situation.lane.age).map((at) => [stepFor(situation, { seen, view, at }), at] as const),
  );
  return [...steps].map(([step, at]) => {
    if (step !== 'nothing') return go(situation, step, { kind: 'acting', step, seen, view, at });
    if (seen.lateQuery === undefined) return go(situation, step, idle);
    return go(situation, 'late', { kind: 'queried', lateQuery: seen.lateQuery });
  });
}

type Choice = { readonly seen: Seen; readonly view: SeenState; readonly at: Moment };

function stepFor(situation: Situation, { seen, view, at: moment }: Choice): NextStep {
  const { lane, manners, at, mutant } = situation;
  const { unanswered, answer } = lane.startCall;
  const isBelieved = mutant === 'refusal_despite_unanswered' && answer === 'refused';
  const payment = {
    ...seen.paid,
    id: paymentName(at),
    payableUntil,
    startCall: { unanswered: isBelieved ? 0 : unanswered, answer, firstAt: started },
  };
  const current = seen.holds ? payment.id : otherPayment;
  const paidBy = seen.isBillPaid ? otherPayment : undefined;
  const bill = { type: 'NORMAL', status: 'PROCESS', current, paidBy } as const;
  const endsOpenOrders = manners.endsOpenOrders || mutant === 'void_unendable';
  return nextStep({ payment, bill, terms: { endsOpenOrders }, view, now: clock[momentFor(moment, mutant)] });
}

function momentFor(at: Moment, mutant: Mutant | undefined): Moment {
  if (mutant === 'start_after_22_hours' && (at === 'unsent' || at === 'expired')) return 'closed';
  return mutant === 'absence_after_24_hours' && at === 'expired' ? 'listed' : at;
}

// ---- acting

type Acting = Extract<Handler, { kind: 'acting' }>;

function acts(situation: Situation, acting: Acting): readonly HandlerMove[] {
  const { lane, mutant, steps } = situation;
  const { step, seen, view } = acting;
  const knows: Handler = { kind: 'knowing', view };
  switch (step) {
    case 'nothing':
      return [];
    case 'start':
      return [beginsStart(situation, acting)];
    case 'find':
      return [
        lane.order?.isListed
          ? go(situation, 'found', { kind: 'opened', view: viewOf(lane) })
          : go(situation, 'not found', { kind: 'knowing', view: 'absent' }),
      ];
    case 'fence':
      if (mutant === 'capture_before_fence')
        return [answers(situation, acting, capturedAt(lane, 'authorised'))];
      return [
        writes(situation, acting, {
          to: { ...seen.paid, phase: 'CAPTURING' },
          next: knows,
          step: steps.fence,
        }),
      ];
    case 'capture':
      return [
        answers(situation, acting, capturedAt(lane, mutant === 'capture_charge' ? 'charge' : 'authorised')),
      ];
    case 'void':
      if (mutant === 'cancel_before_voiding') return cancels(situation, acting);
      return [voids(situation, acting)];
    case 'cancel':
      return cancels(situation, acting);
    case 'settle':
      return [settles(situation, acting)];
    case 'duplicate_capture':
      return [recordsDuplicate(situation, acting)];
    case 'refund':
      return seen.paid.phase === 'VOIDING'
        ? [go(situation, 'not ours', { ...acting, step: 'duplicate_capture' })]
        : refunds(situation, acting);
    case 'fail':
      return [fails(situation, acting)];
    case 'reopen':
      // Its money was posted before: an alarm asks a person.
      if (lane.duplicates > 0) return [go(situation, 'refund undone', idle)];
      if (view === 'captured') return [recordsDuplicate(situation, acting)];
      return [writes(situation, acting, { to: { ...seen.paid, phase: 'VOIDING' }, next: knows })];
  }
}

type Write = {
  readonly to: Paid;
  readonly next: Handler;
  /** The step of the bill in the same transaction. */
  readonly step?: BillStep;
  readonly changes?: Changes;
};

/** A write on condition that the payment is as it was read; a refused handler starts again. */
function writes(situation: Situation, { step: name, seen }: Acting, write: Write): HandlerMove {
  const { bill, paid, lane } = situation;
  const { to, next, step, changes = {} } = write;
  const after = step ? taken(bill, step) : bill;
  const isAsRead = paid.status === seen.paid.status && paid.phase === seen.paid.phase;
  if (!isAsRead || !after) return go(situation, `${name} refused`, idle);
  return go(situation, name, next, {
    bill: after,
    changes: { paid: moved(seen.paid, to), fault: lane.fault, ...changes },
  });
}

function moved({ phase }: Paid, to: Paid): Paid {
  const moves: readonly PaymentPhase[] = phaseMoves[phase];
  if (!moves.includes(to.phase)) throw new Error(`phaseMoves does not allow ${phase} to ${to.phase}`);
  return { status: to.status, phase: to.phase };
}

/** After a call: an answer without news ends the handler's work. */
function answers(situation: Situation, { step, view }: Acting, after: Lane): HandlerMove {
  const seen = viewOf(after);
  return go(situation, step, seen === view ? idle : { kind: 'knowing', view: seen }, { lane: after });
}

/** The call is recorded before it is made: the key and the number of unanswered calls. */
function beginsStart(situation: Situation, { seen, at }: Acting): HandlerMove {
  const { lane, paid } = situation;
  const { unanswered } = lane.startCall;
  const isPossible =
    paid.phase === seen.paid.phase && !isRefused(lane.startCall) && unanswered < mostUnanswered;
  if (!isPossible) return go(situation, 'start refused', idle);
  const startCall = { ...lane.startCall, unanswered: unanswered + 1 };
  const isInTime = at === 'open' || at === 'closed';
  return go(situation, 'start again', { kind: 'starting', isInTime }, { changes: { startCall } });
}

function callsStart(situation: Situation): readonly HandlerMove[] {
  const { lane, manners } = situation;
  const after = startedAt(lane, manners);
  const opened: Handler = { kind: 'opened', view: viewOf(after) };
  const isOpened = go(situation, 'opened', opened, { lane: after });
  if (!manners.refusesStarts) return [isOpened];
  return [
    isOpened,
    go(situation, 'start: refused', { kind: 'refused', wasCarriedOut: true }),
    go(situation, 'start: busy', { kind: 'refused', wasCarriedOut: false }),
  ];
}

/** A refusal, or a call that was not carried out, is no longer unanswered. */
function answered({ startCall: { unanswered, answer } }: Lane, wasCarriedOut: boolean): Changes {
  if (unanswered === 0) return {};
  return {
    startCall: { unanswered: unanswered - 1, answer: wasCarriedOut ? 'refused' : answer },
  };
}

function voids(situation: Situation, acting: Acting): HandlerMove {
  const { bill, at, manners } = situation;
  const { seen, view } = acting;
  const isOwn = bill.current === paymentName(at);
  const isOver = acting.at !== 'open' && manners.endsOpenOrders;
  const isWrong = seen.paid.status === 'PROCESS' && isOwn && !isOver;
  return writes(situation, acting, {
    to: { ...seen.paid, phase: 'VOIDING' },
    next: { kind: 'knowing', view },
    ...(isWrong && { changes: { fault: 'voided a payment that holds the bill' } }),
  });
}

function cancels(situation: Situation, acting: Acting): readonly HandlerMove[] {
  const { lane, paid, steps, mutant } = situation;
  if (mutant === 'fail_on_timeout')
    return [
      writes(situation, acting, { to: { status: 'FAIL', phase: 'DONE' }, next: idle, step: steps.release }),
    ];
  const isWritten = paid.phase !== 'AUTHORIZING' && paid.phase !== 'CAPTURING';
  const fault = isWritten ? lane.fault : 'cancelled before VOIDING was written';
  return cancelledAt(lane, situation.manners).map((after) =>
    answers(situation, acting, changed(after, { fault })),
  );
}

/** The settlement; if another payment paid the bill, the duplicate capture is recorded next. */
function settles(situation: Situation, acting: Acting): HandlerMove {
  const { bill, lane, paid, steps, mutant } = situation;
  const { seen } = acting;
  const isAsRead = paid.status === seen.paid.status && paid.phase === seen.paid.phase;
  if (!isAsRead && mutant !== 'settle_unconditional')
    return go(situation, 'settle refused', { kind: 'knowing', view: acting.view });
  const status = statusOfReceipt(lane.order?.isLess ? 1n : 2n, 2n);
  const after = taken(bill, status === 'UNDERPAID' ? steps.finishWithLess : steps.finish);
  if (!after) return go(situation, 'paid by another', { ...acting, step: 'duplicate_capture' });
  const changes = { paid: { status, phase: 'DONE' }, credits: lane.credits + 1 } as const;
  return go(situation, 'settle', idle, { bill: after, changes });
}

/** A duplicate capture or late money: the journal entry must not exist. The call of the refund is recorded with it. */
function recordsDuplicate(situation: Situation, acting: Acting): HandlerMove {
  const { lane } = situation;
  if (lane.duplicates > 0) return go(situation, 'duplicate refused', idle);
  const { attempt, unanswered, answer } = nextCall(undefined, { now: started });
  return writes(situation, acting, {
    to: { ...acting.seen.paid, phase: 'REFUNDING' },
    next: { kind: 'refunding', attempt, isInTime: true },
    changes: { duplicates: 1, refundCall: { attempt, unanswered, answer, age: 'live' } },
  });
}

function fails(situation: Situation, acting: Acting): HandlerMove {
  const { lane, manners, mutant, steps } = situation;
  const { seen, view } = acting;
  const release = isGivenUp(seen.paid, view) ? steps.releaseGivenUp : steps.release;
  const releases = seen.holds || mutant === 'release_unchecked';
  const isBillsHolder = releases && (mutant !== 'release_unchecked' || taken(situation.bill, release));
  const isQueriedLate =
    !manners.failureIsFinal &&
    lane.hasReference &&
    seen.paid.phase !== 'REFUNDING' &&
    view !== 'refunded' &&
    mutant !== 'no_late_query';
  return writes(situation, acting, {
    to: { status: 'FAIL', phase: 'DONE' },
    next: idle,
    ...(isBillsHolder && { step: release }),
    changes: isQueriedLate ? { lateQuery: 'day' } : {},
  });
}

function lateQueried({ paid, lateQuery }: Lane, made: 'day' | 'week'): Changes {
  if (paid?.phase !== 'DONE' || lateQuery !== made) return {};
  return { lateQuery: made === 'day' ? 'week' : undefined };
}

// ---- refunds

const callOf = ({ attempt, unanswered, answer }: Omit<RefundCall, 'age'>): Call => ({
  attempt,
  unanswered,
  answer,
  outcome: undefined,
  amountMinor: undefined,
  firstAt: started,
  lastAt: started,
});

function refunds(situation: Situation, acting: Acting): readonly HandlerMove[] {
  const { lane, mutant } = situation;
  const { refundCall } = acting.seen;
  const age = (mutant !== 'refund_after_22_hours' && lane.refundCall?.age) || 'live';
  const next = nextRefund(refundCall && callOf(refundCall), clock[age === 'live' ? 'closed' : age]);
  switch (next) {
    case 'wait':
    case 'alarm':
      return [go(situation, next, idle)];
    case 'look': {
      const { attempt = 1 } = refundCall ?? {};
      const refund = lane.refunds[attempt];
      return [go(situation, next, refund ? { kind: 'refund', attempt, refund } : idle)];
    }
    case 'send':
      return [beginsRefund(situation, acting)];
  }
}

function beginsRefund(situation: Situation, { seen }: Acting): HandlerMove {
  const { lane, paid, mutant } = situation;
  const before = lane.refundCall;
  const raises = mutant === 'raise_unanswered_refund' && before?.attempt === 1;
  if (raises) return sendsRefund(situation, { attempt: 2, unanswered: 1, answer: undefined, age: 'live' });
  const call = nextCall(seen.refundCall && callOf(seen.refundCall), { now: started });
  const isSameKey = call.attempt === seen.refundCall?.attempt;
  const isPossible =
    paid.phase === 'REFUNDING' &&
    before?.attempt === seen.refundCall?.attempt &&
    (before === undefined || isRefused(before) !== isSameKey);
  if (!isPossible) return go(situation, 'refund refused', idle);
  const { attempt } = call;
  if (!before || !isSameKey)
    return sendsRefund(situation, { attempt, unanswered: 1, answer: undefined, age: 'live' });
  // An answer to a refund answers every call under its key, so more than one need not be told apart.
  return sendsRefund(situation, { ...before, unanswered: 1 });
}

const sendsRefund = (situation: Situation, refundCall: RefundCall): HandlerMove =>
  go(
    situation,
    `send refund ${refundCall.attempt}`,
    { kind: 'refunding', attempt: refundCall.attempt, isInTime: refundCall.age === 'live' },
    { changes: { refundCall } },
  );

/** Stores an answer that leaves the refund open: it answers every call under its key. */
function storesRefund(
  situation: Situation,
  { attempt, refund }: Extract<Handler, { kind: 'refund' }>,
): HandlerMove {
  const { refundCall } = situation.lane;
  if (refund === 'succeeded') return go(situation, 'refunded', { kind: 'knowing', view: 'refunded' });
  if (refundCall?.attempt !== attempt) return go(situation, 'refund is of another attempt', idle);
  return go(situation, `refund ${refund}`, idle, {
    changes: { refundCall: { ...refundCall, unanswered: 0, answer: refund } },
  });
}
