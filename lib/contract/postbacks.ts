import * as z from 'zod/mini';
import { Defect } from '../defect.ts';
import { balanceCurrencies, billCurrencies } from '../money/money.ts';
import { methodNames } from '../payment/acquirer.ts';
import { paymentErrors } from '../payment/payment-error.ts';
import { payoutCurrencies } from '../payout/payout.ts';
import {
  paymentPostbackStatusMeanings,
  payoutPostbackStatusMeanings,
  refundPostbackStatusMeanings,
} from './statuses.ts';

/*
 * What the service sends to the merchant's URLs (contract 6). The OpenAPI document and the tables of `docs/merchants.md` are built
 * from these schemas, and tests parse delivered bodies with them. Every value is text, in JSON too, because the signature covers
 * the text.
 */

const described = (description: string, ...examples: readonly string[]) =>
  z.string().check(z.meta({ description, examples: [...examples] }));

const money = (description: string, example: string) =>
  z.string().check(z.regex(/^\d+\.\d\d$/), z.meta({ description, examples: [example] }));

const oneOf = <const Values extends readonly string[]>(values: Values, description: string) =>
  z.enum(values).check(z.meta({ description, examples: [values[0]] }));

const keysOf = <Key extends string>(record: Readonly<Record<Key, string>>): readonly [Key, ...Key[]] => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a record literal are its type's
  const [first, ...others] = Object.keys(record) as Key[];
  if (first === undefined) throw new Defect('STATUS_LIST_EMPTY', 'A status list has at least one status');
  return [first, ...others];
};

const signature = (parts: string) =>
  z.string().check(
    z.regex(/^[0-9A-F]{32}$/),
    z.meta({
      description:
        `Upper-case hexadecimal MD5 of \`${parts}:<API token>\`, over the values exactly as received. It does not cover the ` +
        "other fields: verify a postback's webhook-signature header too.",
      examples: ['986E6B66B9E75C5CA357A4D344AAFF8D'],
    }),
  );

const order = described('The `order_id` of the bill; empty when it has none.', 'order-1');
const custom = z.optional(
  described(
    'The `custom` of the bill; absent when it has none. A JSON value is returned as JSON text.',
    '{"user":7}',
  ),
);
const paymentCurrency = oneOf(billCurrencies, 'The currency of the bill.');

/** Contract 6.1. Sent to the shop's Result URL once for each final status of a payment. */
export const paymentPostback = z.object({
  InvId: order,
  OutSum: money(
    'The amount received, without a fee that the payer paid on top: the amount of the bill for a SUCCESS. For a FAIL, the amount of the bill.',
    '100.50',
  ),
  Commission: money(
    "The service's fee for this payment, in the currency of the bill. 0.00 for a FAIL.",
    '2.01',
  ),
  TrsId: described(
    'The id of the payment: 26 letters and digits. Query `payment/status` with it.',
    'x8Kq2LmN8b3f9KpQ00aB3dE5gH',
  ),
  Status: oneOf(keysOf(paymentPostbackStatusMeanings), 'How the payment ended.'),
  CurrencyIn: paymentCurrency,
  custom,
  SignatureValue: signature('OutSum:InvId'),
});

const ofPayer = (what: string, example: string) =>
  z.optional(described(`${what}; absent when it was not given, and once it is erased.`, example));

/** Additive: what follows the contract's fields for shops that switched extended postbacks on. */
export const paymentPostbackExtension = z.object({
  AccountType: z.optional(oneOf(Object.values(methodNames), 'How it was paid.')),
  AccountNumber: z.optional(
    described(
      "The card's first six and last four digits; absent where no card is known.",
      '411111******1111',
    ),
  ),
  BalanceAmount: z.optional(
    money('What was credited to the balance: `account_amount` of the payment. 0.00 for a FAIL.', '98.49'),
  ),
  BalanceCurrency: z.optional(oneOf(balanceCurrencies, 'The currency of that balance.')),
  ErrorCode: z.optional(
    oneOf(keysOf(paymentErrors), 'FAIL only: why, as `error_code` of the payment says it.'),
  ),
  ErrorMessage: z.optional(described('FAIL only: the same in a sentence.', paymentErrors.insufficient_funds)),
  PayerEmail: ofPayer("The payer's e-mail address", 'ivan@example.ru'),
  PayerPhone: ofPayer("The payer's phone", '79123456712'),
  PayerName: ofPayer("The payer's name", 'Ivan Petrov'),
  PayerComment: ofPayer('What the payer wrote to the shop', 'Call first'),
});

/** Contract 6.2. Sent to the merchant's payout webhook URL once for each payout, split ones once for each part. */
export const payoutPostback = z.object({
  TrsId: described('The id of the payout, as `payout/*/create` returned it.', '7pQ2LmN8b3f9KpQ7sXv200'),
  Amount: money(
    'The amount that the recipient receives: the amount of the payout, less the fee when the recipient pays it.',
    '1000.00',
  ),
  IsAuto: oneOf(['true', 'false'], "true when the merchant's automatic payout created it."),
  Status: oneOf(keysOf(payoutPostbackStatusMeanings), 'How the payout ended.'),
  Currency: oneOf(payoutCurrencies, 'The currency of the payout.'),
  Commission: money('The fee of the payout.', '10.00'),
  AccountType: oneOf(
    ['BANK_CARD', 'QIWI'],
    'BANK_CARD for credit_card, QIWI for sbp: the contract has no other name for a phone.',
  ),
  AccountNumber: described(
    'The card number with its first six and last four digits; the phone number in full.',
    '411111******1111',
    '79123456789',
  ),
  BalanceAmount: money(
    'The amount debited from the balance, fee included. FAIL and DECLINED return it to the balance.',
    '1010.00',
  ),
  BalanceCommission: money('The fee, in the currency of the balance.', '10.00'),
  BalanceCurrency: oneOf(balanceCurrencies, 'The currency of the balance that the payout was paid from.'),
  CommissionApplyType: oneOf(
    ['sender', 'recipient'],
    'Who pays the fee: the sender, on top of the amount, or the recipient, out of it.',
  ),
  SignatureValue: signature('Amount:TrsId'),
});

const refundedPayment = described(
  'The id of the payment. Query `payment/status` with it.',
  'x8Kq2LmN8b3f9KpQ00aB3dE5gH',
);
const refundedBill = described('The id of the bill.', 'x8Kq2LmN8b3f9KpQ');
const refundCurrency = oneOf(billCurrencies, 'The currency of the bill.');

/** Sent to the shop's refund URL once for each refund, when it has ended, after the payment's own postback. */
export const refundPostback = z.object({
  Id: described(
    'The id of the refund, as `refund/*/create` returned it: the id of the payment and six more characters.',
    'x8Kq2LmN8b3f9KpQ00aB3dE5gHr7Tq2Z',
  ),
  PaymentId: refundedPayment,
  BillId: refundedBill,
  Amount: money('The amount that is returned to the payer, in the currency of the bill.', '40.00'),
  Currency: refundCurrency,
  Status: oneOf(keysOf(refundPostbackStatusMeanings), 'How the refund ended.'),
  SignatureValue: signature('Amount:Currency:BillId:PaymentId:Id'),
});

/** Sent to the shop's refund URL when the operator has confirmed a chargeback, after the payment's own postback. */
export const chargebackPostback = z.object({
  Id: described(
    'The id of the chargeback, as `payment/status` with `chargeback=1` shows it.',
    'x8Kq2LmN8b3f9KpQ00aB3dE5gH.chargeback.1',
  ),
  PaymentId: refundedPayment,
  BillId: refundedBill,
  Amount: money('The amount that was charged back, in the currency of the bill.', '40.00'),
  Currency: refundCurrency,
  SignatureValue: signature('BillId:PaymentId:Id'),
});

/** Contract 6.3. The payer's browser posts it to the shop's Success or Fail URL. */
export const payerRedirect = z.object({
  InvId: order,
  OutSum: paymentPostback.shape.OutSum,
  CurrencyIn: paymentCurrency,
  custom,
  SignatureValue: signature('OutSum:InvId'),
});

/** The headers of every postback, besides `Content-Type`. */
export const postbackHeaders = {
  'webhook-id':
    'The id of the postback, the same at every attempt. Store it, and ignore a postback that you have already handled.',
  'webhook-timestamp':
    'When this attempt was signed, as a Unix timestamp in seconds. Reject a timestamp older than five minutes.',
  'webhook-signature':
    'Standard Webhooks: `v1,` and the base64 of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` under the webhook secret. For 24 hours after a rotation there are two signatures, separated by a space: accept the postback when either is valid.',
  'paylink-sequence':
    'When the outcome was recorded, in milliseconds since 1970. Postbacks may arrive in any order; the greater number is the later outcome.',
  'user-agent': 'Paylink-Postback/1',
} as const;
