import { Defect } from '../../defect.ts';
import type {
  AcquirerView,
  DeclineReason,
  Order,
  PayerAccount,
  ReceiptState,
  RefundView,
} from '../../payment/acquirer.ts';
import { builtInBanks } from '../../payout/sbp-banks.ts';
import { ours, type PaymentObject, type RefundObject } from './objects.ts';

/**
 * The reasons of `canceled` (yookassa.ru/developers/payment-acceptance/after-the-payment/declined-payments). A reason that is not
 * here, now or later, is `declined`: `call_issuer`, `payment_method_restricted`, `country_forbidden`, `general_decline`,
 * `fraud_suspected`, `identification_required`, `permission_revoked`, `unsupported_mobile_operator`, `deal_expired`.
 */
const declineReasonOf: Readonly<Record<string, DeclineReason>> = {
  insufficient_funds: 'insufficient_funds',
  card_expired: 'card_expired',
  invalid_card_number: 'invalid_card_data',
  invalid_csc: 'invalid_card_data',
  payment_method_limit_exceeded: 'limit_exceeded',
  '3d_secure_failed': 'not_confirmed',
  issuer_unavailable: 'bank_unavailable',
  // The payment was not processed within the provider's own time limit.
  internal_timeout: 'bank_unavailable',
};

/** Reasons of `canceled` after an authorisation: it was voided, by us or in the provider's cabinet, or it lapsed. */
const voidedReasons: readonly string[] = ['canceled_by_merchant', 'expired_on_capture'];

/** Returns the view of an order. Throws when the object is another order's, or in another currency. */
export function viewOfPayment(
  payment: PaymentObject,
  order: Pick<Order, 'paymentId' | 'currency'>,
): AcquirerView {
  const stored = ours(payment, 'payment_id');
  if (stored !== order.paymentId || payment.amount.currency !== order.currency)
    throw new Defect('YOOKASSA_ORDER_CONTRADICTS', 'YooKassa has another order under this reference');
  return viewOf(payment);
}

/** Returns the view of an order that was looked up by its reference alone. */
export function viewOf(payment: PaymentObject): AcquirerView {
  const { status, amount } = payment;
  switch (status) {
    case 'pending':
      return { state: 'pending' };
    case 'waiting_for_capture':
      return { state: 'authorised', amountMinor: amount.value, ...accountOf(payment) };
    case 'succeeded':
      return {
        state: 'captured',
        amountMinor: amount.value,
        refundedMinor: payment.refunded_amount?.value ?? 0n,
        feeMinor: feeOf(payment),
        receipt: receiptOf(payment),
        ...accountOf(payment),
      };
    case 'canceled':
      return viewOfCancelled(payment);
  }
}

/**
 * Returns the provider's fee: the amount less `income_amount`, which may come later than the capture. Undefined as well when the two
 * contradict each other: then the reconciliation tells a person.
 */
export function feeOf({
  amount,
  income_amount: income,
}: Pick<PaymentObject, 'amount' | 'income_amount'>): bigint | undefined {
  const isPart = income?.currency === amount.currency && income.value <= amount.value;
  return isPart ? amount.value - income.value : undefined;
}

const receiptStateOf = { pending: 'pending', succeeded: 'registered', canceled: 'failed' } as const;
const receiptOf = ({ receipt_registration: state }: PaymentObject | RefundObject): ReceiptState | undefined =>
  state && receiptStateOf[state];

function viewOfCancelled(payment: PaymentObject): AcquirerView {
  const outcome = payment.cancellation_details?.reason ?? 'canceled';
  if (outcome === 'expired_on_confirmation') return { state: 'cancelled', reason: 'expired', outcome };
  if (voidedReasons.includes(outcome)) return { state: 'voided', ...accountOf(payment) };
  const reason = Object.hasOwn(declineReasonOf, outcome) ? declineReasonOf[outcome] : undefined;
  return { state: 'declined', reason: reason ?? 'declined', outcome, ...accountOf(payment) };
}

function accountOf({ payment_method: method }: PaymentObject): PayerAccount {
  const { first6, last4, issuer_name: issuer } = method?.card ?? {};
  const bank = issuer ?? bankNamed(method?.payer_bank_details?.bank_id);
  return {
    ...(first6 !== undefined && last4 !== undefined && { fromCard: `${first6}******${last4}` }),
    ...(bank && { bank }),
  };
}

/** Returns the name of an SBP bank, or its id when the built-in dictionary lacks it: a newer one would take a read. */
const bankNamed = (id: string | undefined): string | undefined =>
  builtInBanks.find(({ memberId }) => memberId === Number(id))?.name ?? id;

/** `insufficient_funds`: the shop's account at the provider did not cover the refund. */
export function viewOfRefund(refund: RefundObject): RefundView {
  const { status, cancellation_details: cancelled } = refund;
  if (status === 'pending') return { state: 'pending' };
  if (status === 'succeeded') return { state: 'succeeded', receipt: receiptOf(refund) };
  const outcome = cancelled?.reason ?? 'canceled';
  return { state: 'rejected', outcome, providerEmpty: outcome === 'insufficient_funds' };
}
