import type { RefusalAnswer } from './route.ts';

/** Contract 7: the cause of each refusal in words, as the error table and the OpenAPI document show it. */
export const meanings: Readonly<Record<string, string>> = {
  ip_access_denied: 'The token is tied to addresses, and the request came from another',
  merchant_not_found: 'Merchant not found',
  merchant_banned: 'Merchant blocked',
  merchant_not_verified: 'Merchant lacks Verified status',
  merchant_subscription_inactive: 'Subscription inactive',
  merchant_subscription_not_found: 'Merchant has no subscription',
  invalid_amount:
    'The amount is not above 0, above 99999999.99, has more than two decimals, or is outside the range that the providers take',
  shop_not_found: 'Shop not found',
  shop_not_enabled: 'Merchant or shop deactivated',
  access_denied: "Another merchant's shop",
  no_payout: 'No provider takes this currency, or it has no settlement route to a balance currency',
  bill_not_found: 'Bill not found',
  bill_is_finished: 'NORMAL bill already paid',
  payment_not_found: 'Payment not found',
  refund_not_available:
    'The payment is not paid, the amount is more than is refundable of it, or its receipt has no address to go to; the sentence says which',
  refund_not_found: 'Refund not found',
  too_many_payments: 'More than 1000 payments, requested without a limit',
  payout_not_found: 'Payout not found',
  transaction_rejected: 'The payout was sent or has ended, so it cannot be cancelled',
  payout_account_not_found: 'Payout account not found',
  payout_account_banned: 'Payout account blocked',
  daily_payout_limit_exceeded: 'Daily payout limit exceeded',
  monthly_payout_limit_exceeded: 'Monthly payout limit exceeded',
  balance_not_enough: 'Balance too low for the payout and its fee, or for the refund',
  direction_not_available: 'Account unavailable for this payout operation',
  general_error: 'Internal error',
  unauthorized_action: 'Merchant has no API access to this method',
  postback_not_found: 'Postback not found',
  postback_under_way: 'The postback waits for its first attempt, or is being sent',
  endpoint_paused: 'The URL is paused until the operator resumes it',
  postback_url_missing: 'The shop or merchant has no URL for these postbacks',
  too_many_requests: 'More than 10 postbacks to this URL requested in one minute',
  unknown_cursor: 'The cursor does not belong to this list',
  finish_before_start: 'The finish_date is before the start_date',
  order_id_is_card_number: 'The order_id is the card number of the same request',
  sbp_bank_unknown: 'No active bank of SBP has this member_id',
  order_id_reused: 'The order_id was used with other data',
  idempotency_key_reused: 'The Idempotency-Key was used with other data',
};

/** An idempotency key stands for one request: the same key with other data is an error. */
export const keyReused = {
  status: 422,
  field: 'Idempotency-Key',
  sentence: 'The Idempotency-Key was used with other data. Use a new key for a new request.',
} as const satisfies RefusalAnswer;

export const orderReused = {
  status: 422,
  field: 'order_id',
  sentence: 'The order_id was used for a payout with other data. Use a new order_id for a new payout.',
} as const satisfies RefusalAnswer;

export const orderIsCard = {
  status: 422,
  field: 'order_id',
  sentence: 'The order_id must not be the card number of the same request: use an id of the order.',
} as const satisfies RefusalAnswer;

export const bankUnknown = {
  status: 422,
  field: 'account_bank',
  sentence:
    'The account_bank is not among the active banks of payout/dictionaries/sbp_banks: read the list again, a bank may have left it.',
} as const satisfies RefusalAnswer;

/** The token is tied to addresses. The same at every endpoint, before every other refusal. */
export const accessDeniedFrom = (address: string) =>
  ({
    status: 403,
    field: 'address',
    sentence: `The token may not be used from ${address}. Ask the operator to add the address, or send from one that was agreed.`,
  }) as const satisfies RefusalAnswer;

/** A payout limit: the response has the limit's numbers in `details`. */
export const overLimit = (sentence: string): RefusalAnswer => ({
  status: 400,
  field: 'amount',
  sentence,
  details: true,
});

const amountSentence =
  'The amount must be above 0 and at most 99999999.99, with at most two decimals, written with digits and at most one dot, such as 100.50.';

/** Contract 4.1, 4.7, 4.8: the endpoint's status, and a sentence that says how to write an amount. */
export const invalidAmount = (status: 400 | 403) =>
  ({
    status,
    field: 'amount',
    sentence: amountSentence,
  }) as const satisfies RefusalAnswer;

export const invalidDataMessage = 'The given data was invalid.';

/** Returns `message` of the response body. */
export function messageOf(refusal: string, answer: RefusalAnswer): string {
  if (typeof answer === 'object' && 'message' in answer) return answer.message;
  return typeof answer === 'object' && answer.status === 422 ? invalidDataMessage : `api:error.${refusal}`;
}

export const statusOf = (answer: RefusalAnswer): number =>
  typeof answer === 'number' ? answer : answer.status;
