import { isoTime } from '../clock.ts';
import { feeOf, wireAmount } from '../money.ts';
import { checkoutUrl } from '../pages/addresses.ts';
import type {
  ApiObject,
  PaidByCard,
  PaidBySbp,
  PaymentRecord,
  PayoutDestination,
  PayoutRecord,
  RefundRecord,
} from '../records.ts';
import { refundableMinor } from '../refunds.ts';
import { settingsOf, type World } from '../world.ts';

/** The object as the API and the notifications show it. */
export function present(world: World, object: ApiObject): Readonly<Record<string, unknown>> {
  switch (object.kind) {
    case 'payment':
      return presentPayment(world, object);
    case 'refund':
      return presentRefund(object);
    case 'payout':
      return presentPayout(object);
  }
}

/** The subaccount that all payments of the shop belong to. */
const subaccount = '100700';

function presentPayment(world: World, payment: PaymentRecord) {
  const { id, status, amountMinor, paidWith, expiresAt, capturedAt } = payment;
  const succeeded = status === 'succeeded';
  return withoutAbsent({
    id,
    status,
    amount: wireAmount(amountMinor),
    income_amount: isFeeTold(world, payment) ? wireAmount(amountMinor - feeOf(amountMinor)) : undefined,
    description: payment.description,
    recipient: { account_id: settingsOf(world).shop.id, gateway_id: subaccount },
    payment_method: paymentMethod(payment),
    captured_at: capturedAt === undefined ? undefined : isoTime(capturedAt),
    created_at: isoTime(payment.createdAt),
    expires_at: expiresAt === undefined ? undefined : isoTime(expiresAt),
    confirmation:
      status === 'pending' ? { type: 'redirect', confirmation_url: checkoutUrl(world, id) } : undefined,
    test: true,
    refunded_amount: succeeded ? wireAmount(payment.refundedMinor) : undefined,
    paid: succeeded || status === 'waiting_for_capture',
    refundable: refundableMinor(world, payment) > 0,
    receipt_registration: registration(payment),
    metadata: payment.metadata,
    cancellation_details: payment.cancellation,
    authorization_details: paidWith?.type === 'bank_card' ? authorization(paidWith, status) : undefined,
    merchant_customer_id: payment.merchantCustomerId,
  });
}

function paymentMethod({ id, method, paidWith }: PaymentRecord) {
  const fields = { id, saved: false, status: 'inactive' };
  if (paidWith?.type === 'bank_card') return { type: 'bank_card', ...fields, ...cardDetails(paidWith) };
  if (paidWith?.type === 'sbp') return { type: 'sbp', ...fields, ...sbpDetails(paidWith) };
  return method === undefined ? undefined : { type: method, ...fields };
}

const cardDetails = ({ first6, last4, expiryMonth, expiryYear }: PaidByCard) => ({
  title: `Bank card *${last4}`,
  card: {
    first6,
    last4,
    expiry_year: expiryYear,
    expiry_month: expiryMonth,
    card_type: cardType(first6),
    issuer_country: 'RU',
    issuer_name: 'Test Bank',
  },
});

const sbpDetails = ({ operationId, bankId, bic }: PaidBySbp) => ({
  title: 'SBP',
  sbp_operation_id: operationId,
  payer_bank_details: { bank_id: bankId, bic },
});

/** A declined card has no authorization code. */
const authorization = ({ rrn, authCode, threeDSecure }: PaidByCard, status: string) => ({
  rrn,
  ...(status !== 'canceled' && { auth_code: authCode }),
  three_d_secure: { applied: threeDSecure },
});

function cardType(first6: string): string {
  if (first6.startsWith('4')) return 'Visa';
  if (/^220[0-4]/.test(first6)) return 'Mir';
  return /^(?:5|2[2-7])/.test(first6) ? 'MasterCard' : 'Unknown';
}

function presentRefund(refund: RefundRecord) {
  const { sbpOperationId, rrn } = refund;
  return withoutAbsent({
    id: refund.id,
    payment_id: refund.paymentId,
    status: refund.status,
    cancellation_details: refund.cancellation,
    receipt_registration: registration(refund),
    created_at: isoTime(refund.createdAt),
    amount: wireAmount(refund.amountMinor),
    description: refund.description,
    refund_method:
      sbpOperationId === undefined ? undefined : { type: 'sbp', sbp_operation_id: sbpOperationId },
    refund_authorization_details: rrn === undefined ? undefined : { rrn },
    metadata: refund.metadata,
  });
}

function presentPayout(payout: PayoutRecord) {
  const { succeededAt } = payout;
  return withoutAbsent({
    id: payout.id,
    amount: wireAmount(payout.amountMinor),
    status: payout.status,
    payout_destination: payoutDestination(payout.destination),
    description: payout.description,
    created_at: isoTime(payout.createdAt),
    succeeded_at: succeededAt === undefined ? undefined : isoTime(succeededAt),
    cancellation_details: payout.cancellation,
    metadata: payout.metadata,
    test: true,
  });
}

function payoutDestination(destination: PayoutDestination) {
  switch (destination.type) {
    case 'sbp': {
      const { phone, bankId, operationId } = destination;
      return withoutAbsent({
        type: 'sbp',
        phone,
        bank_id: bankId,
        sbp_operation_id: operationId,
        recipient_checked: false,
      });
    }
    case 'bank_card': {
      const { first6, last4 } = destination;
      return {
        type: 'bank_card',
        card: {
          first6,
          last4,
          card_type: cardType(first6),
          issuer_country: 'RU',
          issuer_name: 'Test Bank',
        },
      };
    }
    case 'yoo_money':
      return { type: 'yoo_money', account_number: destination.accountNumber };
  }
}

/** Known from the success on, unless the payment's manner says otherwise. */
function isFeeTold({ clock }: World, { status, capturedAt = 0, manner }: PaymentRecord): boolean {
  if (status !== 'succeeded' || manner?.kind !== 'fee_told_late') return status === 'succeeded';
  return manner.afterMs !== undefined && clock.now() >= capturedAt + manner.afterMs;
}

/** Pending until the money moves. A state of an earlier version has no registration of its own. */
function registration(object: PaymentRecord | RefundRecord): string | undefined {
  const { withReceipt, status } = object;
  if (!withReceipt || status === 'canceled') return undefined;
  return status === 'succeeded' ? (object.registration ?? 'succeeded') : 'pending';
}

const withoutAbsent = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
