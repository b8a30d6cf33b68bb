import type { DeclineReason } from './acquirer.ts';
import type { Payment } from './payment.ts';

/** Why a payment failed, for the merchant: the closed list of `error_code`, and the sentence that goes with each. */
export const paymentErrors: Readonly<Record<DeclineReason, string>> = {
  insufficient_funds: 'The account has not enough money for this payment.',
  card_expired: 'The card has expired.',
  invalid_card_data: 'The number, date or code of the card is wrong.',
  limit_exceeded: 'The payment exceeds a limit of the card or account.',
  not_confirmed: 'The payer did not confirm the payment with the bank.',
  bank_unavailable: 'The bank of the payer did not respond. Another attempt may succeed.',
  canceled_by_payer: 'The payer canceled the payment.',
  expired: 'The payer did not pay within the time of the payment page.',
  declined: 'The payment was declined.',
};

export type PaymentError = { readonly code: DeclineReason; readonly message: string };

/** Returns why the payment failed; undefined while it has not. */
export function paymentErrorOf(payment: Pick<Payment, 'status'> & Reasons): PaymentError | undefined {
  if (payment.status !== 'FAIL') return undefined;
  const code = payment.declineReason ?? withoutReason(payment);
  return { code, message: paymentErrors[code] };
}

type Reasons = Pick<Payment, 'declineReason' | 'outcome' | 'fromCard'>;

/**
 * Of a payment without a reason. The order was ended while nobody had paid, or never had a page: its time is over. Otherwise it was
 * refused, or its money was returned.
 */
const withoutReason = ({ outcome, fromCard }: Omit<Reasons, 'declineReason'>): DeclineReason =>
  outcome === 'absent' || (outcome === 'voided' && fromCard === undefined) ? 'expired' : 'declined';
