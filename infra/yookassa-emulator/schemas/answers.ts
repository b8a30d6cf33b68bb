import * as z from 'zod/mini';
import { paymentStatuses, transferStatuses } from '../records.ts';
import { payoutReasons } from '../manners.ts';
import {
  amount,
  bic,
  currencies,
  dateTime,
  idOf,
  metadata,
  paymentMethods,
  phone,
  sbpBankId,
  text,
} from './fields.ts';

/*
 * The vendor's schemas of what the emulator answers. They are closed, so a misspelt field is noticed. Every answer is validated
 * before it is sent.
 */

const paymentId = idOf(36, 36);
const balance = z.object({
  value: z.string().check(z.regex(/^-?\d{1,12}\.\d{2}$/)),
  currency: z.enum(currencies),
});
const registration = z.enum(['pending', 'succeeded', 'canceled']);
const first6 = z.string().check(z.regex(/^[0-9]{6}$/));
const last4 = z.string().check(z.regex(/^[0-9]{4}$/));

const cardTypes = [
  'MasterCard',
  'Visa',
  'Mir',
  'UnionPay',
  'JCB',
  'AmericanExpress',
  'DinersClub',
  'DiscoverCard',
  'InstaPayment',
  'InstaPaymentTM',
  'Laser',
  'Dankort',
  'Solo',
  'Switch',
  'Unknown',
] as const;

const methodFields = {
  id: z.string(),
  saved: z.boolean(),
  status: z.enum(['pending', 'active', 'inactive']),
  title: z.optional(z.string()),
};

const card = z.strictObject({
  first6: z.optional(first6),
  last4,
  expiry_year: z.string().check(z.regex(/^[0-9]{4}$/)),
  expiry_month: z.string(),
  card_type: z.enum(cardTypes),
  issuer_country: z.optional(z.string()),
  issuer_name: z.optional(z.string()),
});

const paymentMethod = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('bank_card'), ...methodFields, card: z.optional(card) }),
  z.strictObject({
    type: z.literal('sbp'),
    ...methodFields,
    sbp_operation_id: z.optional(z.string()),
    payer_bank_details: z.optional(z.strictObject({ bank_id: sbpBankId, bic })),
  }),
]);

export const paymentReasons = [
  '3d_secure_failed',
  'call_issuer',
  'card_expired',
  'payment_method_limit_exceeded',
  'payment_method_restricted',
  'country_forbidden',
  'general_decline',
  'fraud_suspected',
  'identification_required',
  'insufficient_funds',
  'invalid_card_number',
  'invalid_csc',
  'issuer_unavailable',
  'canceled_by_merchant',
  'permission_revoked',
  'internal_timeout',
  'expired_on_confirmation',
  'expired_on_capture',
  'unsupported_mobile_operator',
  'deal_expired',
] as const;

export const payment = z.strictObject({
  id: paymentId,
  status: z.enum(paymentStatuses),
  amount,
  income_amount: z.optional(amount),
  description: z.optional(text(128)),
  recipient: z.strictObject({ account_id: z.string(), gateway_id: z.string() }),
  payment_method: z.optional(paymentMethod),
  captured_at: z.optional(dateTime),
  created_at: dateTime,
  expires_at: z.optional(dateTime),
  confirmation: z.optional(
    z.strictObject({
      type: z.literal('redirect'),
      return_url: z.optional(text(2048)),
      confirmation_url: z.url(),
    }),
  ),
  test: z.boolean(),
  refunded_amount: z.optional(amount),
  paid: z.boolean(),
  refundable: z.boolean(),
  receipt_registration: z.optional(registration),
  metadata: z.optional(metadata),
  cancellation_details: z.optional(
    z.strictObject({
      party: z.enum(['yoo_money', 'payment_network', 'merchant']),
      reason: z.enum(paymentReasons),
    }),
  ),
  authorization_details: z.optional(
    z.strictObject({
      rrn: z.optional(z.string()),
      auth_code: z.optional(z.string()),
      three_d_secure: z.strictObject({ applied: z.boolean() }),
    }),
  ),
  merchant_customer_id: z.optional(text(200)),
});

export const refund = z.strictObject({
  id: idOf(36, 36),
  payment_id: paymentId,
  status: z.enum(transferStatuses),
  cancellation_details: z.optional(
    z.strictObject({
      party: z.enum(['yoo_money', 'refund_network']),
      reason: z.enum([
        'yoo_money_account_closed',
        'insufficient_funds',
        'general_decline',
        'rejected_by_payee',
        'rejected_by_timeout',
      ]),
    }),
  ),
  receipt_registration: z.optional(registration),
  created_at: dateTime,
  amount,
  description: z.optional(text(250)),
  refund_method: z.optional(
    z.strictObject({ type: z.literal('sbp'), sbp_operation_id: z.optional(z.string()) }),
  ),
  refund_authorization_details: z.optional(z.strictObject({ rrn: z.optional(z.string()) })),
  metadata: z.optional(metadata),
});

const destination = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('sbp'),
    phone,
    bank_id: text(12),
    sbp_operation_id: z.optional(z.string()),
    recipient_checked: z.boolean(),
  }),
  z.strictObject({
    type: z.literal('bank_card'),
    card: z.strictObject({
      first6,
      last4,
      card_type: z.enum(cardTypes),
      issuer_country: z.optional(z.string()),
      issuer_name: z.optional(z.string()),
    }),
  }),
  z.strictObject({ type: z.literal('yoo_money'), account_number: idOf(11, 33) }),
]);

export const payout = z.strictObject({
  id: idOf(36, 50),
  amount,
  status: z.enum(transferStatuses),
  payout_destination: destination,
  description: z.optional(text(128)),
  created_at: dateTime,
  succeeded_at: z.optional(dateTime),
  cancellation_details: z.optional(
    z.strictObject({ party: z.enum(['yoo_money', 'payout_network']), reason: z.enum(payoutReasons) }),
  ),
  metadata: z.optional(metadata),
  test: z.boolean(),
});

export const listOf = <Item extends z.ZodMiniType>(item: Item) =>
  z.strictObject({ type: z.literal('list'), items: z.array(item), next_cursor: z.optional(z.string()) });

export const sbpBanks = z.strictObject({
  type: z.literal('list'),
  items: z.array(z.strictObject({ bank_id: sbpBankId, name: text(128), bic })),
});

export const me = z.strictObject({
  account_id: z.string(),
  status: z.enum(['enabled', 'disabled']),
  test: z.boolean(),
  fiscalization: z.optional(z.strictObject({ enabled: z.boolean(), provider: z.enum(['atol', 'avanpost']) })),
  fiscalization_enabled: z.optional(z.boolean()),
  payment_methods: z.optional(z.array(z.enum(paymentMethods))),
  itn: z.optional(z.string().check(z.regex(/^\d{1,20}$/))),
  payout_methods: z.optional(z.array(z.enum(['bank_card', 'yoo_money', 'sbp']))),
  name: z.optional(z.string()),
  payout_balance: z.optional(balance),
});

/** 405 and 415 have no code. */
export const error = z.strictObject({
  type: z.literal('error'),
  id: z.string(),
  code: z.optional(
    z.enum([
      'invalid_request',
      'invalid_credentials',
      'forbidden',
      'not_found',
      'too_many_requests',
      'internal_server_error',
    ]),
  ),
  description: z.string(),
  parameter: z.optional(z.string()),
  retry_after: z.optional(z.int()),
});
