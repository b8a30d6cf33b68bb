import type { Order, OrderState } from './order.ts';
import { isOrder, type Known } from './orders.ts';

/** Every open state is `pending` to the merchant. */
const shown: Readonly<Record<OrderState, string>> = {
  open: 'pending',
  challenged: 'pending',
  pending: 'pending',
  authorised: 'authorised',
  capturing: 'pending',
  captured: 'captured',
  declined: 'declined',
  voided: 'voided',
  refunded: 'refunded',
};

/** An order as its client sees it. */
export function view(known: Known): object {
  if (!isOrder(known)) return { paymentId: known.paymentId, state: 'voided' };
  const { paymentId, currency, card, outcome } = known;
  const amounts = hasMoney(known) && { amountMinor: known.heldMinor };
  return { paymentId, state: shown[known.state], currency, ...amounts, card, outcome };
}

const hasMoney = ({ state }: Order): boolean =>
  state === 'authorised' || state === 'captured' || state === 'refunded';
