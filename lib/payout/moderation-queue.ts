import { sum } from '../money/money.ts';
import type { Payout } from './payout.ts';

type ShownProposal = { readonly id: string; readonly by: string };

/** A payout that waits for a moderator, with the facts they need. */
export type Waiting = {
  readonly payout: Payout;
  /** Whether a payout to this account that a person approved was paid before. */
  readonly known: boolean;
  /** Set when its order requires two people; with the proposal of the first of them, if there is one. */
  readonly secondPerson: { readonly proposal: ShownProposal | undefined } | undefined;
};

/** The waiting parts of one order, or one payout without an order. */
export type WaitingOrder = readonly [Waiting, ...Waiting[]];

/** Selects from the queue; an undefined criterion matches everything. */
export type QueueFilter = {
  /** Unvalidated text: it is only compared. */
  readonly merchantId: string | undefined;
  /** The parts of an order are summed, so that a large order is not released in small parts. */
  readonly minMinor: bigint | undefined;
  readonly maxMinor: bigint | undefined;
  /** Created at this time or before. */
  readonly createdBy: Date | undefined;
  readonly known: boolean | undefined;
};

/** Groups the queue by order, the order with the oldest payout first; parts are sorted by id. */
export function waitingOrders(waiting: readonly Waiting[]): readonly WaitingOrder[] {
  const byGroup = Map.groupBy(waiting, ({ payout }) => payout.groupId);
  return [...byGroup.values()]
    .map((parts) => parts.toSorted((a, b) => (a.payout.id < b.payout.id ? -1 : 1)))
    .flatMap(([first, ...others]): WaitingOrder[] => (first ? [[first, ...others]] : []))
    .toSorted((a, b) => oldestOf(a) - oldestOf(b) || (a[0].payout.id < b[0].payout.id ? -1 : 1));
}

/** Returns the orders that match the filter, each with all of its waiting parts. */
export const selectOrders = (
  orders: readonly WaitingOrder[],
  { merchantId, minMinor, maxMinor, createdBy, known }: QueueFilter,
): readonly WaitingOrder[] =>
  orders.filter((order) => {
    const [{ payout, known: isKnown }] = order;
    const asked = sumOf(order);
    return (
      (merchantId === undefined || payout.merchantId === merchantId) &&
      (minMinor === undefined || asked >= minMinor) &&
      (maxMinor === undefined || asked <= maxMinor) &&
      (createdBy === undefined || oldestOf(order) <= createdBy.getTime()) &&
      (known === undefined || isKnown === known)
    );
  });

/** Whether a first person has proposed the approval of its current revision. */
export const isProposed = ({ secondPerson }: Waiting): boolean => secondPerson?.proposal !== undefined;

export const looksDuplicate = (order: WaitingOrder): boolean =>
  order.some(({ payout }) => payout.possibleDuplicate);

/** Returns the sum in minor units, without fees that the sender pays on top. */
export const sumOf = (waiting: readonly Waiting[]): bigint =>
  sum(waiting.map(({ payout }) => payout.amount.minor));

const oldestOf = (order: WaitingOrder): number =>
  Math.min(...order.map(({ payout }) => payout.createdAt.getTime()));
