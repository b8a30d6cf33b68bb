import type { AcquirerView, DeclineReason, PayerAccount } from '../payment/acquirer.ts';

/** The sandbox's outcomes in the words of the closed list. One that is not named is `declined`. */
const reasons = new Map<string, DeclineReason>([
  ['insufficient_funds', 'insufficient_funds'],
  ['expired_card', 'card_expired'],
  ['incorrect_cvc', 'invalid_card_data'],
  ['limit_exceeded', 'limit_exceeded'],
  ['challenge_refused', 'not_confirmed'],
  ['processing_error', 'bank_unavailable'],
]);

/** No card was refused: the payer gave up, or the page's time is over. */
const cancellations = new Map<string, 'canceled_by_payer' | 'expired'>([
  ['abandoned_by_payer', 'canceled_by_payer'],
  ['expired', 'expired'],
]);

/** The view of a declined order, from the sandbox's outcome. */
export function outcomeIn(outcome: string, shown: PayerAccount): AcquirerView {
  const cancelled = cancellations.get(outcome);
  if (cancelled) return { state: 'cancelled', reason: cancelled, outcome };
  return { state: 'declined', reason: reasons.get(outcome) ?? 'declined', outcome, ...shown };
}
