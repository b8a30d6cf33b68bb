import { maskOf } from './card.ts';
import type { Order, OrderStep } from './order.ts';
import { hold } from './order-money.ts';
import { behaviourOf, outcomeOfCard } from './test-values.ts';

/** The payer submitted a card. Undefined when the order no longer takes one. */
export function payWithCard(order: Order, number: string): OrderStep | undefined {
  if (order.state !== 'open') return undefined;
  const cardOutcome = outcomeOfCard(number);
  const given: Order = { ...order, cardOutcome, card: maskOf(number) };
  return behaviourOf(cardOutcome).challenge
    ? { to: { ...given, state: 'challenged' } }
    : decideByIssuer(given);
}

/** The payer pressed the button of the bank's page. */
export const payBySbp = (order: Order): OrderStep | undefined =>
  order.state === 'open' ? hold(order) : undefined;

/** The payer answered the 3-D Secure challenge. */
export function answerChallenge(order: Order, answer: 'confirm' | 'refuse'): OrderStep | undefined {
  if (order.state !== 'challenged') return undefined;
  return answer === 'confirm' ? decideByIssuer(order) : { to: declined(order, 'challenge_refused') };
}

/** The payer cancelled on the card page. */
export const abandon = (order: Order): OrderStep | undefined =>
  order.state === 'open' || order.state === 'challenged'
    ? { to: declined(order, 'abandoned_by_payer') }
    : undefined;

const declined = (order: Order, outcome: string): Order => ({ ...order, state: 'declined', outcome });

function decideByIssuer(order: Order): OrderStep {
  const { decline, pendingFor, page } = behaviourOf(order.cardOutcome);
  if (decline) return { to: declined(order, decline) };
  if (pendingFor) return { to: { ...order, state: 'pending', pendingPolls: pendingFor } };
  const step = hold(order);
  return page === 'times_out' ? { ...step, to: { ...step.to, pendingPolls: 1 }, fault: 'times_out' } : step;
}
