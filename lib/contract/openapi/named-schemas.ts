import * as z from 'zod/mini';
import { Defect } from '../../defect.ts';
import { billInFull, billStatusRoute, createBillRoute, toggleBillActivityRoute } from '../bill.ts';
import { balanceEntry, merchantBalanceRoute } from '../merchant.ts';
import { billPaymentsRoute, payment, paymentStatusRoute } from '../payment.ts';
import {
  cancelPayoutRoute,
  createPersonalPayoutRoute,
  createRegularPayoutRoute,
  payout,
  payoutOutcome,
  payoutStatusRoute,
  quotedLimit,
  quotedPart,
  quotePayoutRoute,
  sbpBank,
  sbpBanksRoute,
} from '../payout.ts';
import {
  listPostbacksRoute,
  postback,
  postbackAttempt,
  postbackPage,
  replayPostbackRoute,
  testPostbackRoute,
} from '../postback.ts';
import {
  chargebackPostback,
  payerRedirect,
  paymentPostback,
  paymentPostbackExtension,
  payoutPostback,
  refundPostback,
} from '../postbacks.ts';
import { pageLinks, pageMeta } from '../fields.ts';
import { quoteFields } from '../quote-payout-input.ts';
import {
  chargeback,
  createFullRefundRoute,
  createPartialRefundRoute,
  refund,
  refundStatusRoute,
} from '../refund.ts';
import { refusalDetails } from '../refusal-details.ts';
import type { ApiRoute } from '../route.ts';
import { searchBillsRoute, searchPaymentsRoute, searchPayoutsRoute, searchRefundsRoute } from '../search.ts';
import {
  billStatusMeanings,
  billTypeMeanings,
  paymentStatusMeanings,
  payoutStatusMeanings,
  refundStatusMeanings,
  postbackStateMeanings,
} from '../statuses.ts';
import { askable, locales } from '../../bill/options.ts';
import { methodNames } from '../../bill/payment-method.ts';
import { billCurrencies } from '../../money/money.ts';
import { paymentErrors } from '../../payment/payment-error.ts';
import { refundErrors } from '../../refund/refund-error.ts';
import { payoutCurrencies } from '../../payout/payout.ts';
import { described, type Json, listOf, type PropertyDocument, ref } from './schema.ts';

const say = (description: string, ...examples: readonly unknown[]): PropertyDocument => ({
  description,
  examples,
});

/** Describes a status or type, with the meaning of each value. */
const meaning = (title: string, record: Readonly<Record<string, string>>): PropertyDocument => {
  const [first, ...others] = Object.keys(record);
  const example = others.find((key) => key === 'SUCCESS') ?? first;
  const list = Object.entries(record).map(([value, means]) => `- \`${value}\`: ${means}`);
  return say(`${title}\n\n${list.join('\n')}`, example);
};

const words = (values: readonly string[]): string => values.map((value) => `\`${value}\``).join(', ');

const billId = 'x8Kq2LmN8b3f9KpQ';
const paymentId = `${billId}00aB3dE5gH`;
const searchCursor = Buffer.from('["…"]').toString('base64url');
const payoutId = '7pQ2LmN8b3f9KpQ7sXv200';
const createdAt = say("When it was created, in the operator's time zone.", '2026-11-21 15:00:00');
const success = say('The result flag.', true);
const successText = say('The result flag, as text.', 'true');
const anyCase = 'Upper or lower case.';
const ofOwnHost =
  'Its host is that of the Result, Success or Fail URL of the shop, or one that the operator has listed for it.';
const ofBill = {
  id: say('The id of the bill.', billId),
  status: meaning('The status of the bill.', billStatusMeanings),
  type: meaning('How many payments it accepts.', billTypeMeanings),
  amount: say('The amount of the bill.', 100.5),
  currency_in: say('The currency of the bill.', 'RUB'),
  created_at: createdAt,
  active: say('Whether a payment may start. An expired bill is not active.', true),
  ttl: say('The life of the bill from its creation, in seconds; absent when it does not expire.', 3600),
};
const ofPayer = {
  payer_email: say(
    "The payer's e-mail address, masked; absent when the bill has none, and once it is erased.",
    'i***@e***.ru',
  ),
  payer_phone: say("The payer's phone, masked; absent likewise.", '+7 *** ***-**-12'),
  payer_name: say("The payer's name, masked; absent likewise.", 'I*** P***'),
};
const lineItem: Json = {
  type: 'object',
  required: ['name', 'price'],
  properties: {
    name: { type: 'string', ...say('Cut at 128 characters.', 'Green tea') },
    price: {
      type: ['string', 'number'],
      ...say('The price of one, with at most two decimals; 0 for what is free.', '40.25'),
    },
    quantity: {
      type: ['string', 'number'],
      ...say('Above 0, with at most three decimals. Default: 1.', '2'),
    },
    category: { type: 'string', ...say('Your own category, cut at 128 characters.', 'tea') },
  },
};
const ofPayment = {
  id: say('The id of the payment: `TrsId` of its postback.', paymentId),
  bill_id: say('The id of the bill that it pays.', billId),
  status: meaning('The status of the payment.', paymentStatusMeanings),
  amount: say('The charge: what the payer pays, including a fee on top.', 100.5),
  amount_received: say('The sum received; 0 until it is known.', 100.5),
  from_card: say(
    "The card's first six and last four digits; empty until a card is known.",
    '411111******1111',
  ),
  currency_in: say('The currency of the payment.', 'RUB'),
  created_at: createdAt,
  commission: say('The fee, in the currency of the payment; 0 until it is booked.', 2.01),
  account_amount: say(
    'What the payment credited to the balance: the sum received less the fee, a rolling reserve included. 0 until it is booked; refunds do not change it.',
    98.49,
  ),
  account_currency_code: say('The currency of that balance.', 'RUB'),
  refunded_amount: say('The sum of the refunds that succeeded, in the currency of the payment.', 0),
  payment_method: say('How it is paid.', 'BANK_CARD'),
  account_bank: say("The payer's bank; absent where the acquirer does not tell it.", 'Sberbank'),
  error_code: meaning('Why it failed; absent unless the status is FAIL.', paymentErrors),
  error_message: say('`error_code` in a sentence.', paymentErrors.insufficient_funds),
};
const ofPayout = {
  id: say('The id of the payout: `TrsId` of its postback.', payoutId),
  status: meaning('The status of the payout.', payoutStatusMeanings),
  amount: say('The amount of the payout; for a split payout, of this part.', 1000),
  commission: say('The fee of the payout.', 10),
  account_identifier: say('The card or phone number it is sent to, masked.', '411111******1111'),
  currency: say('The currency of the payout.', 'RUB'),
  created_at: createdAt,
};
const postbackId = `pay.${paymentId}.SUCCESS`;
const ofAttempt = {
  at: say('When it was made.', '2026-11-21 15:00:02'),
  outcome: say(
    'The status that your server answered, as text; `307_redirect`: redirects are not followed. Without an answer: `timeout`, `name_not_found`, `connection_refused`, `bad_certificate` and others. Without a request: `breaker_open`, `endpoint_paused`, `no_url`, `superseded`, `replay`. `in_progress` until it has ended.',
    '200',
  ),
  ms: say('How long it took, in milliseconds; absent where nothing was sent.', 84),
  answer: say("The start of your server's answer, without what it repeated of the request.", 'OK'),
};
const ofPostback = {
  id: say('The id of the postback: its `webhook-id`.', postbackId),
  kind: say('What it reports.', 'payment'),
  payment_id: say('The payment; null of a payout.', paymentId),
  payout_id: say('The payout; null of others.', payoutId),
  refund_id: say('The refund; null of others.', `${paymentId}3dE5gH`),
  status: say('The status that it reports.', 'SUCCESS'),
  state: meaning('How far its delivery is.', postbackStateMeanings),
  created_at: say("When the outcome was recorded, in the operator's time zone.", '2026-11-21 15:00:00'),
  next_attempt_at: say('When it is sent next; null when it is not.', null),
  attempts: listOf('PostbackAttempt', 'The latest attempts, at most 12, oldest first.'),
};
const amountToPay = say(
  'Above 0 and at most 99999999.99, with at most two decimals (trailing zeros do not count). Written with digits, at most one dot and an optional ' +
    'exponent, in at most 64 characters. A value within max(1e-9, 1e-12 × value) of two decimals is rounded to them.',
  '100.50',
  100.5,
);
const payoutOrder = say(
  "The merchant's own id of the payout, good for one payout: repeated with the same data it returns the first result, with other data it is 422.",
  'payout-1',
);

const ofRegularPayout = {
  amount: amountToPay,
  currency: say(`${words(payoutCurrencies)}. ${anyCase}`, 'RUB'),
  account_type: say(
    `\`credit_card\`, or \`sbp\` for a phone at a bank of the Faster Payments System. ${anyCase}`,
    'credit_card',
  ),
  account_identifier: say(
    'The card number for credit_card; for sbp a Russian mobile number in any usual format.',
    '4111111111111111',
    '79123456789',
  ),
  account_bank: say(
    'Required for sbp: the `member_id` of a bank from payout/dictionaries/sbp_banks.',
    100000000111,
  ),
  card_holder: say(
    'Required for credit_card: the name on the card, 2 to 100 Latin or Cyrillic letters, with spaces, dots, hyphens and apostrophes.',
    'IVAN PETROV',
  ),
};
const ofQuote = {
  amount: say('The amount of the payout.', 1000),
  commission: say('Its fee.', 10),
  balance_amount: say('What leaves the balance.', 1010),
  recipient_amount: say('What the recipient gets.', 1000),
};

const searchDate = (whole: string) =>
  say(
    `A day, ${whole}, or a time, in the operator's time zone. Without both it is the last 30 days, or all time with an id or an order_id.`,
    '2026-11-21',
    '2026-11-21 12:34:56',
  );
/** The fields of every search. */
const ofSearch = {
  start_date: searchDate('from its first second'),
  finish_date: searchDate('to its last second'),
  per_page: { ...say('The size of a page.', 20), minimum: 1, maximum: 100 },
  cursor: say('`next_cursor` or `prev_cursor` of an earlier page of this search.', searchCursor),
};
/** A page of a search. */
const foundPage = (item: string, description: string) => ({
  success,
  data: listOf(item, description),
  links: {
    description: 'The addresses of the first, the previous and the next page.',
    $ref: ref('PageLinks'),
  },
  meta: { description: 'The size of the page, and the cursors of its neighbours.', $ref: ref('PageMeta') },
  incomplete_before: say(
    'What was created before this time may be missing until the operator has migrated it; else absent.',
    '2026-11-21 15:00:00',
  ),
});
const ofShop = say('Only of this shop.', '8sYw2Rk1TzQ4JhVe');
const ofOrder = say('Only of this order.', 'order-1');
const billInFullSchema = {
  ...ofBill,
  ...ofPayer,
  order_id: say('The `order_id` of the bill; empty when it has none.', 'order-1'),
};
const sentAndReturned = {
  amount_sent: say('How much of `amount` was paid to the recipient.', 1000),
  amount_returned: say(
    'How much was returned to the balance: parts that ended in FAIL or DECLINED, and money that came back after it was paid.',
    0,
  ),
};

const refundId = `${paymentId}r7Tq2Z`;
const ofRefund = {
  id: say('The id of the refund: `Id` of its postback.', refundId),
  payment_id: say('The id of the payment that it refunds.', paymentId),
  bill_id: say('The id of the bill of that payment.', billId),
  status: meaning('The status of the refund.', refundStatusMeanings),
  amount: say('What is returned to the payer.', 40),
  currency: say('The currency of the payment.', 'RUB'),
  reason: say('The `reason` that the refund was created with; empty when it has none.', 'Wrong size'),
  created_at: createdAt,
  error_code: meaning('Why it failed; absent unless the status is FAIL.', refundErrors),
  error_message: say('`error_code` in a sentence.', refundErrors.refund_rejected),
};
const refundRequest = {
  payment_id: say('The id of the payment.', paymentId),
  reason: say('Why, for people: your own note.', 'Wrong size'),
  payer_email: {
    ...say(
      'Where the fiscal receipt of the refund goes; without it, to the address or phone that is known of the payer. Stored encrypted, likewise.',
      'ivan@example.ru',
    ),
    type: 'string',
  },
  payer_phone: {
    ...say('The mobile number of Russia or Kazakhstan for that receipt.', '+7 912 345-67-12'),
    type: 'string',
  },
};

/** The request and response of an endpoint. The body of a POST and every response are named schemas. */
type Named = {
  readonly takes: Json;
  readonly body?: string;
  readonly answers: Json;
  readonly answer: string;
};

const noParameters: Json = { type: 'object', properties: {} };

const ofRoutes: ReadonlyMap<ApiRoute, Named> = new Map<ApiRoute, Named>([
  [
    createBillRoute,
    {
      body: 'CreateBill',
      takes: described(createBillRoute.input, {
        amount: amountToPay,
        shop_id: say('The id of the shop.', '8sYw2Rk1TzQ4JhVe'),
        order_id: say(
          "The merchant's own id of the order, returned as `InvId`. While the bill can still be paid, the same data returns that bill; other data creates a second one.",
          'order-1',
        ),
        description: say('Your own note about the bill.', 'Order 1 of the tea house'),
        type: {
          ...say(`\`normal\` accepts one payment, \`multi\` any number. ${anyCase}`, 'normal'),
          default: 'normal',
        },
        currency_in: say(
          `${words(billCurrencies)}. ${anyCase} Default: the default currency of the shop, else RUB.`,
          'RUB',
        ),
        custom: say(
          'Any text; returned in postbacks and redirects. A JSON value, or nested form fields such as `custom[user]=7`, are stored as JSON text.',
          'any text',
          { user: 7 },
        ),
        name: say('The purpose of the payment, shown to the payer on the payment page.', 'Two cups of tea'),
        payer_pays_commission: {
          ...say(
            'Whether the payer pays the fee on top of the amount. 1, true, yes or on; 0, false, no or off, in upper or lower case; also the JSON values true, false, 1 and 0.',
            1,
          ),
          default: false,
        },
        payer_email: {
          ...say(
            'The e-mail address for the fiscal receipt. Stored encrypted until 90 days after the payment, or two weeks after the unpaid bill ends (a year at most).',
            'ivan@example.ru',
          ),
          type: 'string',
        },
        payer_phone: {
          ...say(
            'The mobile number of Russia or Kazakhstan for the fiscal receipt, stored likewise.',
            '+7 912 345-67-12',
          ),
          type: 'string',
        },
        payer_name: {
          ...say(
            "The payer's name, at most 128 characters, for the shop's extended postbacks; stored likewise.",
            'Ivan Petrov',
          ),
          type: 'string',
        },
        items: {
          ...say(
            'What the bill is for, at most 80 lines: shown on the payment page, and sent in the fiscal receipt. Also as form fields `items[0][name]`, `items[0][price]`.',
            [
              { name: 'Green tea', price: '40.25', quantity: '2' },
              { name: 'Delivery', price: '20' },
            ],
          ),
          type: 'array',
          items: lineItem,
        },
        ttl: {
          ...say(
            'The life of the bill from its creation, in seconds: 60 to 31536000. The shop may have a shorter one.',
            3600,
          ),
          type: ['integer', 'string'],
        },
        locale: {
          ...say(
            `The language of the payer's pages, which the payer may change: ${words(locales)}. Without pages in a language they are in the nearest: Russian for \`kk\`. ${anyCase}`,
            'en',
          ),
          type: 'string',
        },
        payment_method: {
          ...say(
            `The way to pay that is offered first: ${words(Object.values(methodNames))}. The others stay. ${anyCase}`,
            'SBP',
          ),
          type: 'string',
        },
        success_url: {
          ...say(
            `In place of the shop's Success URL, for this bill. ${ofOwnHost}`,
            'https://shop.example.com/orders/1/paid',
          ),
          type: 'string',
        },
        fail_url: {
          ...say("In place of the shop's Fail URL, likewise.", 'https://shop.example.com/orders/1/failed'),
          type: 'string',
        },
        return_url: {
          ...say(
            'The link "Back to the shop" on the payment pages, likewise.',
            'https://shop.example.com/cart',
          ),
          type: 'string',
        },
        request_fields: {
          ...say(
            'What the payer is asked for on the payment page: `email`, `phone`, `name` and `comment`, each 1. The payer must fill in all but the comment. Also as form fields `request_fields[email]`.',
            { email: 1, comment: 1 },
          ),
          type: 'object',
          properties: Object.fromEntries(
            askable.map((field) => [
              field,
              {
                ...say(
                  `1 for a field "${field}" that the payer ${field === 'comment' ? 'may' : 'must'} fill in.`,
                  1,
                ),
                type: ['string', 'integer', 'boolean'],
              },
            ]),
          ),
        },
      }),
      answer: 'CreatedBill',
      answers: described(createBillRoute.output, {
        success: successText,
        link_url: say(
          'A page with the QR code of the payment page.',
          `https://pay.example.com/link/${billId}`,
        ),
        link_page_url: say(
          'The payment page: send the payer here.',
          `https://pay.example.com/transfer/${billId}`,
        ),
        bill_id: ofBill.id,
        ...ofPayer,
        ignored: say(
          'The fields that were left out of the bill because they could not be honoured; absent when there are none.',
          ['items'],
        ),
      }),
    },
  ],
  [
    toggleBillActivityRoute,
    {
      body: 'ToggleBillActivity',
      takes: described(toggleBillActivityRoute.input, {
        id: ofBill.id,
        active: say(
          '1 to activate, 0 to deactivate; also true, yes, on, false, no, off, in upper or lower case.',
          0,
        ),
      }),
      answer: 'BillActivity',
      answers: described(toggleBillActivityRoute.output, {
        ...ofBill,
        activity: say('`active` as text.', 'false'),
        success,
      }),
    },
  ],
  [
    billPaymentsRoute,
    {
      takes: described(billPaymentsRoute.input, {
        id: ofBill.id,
        limit: {
          ...say('The size of a page. Without it all payments are returned, up to 1000.', 100),
          minimum: 1,
          maximum: 1000,
        },
        per_page: {
          ...say(
            'The same, up to 100, with `links` and `meta` in the response; `limit` takes precedence.',
            20,
          ),
          minimum: 1,
          maximum: 100,
        },
        cursor: say('The `next_cursor` of the previous page.', paymentId),
      }),
      answer: 'PaymentList',
      answers: described(billPaymentsRoute.output, {
        data: listOf('Payment', 'The payments, newest first within a page.'),
        next_cursor: say(
          'The cursor of the next page; null on the last page, absent when the request has neither `limit` nor `cursor`.',
          null,
        ),
        links: {
          description:
            'The addresses of the first and the next page, in a response to `per_page`; `prev` is null.',
          $ref: ref('PageLinks'),
        },
        meta: {
          description:
            'Where this page is, in a response to `per_page`; its `prev_cursor` is null: pages lead on only.',
          $ref: ref('PageMeta'),
        },
        success,
      }),
    },
  ],
  [
    billStatusRoute,
    {
      takes: described(billStatusRoute.input, {
        id: say('The id of the bill, or of one of its payments. Takes precedence over `order_id`.', billId),
        order_id: say(
          'Returns the newest bill of this order. One of `id` and `order_id` is required.',
          'order-1',
        ),
        shop_id: say('With `order_id`: only bills of this shop.', '8sYw2Rk1TzQ4JhVe'),
      }),
      answer: 'BillStatus',
      answers: described(billStatusRoute.output, {
        ...billInFullSchema,
        success,
      }),
    },
  ],
  [
    paymentStatusRoute,
    {
      takes: described(paymentStatusRoute.input, {
        id: ofPayment.id,
        refunds: { ...say('1: the response has the refunds of the payment.', 1), default: false },
        chargeback: { ...say('1: the response has its confirmed chargebacks.', 1), default: false },
      }),
      answer: 'PaymentStatus',
      answers: described(paymentStatusRoute.output, {
        ...ofPayment,
        refunds: listOf('Refund', 'The refunds of the payment, oldest first; only with `refunds=1`.'),
        chargeback: listOf('Chargeback', 'Its confirmed chargebacks; only with `chargeback=1`.'),
        success,
      }),
    },
  ],
  [
    merchantBalanceRoute,
    {
      takes: noParameters,
      answer: 'Balances',
      answers: described(merchantBalanceRoute.output, {
        balances: listOf('Balance', 'One balance for each currency.'),
        success: successText,
      }),
    },
  ],
  [
    createPersonalPayoutRoute,
    {
      body: 'CreatePersonalPayout',
      takes: described(createPersonalPayoutRoute.input, {
        amount: amountToPay,
        payout_account_id: say('The id of the stored payout account.', 'b3f9KpQ7sXv2LmN8'),
        order_id: payoutOrder,
      }),
      answer: 'PayoutList',
      answers: described(createPersonalPayoutRoute.output, {
        data: listOf('Payout', 'The payout, or its parts when it was split.'),
        success,
      }),
    },
  ],
  [
    createRegularPayoutRoute,
    {
      body: 'CreateRegularPayout',
      takes: described(createRegularPayoutRoute.input, {
        ...ofRegularPayout,
        order_id: payoutOrder,
      }),
      answer: 'PayoutList',
      answers: described(createRegularPayoutRoute.output, {
        data: listOf('Payout', 'The payout, or its parts when it was split.'),
        success,
      }),
    },
  ],
  [
    payoutStatusRoute,
    {
      takes: described(payoutStatusRoute.input, {
        id: say('The id of the payout. Takes precedence over `order_id`.', payoutId),
        payout_id: say('An alias of `id`, which takes precedence.', payoutId),
        order_id: say(
          'Returns the payout with this order_id and all its parts. One of `id` and `order_id` is required.',
          'payout-1',
        ),
      }),
      answer: 'PayoutStatus',
      answers: described(payoutStatusRoute.output, {
        ...ofPayout,
        amount: say('The amount of the payout; queried by `order_id`, the total of all its parts.', 1000),
        commission: say('The fee of the payout; queried by `order_id`, the total of all its parts.', 10),
        ...sentAndReturned,
        data: listOf('Payout', 'The parts of a split payout, when it is queried by `order_id`.'),
        success,
      }),
    },
  ],
  [
    sbpBanksRoute,
    {
      takes: noParameters,
      answer: 'SbpBankList',
      answers: described(sbpBanksRoute.output, { data: listOf('SbpBank', 'The active banks.'), success }),
    },
  ],
  [
    cancelPayoutRoute,
    {
      body: 'CancelPayout',
      takes: described(cancelPayoutRoute.input, {
        id: say('The id of the payout, or of one part. Takes precedence over `order_id`.', payoutId),
        payout_id: say('An alias of `id`, which takes precedence.', payoutId),
        order_id: say(
          'Cancels all parts of this order, or none. One of `id` and `order_id` is required.',
          'payout-1',
        ),
      }),
      answer: 'PayoutList',
      answers: described(cancelPayoutRoute.output, {
        data: listOf('Payout', 'The cancelled payout, or all parts of the order: DECLINED.'),
        success,
      }),
    },
  ],
  [
    listPostbacksRoute,
    {
      takes: described(listPostbacksRoute.input, {
        id: say('One postback. Of several of these fields, the first counts; one is required.', postbackId),
        payment_id: say('The postbacks of a payment, and of its refunds and chargebacks.', paymentId),
        payout_id: say('The postbacks of a payout.', payoutId),
        refund_id: say('The postback of a refund.', `${paymentId}3dE5gH`),
        date: say(
          "The postbacks whose outcome was recorded on this day of the operator's time zone.",
          '2026-11-21',
        ),
        per_page: {
          ...say('The size of a page.', 20),
          type: ['integer', 'string'],
          minimum: 1,
          maximum: 100,
        },
        cursor: say(
          'The `next_cursor` or `prev_cursor` of a page of the same list.',
          'b2xkZXIgMjAyNi0xMS0yMQ',
        ),
      }),
      answer: 'PostbackList',
      answers: described(listPostbacksRoute.output, {
        data: listOf('Postback', 'The postbacks, newest first.'),
        meta: { description: 'Where this page is in the list.', $ref: ref('PostbackPage') },
        success,
      }),
    },
  ],
  [
    replayPostbackRoute,
    {
      body: 'ReplayPostback',
      takes: described(replayPostbackRoute.input, { id: ofPostback.id }),
      answer: 'ReplayedPostback',
      answers: described(replayPostbackRoute.output, { ...ofPostback, success }),
    },
  ],
  [
    testPostbackRoute,
    {
      body: 'TestPostback',
      takes: described(testPostbackRoute.input, {
        kind: say(
          "What the example reports. A payment goes to the shop's Result URL, a refund or chargeback to its refund URL, a payout to the merchant's payout webhook URL.",
          'payment',
        ),
        status: say(
          'The status that it reports; by default the first of its kind, SUCCESS or CONFIRMED.',
          'FAIL',
        ),
        shop_id: say('The id of the shop; required unless the kind is payout.', '8sYw2Rk1TzQ4JhVe'),
      }),
      answer: 'TestedPostback',
      answers: described(testPostbackRoute.output, {
        id: say('The id of the test: its `webhook-id`. Nothing else knows it.', 'test.x8Kq2LmN8b3f9KpQ.FAIL'),
        url: say('Where it was sent.', 'https://shop.example.com/result'),
        delivered: say('Whether your server answered 2xx.', true),
        ...ofAttempt,
        success,
      }),
    },
  ],
  [
    quotePayoutRoute,
    {
      body: 'QuotePayout',
      takes: described(quoteFields, {
        ...ofRegularPayout,
        payout_account_id: say(
          'The id of the stored payout account, as for payout/personal/create; without it the fields are those of payout/regular/create.',
          'b3f9KpQ7sXv2LmN8',
        ),
        order_id: payoutOrder,
      }),
      answer: 'PayoutQuote',
      answers: described(quotePayoutRoute.output, {
        ...ofQuote,
        data: listOf('QuotedPart', 'The payout, or the parts that it would be split into.'),
        currency: ofPayout.currency,
        account_type: say('How it would be sent.', 'credit_card'),
        account_identifier: ofPayout.account_identifier,
        commission_payer: say(
          'Who pays the fee: `sender`, on top of the amount, or `recipient`, out of it.',
          'sender',
        ),
        approval_required: say('Whether a person would have to approve it: MODERATING.', true),
        approval_reason: say(
          'Why: `possible_duplicate` (the same amount to the same account within ten minutes, without order_id and Idempotency-Key) or `review`.',
          'review',
        ),
        already_created: say(
          'Whether a creation would return the payouts of an earlier equal request, whose numbers these are, and create nothing.',
          false,
        ),
        limits: {
          ...say(
            'The limits of the day and of the month as they are now: without this payout unless it was already created.',
            {
              day: { limit: 1000000, used: 999000, left: 1000, resets_at: '2026-11-22 00:00:00' },
              month: { limit: 10000000, used: 999000, left: 9001000, resets_at: '2026-12-01 00:00:00' },
            },
          ),
          properties: { day: { $ref: ref('PayoutLimit') }, month: { $ref: ref('PayoutLimit') } },
        },
        success,
      }),
    },
  ],
  [
    searchBillsRoute,
    {
      takes: described(searchBillsRoute.input, {
        ...ofSearch,
        shop_id: ofShop,
        order_id: ofOrder,
        status: say('Only with this status. An expired bill that was never paid is FAIL.', 'SUCCESS'),
        type: say(`Only of this type. ${anyCase}`, 'NORMAL'),
        active: say('Only active bills, or only others. An expired bill is not active.', 1),
      }),
      answer: 'BillPage',
      answers: described(
        searchBillsRoute.output,
        foundPage('Bill', 'The bills, newest first, each as bill/status answers it.'),
      ),
    },
  ],
  [
    searchPaymentsRoute,
    {
      takes: described(searchPaymentsRoute.input, {
        ...ofSearch,
        shop_id: ofShop,
        bill_id: say('Only of this bill.', billId),
        order_id: ofOrder,
        status: say('Only with this status.', 'SUCCESS'),
        payment_method: say(`Only paid like this. ${anyCase}`, 'BANK_CARD'),
      }),
      answer: 'PaymentPage',
      answers: described(
        searchPaymentsRoute.output,
        foundPage('Payment', 'The payments, newest first, each as payment/status answers it.'),
      ),
    },
  ],
  [
    searchRefundsRoute,
    {
      takes: described(searchRefundsRoute.input, {
        ...ofSearch,
        payment_id: say('Only of this payment.', paymentId),
        bill_id: say('Only of this bill.', billId),
        status: say('Only with this status.', 'SUCCESS'),
      }),
      answer: 'RefundPage',
      answers: described(
        searchRefundsRoute.output,
        foundPage('Refund', 'The refunds, newest first, each as refund/status answers it.'),
      ),
    },
  ],
  [
    searchPayoutsRoute,
    {
      takes: described(searchPayoutsRoute.input, {
        ...ofSearch,
        order_id: ofOrder,
        status: say('Only with this status.', 'SUCCESS'),
        account_type: say(`Only to such accounts. ${anyCase}`, 'sbp'),
      }),
      answer: 'PayoutPage',
      answers: described(
        searchPayoutsRoute.output,
        foundPage('PayoutPart', 'The payouts, newest first, each part of a split one by itself.'),
      ),
    },
  ],
  [
    createFullRefundRoute,
    {
      body: 'CreateFullRefund',
      takes: described(createFullRefundRoute.input, refundRequest),
      answer: 'CreatedRefund',
      answers: described(createFullRefundRoute.output, { ...ofRefund, success }),
    },
  ],
  [
    createPartialRefundRoute,
    {
      body: 'CreatePartialRefund',
      takes: described(createPartialRefundRoute.input, { ...refundRequest, amount: amountToPay }),
      answer: 'CreatedRefund',
      answers: described(createPartialRefundRoute.output, { ...ofRefund, success }),
    },
  ],
  [
    refundStatusRoute,
    {
      takes: described(refundStatusRoute.input, { id: ofRefund.id }),
      answer: 'RefundStatus',
      answers: described(refundStatusRoute.output, { ...ofRefund, success }),
    },
  ],
]);

/** Returns the schemas of an endpoint's request and response. */
export function namedSchemas(route: ApiRoute): Named {
  const found = ofRoutes.get(route);
  if (!found) throw new Defect('DOCUMENT_ROUTE_MISSING', `${route.path} is not in the document`);
  return found;
}

const balance = (what: string, example: string) => say(`${what}, as text with eight decimals.`, example);

const parts: Readonly<Record<string, Json>> = {
  Payment: described(z.object(payment), ofPayment),
  Balance: described(z.object(balanceEntry), {
    currency: say('The currency of the balance.', 'RUB'),
    balance_available: balance('The sum that can be paid out', '98.49000000'),
    balance_locked: balance('The sum locked for payouts in progress', '0.00000000'),
    balance_hold: balance('The fees of these payouts', '0.00000000'),
    balance_reserved: balance(
      'The rolling reserve: received, and available for payouts after the agreed days',
      '10.94000000',
    ),
  }),
  Bill: described(z.object(billInFull), billInFullSchema),
  Payout: described(z.object(payout), ofPayout),
  PayoutPart: described(z.object({ ...payout, ...payoutOutcome }), { ...ofPayout, ...sentAndReturned }),
  Refund: described(z.object(refund), ofRefund),
  PageLinks: described(z.object(pageLinks), {
    first: say('The first page.', 'https://pay.example.com/api/v1/bill/search?per_page=20'),
    last: say('Always null.', null),
    prev: say('The page before; null on the first.', null),
    next: say('The next page; null on the last.', null),
  }),
  PageMeta: described(z.object(pageMeta), {
    per_page: say('The size of a page.', 20),
    next_cursor: say('The `cursor` of the next page; null on the last.', searchCursor),
    prev_cursor: say('The `cursor` of the page before; null on the first.', null),
  }),
  Chargeback: described(z.object(chargeback), {
    id: say('The id of the chargeback: `Id` of its postback.', `${paymentId}.chargeback.1`),
    payment_id: say('The id of the payment of which money was taken back.', paymentId),
    bill_id: ofRefund.bill_id,
    amount: say('What was taken back.', 40),
    currency: ofRefund.currency,
    status: say('Always CONFIRMED: others are not shown.', 'CONFIRMED'),
    created_at: say("When it became known, in the operator's time zone.", '2026-11-21 15:00:00'),
  }),
  QuotedPart: described(z.object(quotedPart), ofQuote),
  PayoutLimit: described(z.object(quotedLimit), {
    limit: say('The limit.', 1000000),
    used: say('How much of it is used.', 999000),
    left: say('How much of it is left.', 1000),
    resets_at: say('When it starts anew.', '2026-11-22 00:00:00'),
  }),
  Postback: described(z.object(postback), ofPostback),
  PostbackPage: described(z.object(postbackPage), {
    per_page: say('The size of a page.', 20),
    next_cursor: say('The cursor of the next page; null on the last.', null),
    prev_cursor: say('The cursor of the page before; null on the first.', null),
  }),
  PostbackAttempt: described(z.object(postbackAttempt), ofAttempt),
  SbpBank: described(z.object(sbpBank), {
    member_id: say('The `account_bank` of a regular payout.', 100000000111),
    name: say('The name in Russian.', 'Сбербанк'),
    name_en: say('The name in English.', 'Sberbank'),
    bic: say('The bank identification code, as text because it may begin with 0.', '044525225'),
  }),
  RefusalDetails: {
    description:
      'The numbers behind a refused amount: the first four for a limit, the others for an amount or a charge.',
    ...described(refusalDetails, {
      limit: say('The limit of the day or of the month.', 1000000),
      used: say('How much of the limit is used.', 999000),
      left: say('The largest amount that is within the limit now.', 1000),
      resets_at: say('When the limit starts anew.', '2026-11-22 00:00:00'),
      minimum: say('The smallest amount, or the smallest charge.', 1),
      maximum: say('The largest amount, or the largest charge.', 5000000),
      largest_part: say('The largest single payout; a larger amount is split.', 500000),
      most_parts: say('The largest number of payouts that an amount is split into.', 10),
      charge: say('What the payer of the bill would be charged: the amount and the fee that they pay.', 10.2),
      refundable: say('What can still be refunded of the payment.', 60.5),
    }),
  },
  FieldErrors: {
    type: 'object',
    description: 'What to fix in the request: a list of sentences for each field.',
    additionalProperties: { type: 'array', items: { type: 'string' } },
    examples: [{ amount: ['The amount field is required.'] }],
  },
};

const schemaOf = (schema: z.ZodMiniType): Json => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
};

/** Returns every named schema, in the order of the contract. */
export const componentSchemas = (): Json => ({
  ...Object.fromEntries(
    [...ofRoutes.values()].flatMap(({ body, takes, answer, answers }) => [
      ...(body === undefined ? [] : [[body, takes] as const]),
      [answer, answers] as const,
    ]),
  ),
  ...parts,
  PaymentPostback: schemaOf(z.object({ ...paymentPostback.shape, ...paymentPostbackExtension.shape })),
  PayoutPostback: schemaOf(payoutPostback),
  RefundPostback: schemaOf(refundPostback),
  ChargebackPostback: schemaOf(chargebackPostback),
  PayerRedirect: schemaOf(payerRedirect),
});

export const refTo = (name: string): Json => ({ $ref: ref(name) });
