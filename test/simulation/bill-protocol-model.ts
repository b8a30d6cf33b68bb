import type { NormalBill } from '../../lib/bill/bill.ts';
import { aBill } from '../support/builders.ts';
import { happens } from './model/acquirer.ts';
import { stepsOf, taken } from './model/bill.ts';
import { failsByHand, handled, type HandlerMove, type Rules } from './model/handler.ts';
import { isSettled, violationIn, violationOf } from './model/invariants.ts';
import { changed, handlerText, inOrder, type Lane, laneText, newLane } from './model/lane.ts';
import type { Manners, Mutant } from './model/manners.ts';
import { type Found, searchProtocol } from './model/search.ts';

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

// ---- the moves of one payment: they depend on the bill and on nothing else of the other payments

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
export function search({ payments, handlers, mutant }: Scope): Found {
  const rules = payments.map(
    (manners, at): Rules => ({ at, manners, mutant, steps: stepsOf(at, manners, mutant) }),
  );
  return searchProtocol<NormalBill, Lane>({
    shared: aBill(),
    lanes: payments.map(() => newLane(handlers)),
    sharedText: billText,
    laneText,
    movesOf: (at, bill, lane) =>
      movesOf(rules[at]!, bill, lane).map((move) => ({
        name: move.name,
        shared: move.bill,
        lane: move.lane,
      })),
    // Payments with the same manners are interchangeable, so they start in order.
    waits: (at, lanes) => at > 0 && payments[at] === payments[at - 1] && !lanes[at - 1]?.paid,
    violationIn: (bill, lanes) => firstOf(lanes, violationOf) ?? violationIn(bill, lanes, payments),
    isSettled,
  });
}

function firstOf(lanes: readonly Lane[], violation: (lane: Lane) => string | undefined): string | undefined {
  for (const lane of lanes) {
    const found = violation(lane);
    if (found !== undefined) return found;
  }
  return undefined;
}
