import { type Call, isRefused, nextCall } from '../../../lib/payment/call.ts';
import { totalsOf } from '../../../lib/payment/refund-totals.ts';
import { absenceDecides, nextRefundStep } from '../../../lib/refund/next-refund-step.ts';
import { withoutRefund } from '../../../lib/refund/refund-amounts.ts';
import { isEndedRefund, refundMoves } from '../../../lib/refund/refund.ts';
import { called, found, type RefundMove } from './acquirer.ts';
import {
  type Age,
  type Books,
  idle,
  inOrder,
  type Manners,
  type Mutant,
  type RefundLane,
  type Stored,
  type StoredCall,
  type There,
  type Worker,
} from './state.ts';

/*
 * One worker of a refund: the product's advanceRefund and lookAtRefund, split wherever others may interleave. The steps, the records of
 * calls and the allowed moves are the product's; the control flow between them is modelled here again.
 */

type Situation = {
  readonly shared: Books;
  readonly lane: RefundLane;
  readonly stored: Stored;
  /** The number of the worker. */
  readonly place: number;
  readonly manners: Manners;
  readonly mutant: Mutant | undefined;
};

const hour = 3600_000;
const started = new Date(0);
/** A time within each, counted from the first call. */
const clock: Readonly<Record<Age, Date>> = {
  live: new Date(hour),
  unsent: new Date(23 * hour),
  expired: new Date(25 * hour),
  listed: new Date(27 * hour),
};
const fourDays = 4 * 24 * hour;
/** So many unanswered calls and more are not told apart: none of them is counted down. */
const many = 3;
const countedUp = ({ unanswered, ...call }: StoredCall): StoredCall => ({
  ...call,
  unanswered: Math.min(unanswered + 1, many),
});
const countedDown = (unanswered: number): number => (unanswered === many ? many : unanswered - 1);

export function works(situation: Situation): readonly RefundMove[] {
  const { lane, place, stored, manners } = situation;
  const worker = lane.workers[place] ?? idle;
  if (worker.kind === 'idle') return begins(situation);
  const crash = go(situation, 'crash', idle);
  const { seen } = worker;
  switch (worker.kind) {
    case 'acting':
      return [crash, acts(situation, worker)];
    case 'calling':
      return [crash, ...calls(situation, worker)];
    case 'busy':
      return [crash, stores(situation, seen, undefined)];
    case 'refused':
      return [crash, stores(situation, seen, 'refused')];
    case 'failing':
      return [crash, ends(situation, seen, 'FAIL')];
    case 'answered':
      return [crash, answered(situation, worker)];
  }
  function begins({ lane: { workers } }: Situation): readonly RefundMove[] {
    const isFirstIdle = workers.findIndex(({ kind }) => kind === 'idle') === place;
    if (!isFirstIdle || isEndedRefund(stored)) return [];
    const due = go(situation, 'check', { kind: 'acting', seen: stored, looks: false });
    if (!stored.call || !manners.answers.includes('pending')) return [due];
    return [due, go(situation, 'notified', { kind: 'acting', seen: stored, looks: true })];
  }
}

type After = { readonly shared?: Books; readonly lane?: RefundLane; readonly stored?: Stored };

function go(situation: Situation, name: string, next: Worker, after: After = {}): RefundMove {
  const { shared = situation.shared, lane = situation.lane, stored = lane.stored } = after;
  const workers = lane.workers.map((each, other) => (other === situation.place ? next : each));
  return { name, shared, lane: { ...lane, stored, workers: inOrder(workers) } };
}

const callOf = ({ attempt, unanswered, answer }: StoredCall): Call => ({
  attempt,
  unanswered,
  answer,
  outcome: undefined,
  amountMinor: undefined,
  firstAt: started,
  lastAt: started,
});

// ---- steps

function acts(situation: Situation, { seen, looks }: Extract<Worker, { kind: 'acting' }>): RefundMove {
  const { lane, mutant } = situation;
  const { call } = seen;
  const isLate = lane.age === 'unsent' || lane.age === 'expired';
  const now = clock[mutant === 'send_after_22_hours' && isLate ? 'live' : lane.age];
  const createdAt = lane.isOverdue ? new Date(now.getTime() - fourDays) : started;
  const step = looks ? 'look' : nextRefundStep({ call: call && callOf(call), createdAt }, now);
  switch (step) {
    case 'wait':
      return go(situation, 'wait', idle);
    case 'fail':
      return go(situation, 'nothing was refunded', { kind: 'failing', seen });
    case 'look':
      return looksThere(situation, seen);
    case 'send':
      return beginsCall(situation, seen);
  }
}

function looksThere(situation: Situation, seen: Stored): RefundMove {
  const { lane, mutant } = situation;
  const { call } = seen;
  const view = call && found(lane, call.attempt);
  if (view) return go(situation, `look: ${view}`, { kind: 'answered', seen, view, isOwn: false });
  const isEarly = mutant === 'absence_after_22_hours' && lane.age !== 'live';
  const now = clock[isEarly ? 'listed' : lane.age];
  return absenceDecides({ call: call && callOf(call) }, now)
    ? go(situation, 'look: absent', { kind: 'failing', seen })
    : go(situation, 'look: not found', idle);
}

/** Records a call, on the conditions of the product's beginCall. */
function beginsCall(situation: Situation, seen: Stored): RefundMove {
  const { stored, lane, mutant } = situation;
  const last = stored.call;
  const isRaised = mutant === 'raise_unanswered' && seen.call?.attempt === 1;
  const next = isRaised
    ? { attempt: 2, unanswered: 1, answer: undefined }
    : nextCall(seen.call && callOf(seen.call), { now: started });
  const isSameKey = next.attempt === seen.call?.attempt;
  const isPossible =
    stored.status === seen.status &&
    last?.attempt === seen.call?.attempt &&
    (last === undefined || isRaised || isRefused(last) !== isSameKey);
  if (!isPossible) return go(situation, 'call refused', idle);
  const first: StoredCall = { attempt: next.attempt, unanswered: 1, answer: undefined };
  const call = isSameKey && last ? countedUp(last) : first;
  // What the worker knows of the call is what it read, not what another wrote meanwhile.
  const known = isSameKey && seen.call ? countedUp(seen.call) : first;
  const age = isSameKey ? lane.age : 'live';
  return go(
    situation,
    `record call ${call.attempt}`,
    { kind: 'calling', seen: { status: 'PROCESS', call: known }, isInTime: age === 'live' },
    { lane: { ...lane, age }, stored: { status: 'PROCESS', call } },
  );
}

function calls(
  situation: Situation,
  { seen, isInTime }: Extract<Worker, { kind: 'calling' }>,
): readonly RefundMove[] {
  const { shared, lane, manners } = situation;
  const attempt = seen.call?.attempt ?? 1;
  const moves = called(shared, lane, attempt, manners).map((after) =>
    go(situation, `call: ${after.name}`, { kind: 'answered', seen, view: after.view, isOwn: true }, after),
  );
  if (!manners.isSlow) return moves;
  if (!lane.travels)
    moves.push(go(situation, 'call times out', idle, { lane: { ...lane, travels: { attempt, isInTime } } }));
  moves.push(go(situation, 'call: busy', { kind: 'busy', seen }));
  return moves;
}

function answered(
  situation: Situation,
  { seen, view, isOwn }: Extract<Worker, { kind: 'answered' }>,
): RefundMove {
  const { lane, mutant } = situation;
  const { call } = seen;
  switch (view) {
    case 'succeeded':
      return ends(situation, seen, 'SUCCESS');
    case 'pending':
      if (mutant === 'pending_succeeds') return ends(situation, seen, 'SUCCESS');
      return call?.answer === 'pending' ? go(situation, 'pending', idle) : stores(situation, seen, 'pending');
    case 'empty':
      return stores(situation, seen, 'empty');
    case 'rejected': {
      const isCertain = mutant === 'fail_on_refusal_despite_unanswered' || (call?.unanswered ?? 0) <= 1;
      if (!isOwn || isCertain) return ends(situation, seen, 'FAIL');
      const refund = call && found(lane, call.attempt);
      return refund
        ? go(situation, `look: ${refund}`, { kind: 'answered', seen, view: refund, isOwn: false })
        : go(situation, 'look: not found', { kind: 'refused', seen });
    }
  }
}

// ---- writes

/** Stores an answer that leaves the refund open, on the conditions of the product's callAnswered. */
function stores(
  situation: Situation,
  { call: seen }: Stored,
  answer: Exclude<There, 'rejected' | 'succeeded'> | 'refused' | undefined,
): RefundMove {
  const { stored } = situation;
  const { call } = stored;
  const answersAll = answer === 'pending' || answer === 'empty';
  if (!call || call.attempt !== seen?.attempt || (!answersAll && call.unanswered === 0))
    return go(situation, 'answer not stored', idle);
  const after: StoredCall = {
    ...call,
    unanswered: answersAll ? 0 : countedDown(call.unanswered),
    answer: answer ?? call.answer,
  };
  return go(situation, `store ${answer ?? 'busy'}`, idle, { stored: { ...stored, call: after } });
}

/** Ends the refund, on the conditions of the product's end. */
function ends(situation: Situation, seen: Stored, status: 'SUCCESS' | 'FAIL'): RefundMove {
  const { stored, shared, lane, mutant } = situation;
  if (!refundMoves[seen.status].includes(status))
    throw new Error(`refundMoves does not allow ${seen.status} to ${status}`);
  const isAsRead =
    (stored.status === seen.status || mutant === 'end_twice') &&
    (status === 'SUCCESS' || mutant === 'fail_beside_new_call' || isSameCall(stored.call, seen.call));
  const { cost } = lane;
  if (!isAsRead || !cost) return go(situation, 'end refused', idle);
  const totals = totalsOf({ refunds: shared.totals });
  const { minor: debit } = cost.debit;
  const locked = shared.locked - debit;
  const after: Books =
    status === 'SUCCESS'
      ? { ...shared, locked, totals: { ...totals, refundedMinor: totals.refundedMinor + cost.amount.minor } }
      : { ...shared, locked, available: shared.available + debit, totals: withoutRefund(totals, cost) };
  return go(situation, status, idle, { shared: after, stored: { ...stored, status } });
}

const isSameCall = (one: StoredCall | undefined, other: StoredCall | undefined): boolean =>
  one?.attempt === other?.attempt && one?.unanswered === other?.unanswered && one?.answer === other?.answer;
