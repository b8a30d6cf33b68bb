import { sum } from '../money/money.ts';
import type { Payout } from './payout.ts';

/** One that waits for a moderator, with what they should know of it. */
export type Waiting = {
  readonly payout: Payout;
  /** A payout to this account was paid before that a person had approved. */
  readonly known: boolean;
  /** Its order takes two people; with what the first of them proposed, if one has. */
  readonly secondPerson?: { readonly proposal?: { readonly id: string; readonly by: string } } | undefined;
};

/** The parts of one order that wait, or one payout without an order. */
export type WaitingOrder = readonly [Waiting, ...Waiting[]];

/** What is asked for of the queue; what is not named does not matter. */
export type QueueFilter = {
  /** As somebody wrote it: it is only compared. */
  readonly merchantId?: string | undefined;
  /** The parts of an order count together, so that a large amount is not let go in small parts. */
  readonly minMinor?: bigint | undefined;
  readonly maxMinor?: bigint | undefined;
  /** Created at this moment or before. */
  readonly createdBy?: Date | undefined;
  readonly known?: boolean | undefined;
};

/** The queue by orders, the order with the oldest payout first; the parts of an order in their own order. */
export function waitingOrders(waiting: readonly Waiting[]): readonly WaitingOrder[] {
  const byGroup = Map.groupBy(waiting, ({ payout }) => payout.groupId);
  return [...byGroup.values()]
    .map((parts) => parts.toSorted((a, b) => (a.payout.id < b.payout.id ? -1 : 1)))
    .flatMap(([first, ...others]): WaitingOrder[] => (first ? [[first, ...others]] : []))
    .toSorted((a, b) => oldestOf(a) - oldestOf(b) || (a[0].payout.id < b[0].payout.id ? -1 : 1));
}

/** The orders that the filter takes: each with all of its parts that wait, or not at all. */
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

/** One person has let it go, as it is now. */
export const isProposed = ({ secondPerson }: Waiting): boolean => secondPerson?.proposal !== undefined;

export const looksDuplicate = (order: WaitingOrder): boolean =>
  order.some(({ payout }) => payout.possibleDuplicate);

/** In minor units, without fees that the sender pays on top. */
export const sumOf = (waiting: readonly Waiting[]): bigint =>
  sum(waiting.map(({ payout }) => payout.amount.minor));

const oldestOf = (order: WaitingOrder): number =>
  Math.min(...order.map(({ payout }) => payout.createdAt.getTime()));
