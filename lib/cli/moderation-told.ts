import { toDecimal } from '../money/money.ts';
import {
  isProposed,
  looksDuplicate,
  sumOf,
  type Waiting,
  type WaitingOrder,
} from '../payout/moderation-queue.ts';
import { counted, table } from './output.ts';
import { payoutView } from './views.ts';

/** How long something has waited, as `3 d 4 h`, `4 h 5 min` or `5 min`. */
function age(since: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - since.getTime()) / 60_000));
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}

/** `12 payouts of 9 orders, 123456.00 RUB together`. */
export function totalOf(orders: readonly WaitingOrder[]): string {
  const payouts = orders.flat();
  const of = payouts.length === orders.length ? '' : ` of ${counted(orders.length, 'order')}`;
  return `${counted(payouts.length, 'payout')}${of}, ${toDecimal(sumOf(payouts))} RUB together`;
}

/** Returns the moderation queue as a table, with the parts of an order together. */
export function ordersTable(orders: readonly WaitingOrder[], now: Date, nothing: string): string {
  const titles = ['age', 'merchant', 'order', 'payout', 'amount', 'account', 'recipient', 'revision', 'note'];
  const rows = orders.flatMap((order) => order.map((waiting) => rowOf(waiting, order, now)));
  return table(titles, rows, nothing);
}

const rowOf = ({ payout, known, secondPerson }: Waiting, order: WaitingOrder, now: Date) => [
  age(payout.createdAt, now),
  payout.merchantId,
  payout.orderId,
  payout.id,
  `${toDecimal(payout.amount.minor)} ${payout.amount.currency}`,
  payout.mask,
  known ? 'known' : 'new',
  payout.revision,
  noteOn(payout, order, secondPerson),
];

/** What a moderator should know, and why a payout waits for a person again. */
function noteOn(
  payout: Waiting['payout'],
  order: WaitingOrder,
  secondPerson: Waiting['secondPerson'],
): string {
  const part = order.findIndex((each) => each.payout.id === payout.id) + 1;
  const { reason } = payoutView(payout);
  return [
    ...(order.length > 1 ? [`part ${part} of ${order.length}, ${toDecimal(sumOf(order))} together`] : []),
    ...secondPersonNote(secondPerson),
    ...(payout.possibleDuplicate ? ['looks like a duplicate of an earlier one'] : []),
    ...(reason === null ? [] : [reason]),
  ].join('; ');
}

function secondPersonNote(secondPerson: Waiting['secondPerson']): readonly string[] {
  if (!secondPerson) return [];
  const { proposal } = secondPerson;
  return [
    proposal
      ? `waits for a second person: proposal ${proposal.id} by ${proposal.by}`
      : 'takes two people to release',
  ];
}

/** What --json shows of a waiting payout. */
export const waitingView = ({ payout, known, secondPerson }: Waiting, now: Date) => ({
  ...payoutView(payout),
  groupId: payout.groupId,
  accountKnown: known,
  takesTwoPeople: secondPerson !== undefined,
  proposalId: secondPerson?.proposal?.id ?? null,
  ageMinutes: Math.max(0, Math.floor((now.getTime() - payout.createdAt.getTime()) / 60_000)),
});

/** Returns the sentence about possible duplicates that a filter left out, if any. */
export function duplicatesLeftOut(orders: readonly WaitingOrder[]): readonly string[] {
  const left = orders.filter(looksDuplicate);
  if (left.length === 0) return [];
  const ids = left.map(([{ payout }]) => payout.id).slice(0, 5);
  const more = left.length > ids.length ? ', …' : '';
  return [`Left out as possible duplicates, name them by id: ${ids.join(', ')}${more} (${left.length}).`];
}

/** Returns the sentence about payouts that one person has already released and that wait for a second, if any. */
export function proposedLeftOut(payouts: readonly Waiting[]): readonly string[] {
  const proposed = payouts.filter(isProposed);
  const ids = [...new Set(proposed.map(({ secondPerson }) => secondPerson?.proposal?.id ?? ''))];
  if (ids.length === 0) return [];
  return [
    `Left out, a second person decides on them: ${counted(proposed.length, 'payout')} in ${ids.join(', ')} (proposals list).`,
  ];
}
