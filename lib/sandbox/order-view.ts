import { hasReference, type Order, type OrderState, type Refund, returnedMinor } from './order.ts';
import { isOrder, type Known } from './orders.ts';
import { emptyAccountOutcome } from './refunds.ts';

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
export function view(known: Known, now: Date): object {
  if (!isOrder(known)) return { paymentId: known.paymentId, state: 'voided' };
  const { paymentId, currency, card, outcome } = known;
  const amounts = hasMoney(known) && { amountMinor: known.heldMinor };
  const reference = hasReference(known) && { reference: known.reference, method: known.method };
  const isFeeTold = known.state === 'captured' && known.feeToldAt && known.feeToldAt <= now;
  const returned = known.state === 'captured' && { refundedMinor: returnedMinor(known, 'succeeded') };
  return {
    paymentId,
    ...reference,
    state: shown[known.state],
    currency,
    ...amounts,
    ...returned,
    ...(isFeeTold && { feeMinor: known.feeMinor }),
    card,
    ...(isPayerKnown(known) && { bank: 'Sandbox Bank' }),
    outcome,
  };
}

const hasMoney = ({ state }: Order): boolean =>
  state === 'authorised' || state === 'captured' || state === 'refunded';

/** Whether a payer acted with a card, or paid by SBP. */
const isPayerKnown = (order: Order): boolean => order.card !== undefined || hasMoney(order);

/** A refund as the client sees it. */
export const refundView = ({ reference, refundId, amountMinor, state, outcome }: Refund): object => ({
  reference,
  refundId,
  amountMinor,
  state,
  ...(state === 'rejected' && { outcome, accountEmpty: outcome === emptyAccountOutcome }),
});
