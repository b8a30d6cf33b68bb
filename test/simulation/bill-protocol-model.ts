import type { NormalBill } from '../../lib/bill/bill.ts';
import { aBill } from '../support/builders.ts';
import { happens } from './model/acquirer.ts';
import { stepsOf, taken } from './model/bill.ts';
import { failsByHand, handled, type HandlerMove, type Rules } from './model/handler.ts';
import { isSettled, violationIn, violationOf } from './model/invariants.ts';
import { changed, handlerText, inOrder, type Lane, laneText, newLane } from './model/lane.ts';
import type { Manners, Mutant } from './model/manners.ts';

/*
 * The bill protocol (lib/payment/README.md) in every interleaving: payments start and take over, the acquirer decides at
 * any time, time passes, and the handlers of each payment read, query, write, call, stop and crash at any point. A handler's actions
 * are the product's nextStep() and call rules; the conditions and effects of a write are the product's BillStep and phaseMoves.
 */

export type Scope = {
  /** One for each payment: how its acquirer treats it. */
  readonly payments: readonly Manners[];
  /** How many handlers each payment has at the same time. */
  readonly handlers: number;
  readonly mutant?: Mutant;
};

export type Found = {
  readonly states: number;
  /** `stuck`: no settled state can be reached any more. */
  readonly violation: string | undefined;
  /** The shortest path to the violation. */
  readonly path: readonly string[];
};

// ---- the moves of one payment: they depend on the bill and on nothing else of the other payments

type Move = { readonly name: string; readonly bill: number; readonly lane: number };
type Local = { readonly moves: readonly Move[]; readonly violation: string | undefined };

/** The product of bill and lanes as small numbers: each of them is stored once. */
class Model {
  readonly bills = new Numbering<NormalBill>(billText);
  readonly lanes = new Numbering<Lane>(laneText);
  private readonly locals: Map<number, Local>[];
  private readonly rules: readonly Rules[];

  constructor({ payments, mutant }: Scope) {
    this.rules = payments.map((manners, at) => ({
      at,
      manners,
      mutant,
      steps: stepsOf(at, manners, mutant),
    }));
    this.locals = payments.map(() => new Map<number, Local>());
  }

  local(at: number, bill: number, lane: number): Local {
    const memory = this.locals[at]!;
    const key = bill * most + lane;
    const known = memory.get(key);
    if (known) return known;
    const local = this.find(this.rules[at]!, this.bills.valueOf(bill), this.lanes.valueOf(lane));
    memory.set(key, local);
    return local;
  }

  private find(rules: Rules, bill: NormalBill, lane: Lane): Local {
    const moves = movesOf(rules, bill, lane).map((move) => ({
      name: move.name,
      bill: this.bills.numberOf(move.bill),
      lane: this.lanes.numberOf(move.lane),
    }));
    return { moves, violation: violationOf(lane) };
  }
}
const most = 2 ** 24;

class Numbering<T> {
  private readonly numbers = new Map<string, number>();
  private readonly values: T[] = [];
  private readonly textOf: (value: T) => string;
  constructor(textOf: (value: T) => string) {
    this.textOf = textOf;
  }
  numberOf(value: T): number {
    const text = this.textOf(value);
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    this.numbers.set(text, this.values.length);
    return this.values.push(value) - 1;
  }
  valueOf(number: number): T {
    return this.values[number]!;
  }
}

const billText = ({ status, current, fenced, paidBy, lockUntil, failures }: NormalBill): string =>
  [status, current, fenced, paidBy, lockUntil?.getTime(), failures].join(' ');

/** Returns everything that may happen next to one payment. */
function movesOf(rules: Rules, bill: NormalBill, lane: Lane): readonly HandlerMove[] {
  const { paid, handlers } = lane;
  if (!paid) return begins(rules, bill, lane);
  const { at, manners } = rules;
  return [
    ...happens(lane, manners).map((move) => ({ ...move, name: `${move.name} ${at}`, bill })),
    ...(manners.isFailedByHand ? failsByHand({ ...rules, bill, lane, paid }) : []),
    ...handlers.flatMap((handler, place) =>
      place > 0 && handlerText(handler) === handlerText(handlers[place - 1]!)
        ? []
        : handled({ ...rules, bill, lane, paid, place }),
    ),
  ];
}

/** The start of a payment, or its takeover of the bill. */
function begins({ at, steps, manners }: Rules, bill: NormalBill, lane: Lane): readonly HandlerMove[] {
  const { current } = bill;
  const after = taken(bill, steps.hold) ?? (current && taken(bill, steps.switchFrom(current)));
  if (!after) return [];
  const paid = { status: 'PROCESS', phase: 'AUTHORIZING' } as const;
  const startCall = { unanswered: 1, answer: undefined };
  const [, ...others] = lane.handlers;
  const changes = manners.losesStarts
    ? { handlers: inOrder([{ kind: 'starting', isInTime: true }, ...others]) }
    : {
        hasReference: true,
        order: { state: 'pending', isLess: false, isListed: true, cameLate: false } as const,
      };
  return [{ name: `start ${at}`, bill: after, lane: changed(lane, { paid, startCall, ...changes }) }];
}

// ---- the search

/** Searches all reachable states breadth-first until a violation; without one, for states that cannot settle any more. */
export function search(scope: Scope): Found {
  const model = new Model(scope);
  const count = scope.payments.length;
  const states = new States(count);
  states.add(
    [
      model.bills.numberOf(aBill()),
      ...scope.payments.map(() => model.lanes.numberOf(newLane(scope.handlers))),
    ],
    -1,
    '',
  );
  const edges: Edges = { from: [], to: [] };
  for (let at = 0; at < states.size; at += 1) {
    const [bill = 0, ...lanes] = states.tupleAt(at);
    const locals = lanes.map((lane, payment) => model.local(payment, bill, lane));
    const violation =
      locals.find((local) => local.violation !== undefined)?.violation ??
      violationIn(
        model.bills.valueOf(bill),
        lanes.map((lane) => model.lanes.valueOf(lane)),
        scope.payments,
      );
    if (violation !== undefined) return { states: states.size, violation, path: states.pathTo(at) };
    for (const [payment, { moves }] of locals.entries()) {
      if (isTwin(scope, payment) && !model.lanes.valueOf(lanes[payment - 1]!).paid) continue;
      for (const move of moves) {
        const next = [move.bill, ...lanes];
        next[payment + 1] = move.lane;
        edges.from.push(at);
        edges.to.push(states.add(next, at, move.name));
      }
    }
  }
  const stuck = firstStuck(states, edges, (at) => {
    const [bill = 0, ...lanes] = states.tupleAt(at);
    return isSettled(
      model.bills.valueOf(bill),
      lanes.map((lane) => model.lanes.valueOf(lane)),
    );
  });
  if (stuck === undefined) return { states: states.size, violation: undefined, path: [] };
  return { states: states.size, violation: 'stuck', path: states.pathTo(stuck) };
}

/** Payments with the same manners are interchangeable, so they start in order. */
const isTwin = ({ payments }: Scope, at: number): boolean => at > 0 && payments[at] === payments[at - 1];

type Edges = { readonly from: number[]; readonly to: number[] };

/** The states found so far: a bill and lanes by their numbers, and the move that first led to each. */
class States {
  private readonly tuples: number[] = [];
  private readonly before: number[] = [];
  private readonly names: string[] = [];
  /** For each lane but the last: the number of what precedes it. Of the last: the number of the state. */
  private readonly levels: readonly Map<number, number>[];
  private readonly width: number;

  constructor(payments: number) {
    this.width = payments + 1;
    this.levels = Array.from({ length: payments }, () => new Map<number, number>());
  }

  get size(): number {
    return this.before.length;
  }

  /** Returns the number of the state, which is added when it is new. */
  add(tuple: readonly number[], before: number, name: string): number {
    let number = tuple[0]!;
    for (const [level, numbers] of this.levels.entries()) {
      const key = number * most + tuple[level + 1]!;
      let next = numbers.get(key);
      if (next === undefined) {
        next = numbers.size;
        numbers.set(key, next);
      }
      number = next;
    }
    if (number === this.before.length) {
      this.tuples.push(...tuple);
      this.before.push(before);
      this.names.push(name);
    }
    return number;
  }

  tupleAt(at: number): readonly number[] {
    return this.tuples.slice(at * this.width, (at + 1) * this.width);
  }

  pathTo(end: number): readonly string[] {
    const path: string[] = [];
    for (let at = end; at > 0; at = this.before[at]!) path.unshift(this.names[at]!);
    return path;
  }
}

/** Returns the first state from which no settled state can be reached. */
function firstStuck(
  states: States,
  { from, to }: Edges,
  isEnd: (state: number) => boolean,
): number | undefined {
  // The edges backwards: those into state n are at firsts[n] up to firsts[n + 1].
  const firsts = new Int32Array(states.size + 1);
  for (const end of to) firsts[end + 1]! += 1;
  for (let at = 0; at < states.size; at += 1) firsts[at + 1]! += firsts[at]!;
  const free = firsts.slice();
  const backwards = new Int32Array(to.length);
  for (const [edge, end] of to.entries()) {
    backwards[free[end]!] = from[edge]!;
    free[end]! += 1;
  }
  const reaches = new Uint8Array(states.size);
  const open: number[] = [];
  const reach = (state: number) => {
    if (reaches[state]) return;
    reaches[state] = 1;
    open.push(state);
  };
  for (let at = 0; at < states.size; at += 1) if (isEnd(at)) reach(at);
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (let edge = firsts[at]!; edge < firsts[at + 1]!; edge += 1) reach(backwards[edge]!);
  const first = reaches.indexOf(0);
  return first === -1 ? undefined : first;
}
