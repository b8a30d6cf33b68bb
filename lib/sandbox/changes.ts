import type { SandboxManners } from './manners.ts';
import { returnedMinor, type Order, type OrderStep } from './order.ts';
import { captured, changed, hold } from './order-money.ts';
import { behaviourOf } from './test-values.ts';

/** The outcome of an order whose page was open for too long. */
export const expiredOutcome = 'expired';

/** From the opening to the change that some test cards make afterwards. */
const changesAfterMs = 2 * 3_600_000;

/** What an order becomes by the passing of time alone: the next such step, if one is due. */
export function changeByTime(
  order: Order,
  { now, manners }: { readonly now: () => Date; readonly manners: SandboxManners },
): OrderStep | undefined {
  const { payableUntil, openedAt, changes } = order;
  const isOpen = order.state === 'open' || order.state === 'challenged';
  if (isOpen && payableUntil && payableUntil <= now())
    return { to: { ...order, state: 'declined', outcome: expiredOutcome } };
  if (order.state === 'authorised' && hasLapsed(order, manners, now()))
    return { to: { ...order, state: 'voided' } };
  const isDue = openedAt && openedAt.getTime() + changesAfterMs <= now().getTime();
  return isDue && changes === 0 ? changeOfCard(order, manners) : undefined;
}

const hasLapsed = ({ openedAt }: Order, { holdHours }: SandboxManners, now: Date): boolean =>
  openedAt !== undefined &&
  holdHours !== 'unlimited' &&
  now.getTime() - openedAt.getTime() >= holdHours * 3_600_000;

function changeOfCard(order: Order, { failureIsFinal }: SandboxManners): OrderStep | undefined {
  const { later } = behaviourOf(order.cardOutcome);
  if (later === 'captured') return failureIsFinal ? undefined : captureLate(order);
  if (later === 'charged_back') return takeBack(order, order.heldMinor);
  return later === 'less' ? captureOther(order, order.heldMinor - order.heldMinor / 10n) : undefined;
}

/** The acquirer's staff refund the payer, or the payer's bank charges back. Never more than is left of the capture. */
export function takeBack(order: Order, amountMinor: bigint): OrderStep | undefined {
  if (order.state !== 'captured' || amountMinor <= 0n) return undefined;
  if (amountMinor > order.heldMinor - returnedMinor(order, 'pending', 'succeeded')) return undefined;
  const to = next({ ...order, takenBackMinor: order.takenBackMinor + amountMinor });
  return { to, movement: changed('refunded', to, amountMinor) };
}

/** An order that was declined or ended is captured after all. */
export const captureLate = (order: Order): OrderStep | undefined =>
  isEnded(order) ? captured(next({ ...order, heldMinor: order.amountMinor, outcome: undefined })) : undefined;

/** An order that was declined or ended is authorised after all; with one step it is captured. */
export const authoriseLate = (order: Order): OrderStep | undefined =>
  isEnded(order) ? hold(next({ ...order, outcome: undefined })) : undefined;

/** The captured amount becomes another. */
export function captureOther(order: Order, amountMinor: bigint): OrderStep | undefined {
  if (order.state !== 'captured' || amountMinor === order.heldMinor) return undefined;
  const to = next({ ...order, heldMinor: amountMinor });
  return { to, movement: changed('captured', to, amountMinor - order.heldMinor) };
}

const isEnded = ({ state }: Order): boolean => state === 'declined' || state === 'voided';
const next = (order: Order): Order => ({ ...order, changes: order.changes + 1 });
