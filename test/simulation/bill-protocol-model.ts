import { billMoves, type NormalBill } from '../../lib/bill/bill.ts';
import {
  type BillStep,
  type Precondition,
  fenceStep,
  finishStep,
  holdStep,
  releaseStep,
} from '../../lib/bill/bill-steps.ts';
import { type PaymentId, toPaymentId } from '../../lib/ids.ts';
import {
  holdsBill,
  isGivenUp,
  nextStep,
  type NextStep,
  type SeenState,
} from '../../lib/payment/next-step.ts';
import { isPaid, type Payment, type PaymentPhase, phaseMoves } from '../../lib/payment/payment.ts';
import { aBill } from '../support/builders.ts';

/*
 * The bill protocol (lib/payment/README.md) in every interleaving: payments start and take over, the acquirer decides at
 * any time, and the handlers of each payment read, query, write, call, stop and crash at any point. A handler's actions are
 * the product's nextStep(); the conditions and effects of a write are the product's BillStep and phaseMoves. Only the
 * control flow between them (resolve-payment.ts) is modelled here again.
 */

export type Mode = 'one' | 'two';
export type Mutant =
  | 'no_fence_condition'
  | 'capture_before_fence'
  | 'takeover_fenced'
  | 'settle_unconditional'
  | 'release_unchecked'
  | 'cancel_counts'
  | 'fail_on_timeout';
export type Scope = {
  readonly mode: Mode;
  readonly mutant?: Mutant;
  readonly payments?: number;
  readonly handlers?: number;
};

type View = SeenState;
type Paid = Pick<Payment, 'status' | 'phase'>;
/** What a handler knows: the payment as read, whether it held the bill then, and the next action. */
type Handler =
  | { readonly kind: 'idle' }
  | { readonly kind: 'looked'; readonly seen: Paid; readonly holds: boolean }
  | { readonly kind: 'told'; readonly view: View }
  | {
      readonly kind: 'acting';
      readonly step: NextStep | 'duplicate_capture';
      readonly seen: Paid;
      readonly holds: boolean;
      readonly view: View;
    };

/** Everything a step may depend on. Equal values are the same object, so that a state has a short key. */
type State = {
  readonly bill: NormalBill;
  readonly pay: readonly (Paid | undefined)[];
  readonly acquirer: readonly View[];
  readonly credits: readonly number[];
  readonly duplicates: readonly number[];
  readonly displaced: readonly boolean[];
  /** An authorisation was voided although no other payment took the bill over. */
  readonly voidedHolder: boolean;
  readonly handlers: readonly (readonly Handler[])[];
};

const paymentName = (at: number): PaymentId => toPaymentId(`BillBillBillBill00Payment${at}`);
const otherPayment = toPaymentId('BillBillBillBill00AnotherO');
const start = new Date(0);
/** When the page can no longer be paid. */
const late = new Date(3600_000);
/** The acquirer ends open orders on request. */
const terms = { endsOpenOrders: true };

// ---- the product's steps, evaluated in memory

/** Whether the bill meets the preconditions, evaluated as the store does. */
export const meets = (bill: NormalBill, preconditions: readonly Precondition[]): boolean =>
  preconditions.every((precondition) => {
    if ('anyOf' in precondition) return precondition.anyOf.some((way) => meets(bill, way));
    const is = bill[precondition.attribute];
    if (precondition.operator === 'absent') return is === undefined;
    if (is === undefined) return precondition.operator === '<>';
    if (precondition.operator === 'in') return precondition.values.some((value) => value === is);
    const { value } = precondition;
    switch (precondition.operator) {
      case '=':
        return is === value;
      case '<>':
        return is !== value;
      case '<':
        return is < value;
      case '<=':
        return is <= value;
      case '>':
        return is > value;
    }
  });

/** Returns the bill after the step; undefined when the store would refuse it. */
export function taken(
  bill: NormalBill,
  { to, set, clears, countsFailure, preconditions }: BillStep,
): NormalBill | undefined {
  if (!meets(bill, preconditions)) return undefined;
  const cleared = Object.fromEntries(clears.map((each) => [each, undefined]));
  return { ...bill, ...set, ...cleared, status: to, failures: bill.failures + (countsFailure ? 1 : 0) };
}

const without = (step: BillStep, ...attributes: readonly string[]): BillStep => {
  const keep = (preconditions: readonly Precondition[]): readonly Precondition[] =>
    preconditions.flatMap((precondition): readonly Precondition[] => {
      if ('anyOf' in precondition) return [{ anyOf: precondition.anyOf.map(keep) }];
      return attributes.includes(precondition.attribute) ? [] : [precondition];
    });
  return { ...step, preconditions: keep(step.preconditions) };
};

type StepsOfPayment = Readonly<Record<'hold' | 'fence' | 'finish' | 'release' | 'releaseGivenUp', BillStep>>;
const made = new Map<string, StepsOfPayment>();

function stepsOf(at: number, mutant: Mutant | undefined): StepsOfPayment {
  const name = `${at} ${mutant}`;
  const steps = made.get(name) ?? makeSteps(at, mutant);
  made.set(name, steps);
  return steps;
}

/** Returns the bill steps of one payment, without the guard that the mutant removes. */
function makeSteps(at: number, mutant: Mutant | undefined): StepsOfPayment {
  const id = paymentName(at);
  // Late enough that the lock never prevents a takeover, which may then come at any time.
  const hold = holdStep(id, { now: late, lockUntil: start });
  const fence = fenceStep(id);
  const finish = finishStep(id, 'SUCCESS');
  const release = releaseStep(id, true);
  const releaseGivenUp = releaseStep(id, mutant === 'cancel_counts');
  return {
    hold: mutant === 'takeover_fenced' ? without(hold, 'fenced') : hold,
    fence: mutant === 'no_fence_condition' ? without(fence, 'current') : fence,
    finish: mutant === 'settle_unconditional' ? without(finish, 'status', 'paidBy') : finish,
    release: mutant === 'release_unchecked' ? without(release, 'current') : release,
    releaseGivenUp: mutant === 'release_unchecked' ? without(releaseGivenUp, 'current') : releaseGivenUp,
  };
}

// ---- equal values are one object, represented by one character

const letters = new Map<object, string>();
const letterOf = (thing: object | undefined): string => (thing && letters.get(thing)) ?? '-';

/** Interns values: values with the same text become the same object. */
function collection<T extends object>(textOf: (thing: T) => string): (thing: T) => T {
  const known = new Map<string, T>();
  return (thing) => {
    const text = textOf(thing);
    const same = known.get(text);
    if (same) return same;
    known.set(text, thing);
    letters.set(thing, String.fromCodePoint(0x100 + letters.size));
    return thing;
  };
}

const oneBill = collection<NormalBill>(({ status, current, fenced, paidBy, lockUntil, failures }) =>
  [status, current, fenced, paidBy, lockUntil?.getTime(), failures].join(' '),
);
const onePaid = collection<Paid>(({ status, phase }) => `${status} ${phase}`);
const oneHandler = collection<Handler>((handler) => {
  if (handler.kind === 'idle') return 'idle';
  if (handler.kind === 'told') return `told ${handler.view}`;
  const looked = `${letterOf(handler.seen)} ${handler.holds}`;
  return handler.kind === 'looked' ? looked : `${looked} ${handler.step} ${handler.view}`;
});
const idle: Handler = oneHandler({ kind: 'idle' });

/** Returns the interned bill after the step. */
function billAfter(bill: NormalBill, step: BillStep): NormalBill | undefined {
  const after = taken(bill, step);
  return after && oneBill(after);
}

// ---- the moves

type Move = readonly [name: string, to: State];
type At<T> = { readonly [K in keyof T]?: T[K] };

const put = <T>(all: readonly T[], at: number, value: T): readonly T[] =>
  all.map((each, place) => (place === at ? value : each));

/** Returns every state that can follow this one, with the name of the move. */
function movesOf(state: State, { mode, mutant }: Scope): readonly Move[] {
  const moves: Move[] = [];
  for (const [at, paid] of state.pay.entries()) {
    if (!paid) {
      // Payments that have not started are interchangeable: only the first of them starts.
      if (at === 0 || state.pay[at - 1]) moves.push(...begin(state, at, mutant));
    } else {
      for (const view of later(state.acquirer[at] ?? 'unknown', mode))
        moves.push([`acquirer ${at}: ${view}`, { ...state, acquirer: put(state.acquirer, at, view) }]);
      for (const [place, handler] of (state.handlers[at] ?? []).entries()) {
        if (place > 0 && handler === state.handlers[at]?.[place - 1]) continue;
        moves.push(...handled(state, { at, place, paid, mode, mutant }, handler));
      }
    }
  }
  return moves;
}

/** The start of a payment, or its takeover of the bill. */
function begin(state: State, at: number, mutant: Mutant | undefined): readonly Move[] {
  const bill = billAfter(state.bill, stepsOf(at, mutant).hold);
  if (!bill) return [];
  const displaced = state.displaced.map(
    (was, other) => was || (state.bill.status === 'PROCESS' && state.bill.current === paymentName(other)),
  );
  const pay = put(state.pay, at, onePaid({ status: 'PROCESS', phase: 'AUTHORIZING' }));
  return [[`start ${at}`, { ...state, bill, displaced, pay }]];
}

/** The states to which the acquirer, the payer or the issuer may move an order. */
function later(view: View, mode: Mode): readonly View[] {
  if (view === 'unknown') return ['pending'];
  if (view === 'pending') return [mode === 'two' ? 'authorised' : 'captured', 'declined', 'cancelled'];
  return view === 'authorised' ? ['voided'] : [];
}

type Hand = {
  readonly at: number;
  readonly place: number;
  readonly paid: Paid;
  readonly mode: Mode;
  readonly mutant: Mutant | undefined;
};

/** The next moves of one handler: the product's resolvePayment, split wherever others may interleave. */
function handled(state: State, hand: Hand, handler: Handler): readonly Move[] {
  const { at, place, paid } = hand;
  const view = state.acquirer[at] ?? 'unknown';
  const go = (name: string, next: Handler, changes: At<State> = {}): Move => {
    const hands = put(state.handlers[at] ?? [], place, oneHandler(next));
    return [`${name} ${at}`, { ...state, ...changes, handlers: put(state.handlers, at, inOrder(hands)) }];
  };
  const looks = { seen: paid, holds: holds(state.bill, at) };
  const decides = (known: typeof looks, seenView: View) =>
    stepsFor(known, seenView, at).map((step) =>
      go(step, step === 'nothing' ? idle : { ...known, kind: 'acting', step, view: seenView }),
    );
  if (handler.kind === 'idle') return isPaid(paid) ? [] : [go('look', { kind: 'looked', ...looks })];

  const crash = go('crash', idle);
  if (handler.kind === 'looked') return [crash, ...decides(handler, view)];
  if (handler.kind === 'told') return [crash, ...(isPaid(paid) ? [] : decides(looks, handler.view))];
  return [crash, ...acts(state, hand, handler, go)];
}

const holds = (bill: NormalBill, at: number): boolean =>
  holdsBill({ payment: { ...aPaid, id: paymentName(at) }, bill });
const aPaid = { status: 'PROCESS', phase: 'AUTHORIZING', createdAt: start } as const;

/** The steps at an early and at a late time, because the model has no clock. */
function stepsFor(
  { seen, holds: held }: { readonly seen: Paid; readonly holds: boolean },
  view: View,
  at: number,
): readonly NextStep[] {
  const startCall = { answer: undefined, unanswered: 1, firstAt: start };
  const payment = { ...seen, id: paymentName(at), payableUntil: late, startCall };
  const bill = { type: 'NORMAL', status: 'PROCESS', current: held ? payment.id : otherPayment } as const;
  return [...new Set([start, late].map((now) => nextStep({ payment, terms, bill, view, now })))];
}

type Go = (name: string, next: Handler, changes?: At<State>) => Move;
type Acting = Extract<Handler, { kind: 'acting' }>;

function acts(state: State, hand: Hand, acting: Acting, go: Go): readonly Move[] {
  const { at, mutant } = hand;
  const { step, seen, view } = acting;
  const steps = stepsOf(at, mutant);
  const now = state.acquirer[at] ?? 'unknown';
  const again: Handler = { kind: 'told', view };
  /** A call to the acquirer; an answer without news ends the handler's work. */
  const call = (name: string, after: View): Move =>
    go(name, after === view ? idle : { kind: 'told', view: after }, {
      acquirer: put(state.acquirer, at, after),
    });
  /** A write conditional on the payment as it was read; a refused handler starts again. */
  const write = (to: Paid, next: Handler, changes: At<State> | undefined): Move =>
    hand.paid === seen && changes
      ? go(step, next, { pay: put(state.pay, at, allowed(seen, to)), ...changes })
      : go(`${step} refused`, idle);
  const withBill = (billStep: BillStep): At<State> | undefined => {
    const bill = billAfter(state.bill, billStep);
    return bill && { bill };
  };

  switch (step) {
    case 'nothing':
      return [];
    // The model's times are within the life of the key, so the list is never asked.
    case 'find':
      return [];
    case 'start':
      return [call('start', now === 'unknown' ? 'pending' : now)];
    case 'cancel':
      return [call('cancel', isOpen(now) ? 'voided' : now)];
    case 'capture':
      return [call('capture', now === 'authorised' ? 'captured' : now)];
    case 'refund':
      if (seen.phase === 'VOIDING') return [go('late', { ...acting, step: 'duplicate_capture' })];
      return [call('refund', now === 'captured' ? 'refunded' : now)];
    case 'fence':
      if (mutant === 'capture_before_fence' && now === 'authorised') return [call('capture', 'captured')];
      return [write({ ...seen, phase: 'CAPTURING' }, again, withBill(steps.fence))];
    case 'void':
      if (mutant === 'fail_on_timeout' && view === 'pending')
        return [write({ status: 'FAIL', phase: 'DONE' }, idle, withBill(steps.release))];
      return [
        write({ ...seen, phase: 'VOIDING' }, again, {
          voidedHolder: state.voidedHolder || (view === 'authorised' && !state.displaced[at]),
        }),
      ];
    case 'settle':
      return [settles(state, hand, acting, go)];
    case 'duplicate_capture':
      return [recordDuplicate(state, { at, to: { ...seen, phase: 'REFUNDING' }, next: again }, write)];
    case 'fail': {
      const release = isGivenUp(seen, view) ? steps.releaseGivenUp : steps.release;
      const bill = acting.holds || mutant === 'release_unchecked' ? withBill(release) : {};
      const left = mutant === 'release_unchecked' ? (bill ?? {}) : bill;
      return [write({ status: 'FAIL', phase: 'DONE' }, idle, left)];
    }
    case 'reopen':
      if (view !== 'captured') return [write({ ...seen, phase: 'VOIDING' }, again, {})];
      return [recordDuplicate(state, { at, to: { ...seen, phase: 'REFUNDING' }, next: again }, write)];
  }
}

const isOpen = (view: View): boolean => view === 'pending' || view === 'authorised';

/** The settlement; if another payment paid the bill, the duplicate capture is recorded next. */
function settles(state: State, { at, paid, mutant }: Hand, acting: Acting, go: Go): Move {
  const unconditional = mutant === 'settle_unconditional';
  if (!unconditional && paid !== acting.seen) return go('settle refused', idle);
  const bill = billAfter(state.bill, stepsOf(at, mutant).finish);
  if (!bill) return go('paid by another', { ...acting, step: 'duplicate_capture' });
  const pay = put(state.pay, at, onePaid({ status: 'SUCCESS', phase: 'DONE' }));
  return go('settle', idle, { bill, pay, credits: put(state.credits, at, (state.credits[at] ?? 0) + 1) });
}

/** A duplicate capture or late money: the write requires that the journal entry does not exist. */
function recordDuplicate(
  state: State,
  { at, to, next }: { readonly at: number; readonly to: Paid; readonly next: Handler },
  write: (to: Paid, next: Handler, changes: At<State> | undefined) => Move,
): Move {
  const isNew = state.duplicates[at] === 0;
  return write(to, next, isNew ? { duplicates: put(state.duplicates, at, 1) } : undefined);
}

function allowed({ phase }: Paid, to: Paid): Paid {
  const moves: readonly PaymentPhase[] = phaseMoves[phase];
  if (!moves.includes(to.phase)) throw new Error(`phaseMoves does not allow ${phase} to ${to.phase}`);
  return onePaid(to);
}

/** The handlers of one payment are interchangeable, so they are sorted. */
const inOrder = (handlers: readonly Handler[]): readonly Handler[] =>
  handlers.toSorted((a, b) => (letterOf(a) < letterOf(b) ? -1 : 1));

// ---- violations and final states

function violationIn({ bill, pay, acquirer, credits, duplicates, voidedHolder }: State, { mode }: Scope) {
  const wins = pay.filter((paid) => paid && isPaid(paid)).length;
  if (wins > 1) return 'two successful payments';
  if (credits.reduce((sum, each) => sum + each, 0) !== wins) return 'credits and successes differ';
  if (mode === 'two' && acquirer.filter((view) => view === 'captured').length > 1) return 'charged twice';
  if ((billMoves[bill.status].length === 0) !== (wins === 1)) return 'bill and payments disagree';
  const refused = pay.filter((paid, at) => paid?.status === 'FAIL' && acquirer[at] !== 'cancelled').length;
  if (bill.failures > refused) return 'a cancelled payment counts against the bill';
  if (mode === 'two' && voidedHolder) return 'voided a payment that holds the bill';
  for (const [at, paid] of pay.entries()) {
    if (!paid) continue;
    const { status, phase } = paid;
    if (status === 'FAIL' && phase === 'DONE' && acquirer[at] === 'captured')
      return 'a failed payment holds captured money';
    if (isPaid(paid) && acquirer[at] !== 'captured') return 'a success without money';
    if (acquirer[at] === 'refunded' && duplicates[at] !== 1) return 'refunded without a journal entry';
  }
  return undefined;
}

/** Whether no work is left: each payment has ended consistently with the acquirer, and no payment holds the bill. */
const isSettled = ({ bill, pay, acquirer }: State): boolean =>
  bill.status !== 'PROCESS' && pay.every((paid, at) => !paid || isOver(paid, acquirer[at]));

const isOver = (paid: Paid, view: View | undefined): boolean =>
  isPaid(paid) ? view === 'captured' : paid.phase === 'DONE' && view !== undefined && over.has(view);

const over: ReadonlySet<View> = new Set(['declined', 'cancelled', 'voided', 'refunded']);

// ---- the search

export type Found = {
  readonly states: number;
  readonly violation?: string;
  /** The shortest path to the violation. */
  readonly path: readonly string[];
  /** The number of states from which no settled state can be reached. */
  readonly stuck: number;
};

const initial = ({ payments = 2, handlers = 2 }: Scope): State => {
  const all = <T>(value: T): readonly T[] => Array.from({ length: payments }, () => value);
  return {
    bill: oneBill(aBill()),
    pay: all(undefined),
    acquirer: all<View>('unknown'),
    credits: all(0),
    duplicates: all(0),
    displaced: all(false),
    voidedHolder: false,
    handlers: all(Array.from({ length: handlers }, () => idle)),
  };
};

const viewLetters: Readonly<Record<View, string>> = {
  unknown: 'u',
  absent: 'n',
  pending: 'p',
  authorised: 'a',
  captured: 'c',
  declined: 'd',
  cancelled: 'x',
  voided: 'v',
  refunded: 'r',
};

/** Returns a key that is equal for equal states only. */
function keyOf(state: State): string {
  const { bill, pay, acquirer, credits, duplicates, displaced, voidedHolder, handlers } = state;
  let key = letterOf(bill) + (voidedHolder ? 'v' : '');
  for (const [at, paid] of pay.entries()) {
    key += `${letterOf(paid)}${viewLetters[acquirer[at] ?? 'unknown']}${credits[at]}${duplicates[at]}${displaced[at] ? 'd' : ''}`;
    for (const hand of handlers[at] ?? []) key += letterOf(hand);
  }
  return key;
}

/** Searches all reachable states breadth-first until a violation. */
export function search(scope: Scope): Found {
  const first = initial(scope);
  const numbers = new Map([[keyOf(first), 0]]);
  const states: State[] = [first];
  const from: { readonly before: number; readonly name: string }[] = [{ before: -1, name: '' }];
  const back: number[][] = [[]];
  for (let at = 0; at < states.length; at += 1) {
    const state = states[at];
    if (!state) break;
    const violation = violationIn(state, scope);
    if (violation) return { states: states.length, violation, path: pathTo(at, from), stuck: 0 };
    for (const [name, next] of movesOf(state, scope)) {
      const key = keyOf(next);
      let number = numbers.get(key);
      if (number === undefined) {
        number = states.push(next) - 1;
        numbers.set(key, number);
        from.push({ before: at, name });
        back.push([]);
      }
      back[number]?.push(at);
    }
  }
  return { states: states.length, path: [], stuck: states.length - reaching(states, back) };
}

function pathTo(end: number, from: readonly { readonly before: number; readonly name: string }[]) {
  const path: string[] = [];
  for (let at = from[end]; at && at.before >= 0; at = from[at.before]) path.unshift(at.name);
  return path;
}

/** Counts the states from which a settled state can be reached. */
function reaching(states: readonly State[], back: readonly (readonly number[])[]): number {
  const open = states.flatMap((state, at) => (isSettled(state) ? [at] : []));
  const reached = new Set(open);
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const before of back[at] ?? []) {
      if (reached.has(before)) continue;
      reached.add(before);
      open.push(before);
    }
  }
  return reached.size;
}
