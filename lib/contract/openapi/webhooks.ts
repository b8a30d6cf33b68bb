import { postbackHeaders } from '../postbacks.ts';
import { refTo } from './named-schemas.ts';
import type { Json } from './schema.ts';

const examples: Readonly<Record<keyof typeof postbackHeaders, string>> = {
  'webhook-id': 'pay.x8Kq2LmN8b3f9KpQ00aB3dE5gH.SUCCESS',
  'webhook-timestamp': '1795273200',
  'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  'paylink-sequence': '1795273200000',
  'user-agent': 'Paylink-Postback/1',
};

const headers: readonly Json[] = Object.entries(postbackHeaders).map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example: Object.entries(examples).find(([header]) => header === name)?.[1],
}));

const form = 'application/x-www-form-urlencoded';

type Webhook = {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly schema: string;
  readonly encodings: readonly string[];
  readonly parameters?: readonly Json[];
  readonly responses: Json;
};

const webhook = ({
  id,
  summary,
  description,
  schema,
  encodings,
  parameters = [],
  responses,
}: Webhook): Json => ({
  post: {
    operationId: id,
    tags: ['Postbacks'],
    summary,
    description,
    security: [],
    parameters,
    requestBody: {
      required: true,
      content: Object.fromEntries(encodings.map((encoding) => [encoding, { schema: refTo(schema) }])),
    },
    responses,
  },
});

const postbackResponses: Json = {
  '2XX': { description: 'Accepted. Respond within 15 seconds.' },
  410: { description: 'Nothing more is sent to this URL until the operator resumes it.' },
  default: {
    description:
      'Retried after 5 s, 30 s, 2 min, 10 min, 1, 3, 6, 12, 24 and 24 h. Redirects are not followed.',
  },
};

const redirect = (name: 'success' | 'fail', url: string, when: string): Json =>
  webhook({
    id: `${name}-redirect`,
    summary: `The payer's browser returns to the ${url}`,
    description: `A form that the browser posts ${when} It is a cross-site POST, sent without cookies that are SameSite=Lax, so respond with a 303 to a page of your own. It is not proof of payment.`,
    schema: 'PayerRedirect',
    encodings: [form],
    responses: { 303: { description: 'Redirect to a page that shows the state of the order.' } },
  });

/** Returns what the service sends (contract 6): the postbacks and both redirects. */
export const webhooks = (): Json => ({
  paymentPostback: webhook({
    id: 'payment-postback',
    summary: "A payment ended; sent to the shop's Result URL",
    description:
      'Form-encoded, or JSON if the shop is set so. Verify `SignatureValue` and `webhook-signature`. Delivered at least once, in any order: SUCCESS wins over FAIL. The fields after `SignatureValue` come only to shops that switched extended postbacks on.',
    schema: 'PaymentPostback',
    encodings: [form, 'application/json'],
    parameters: headers,
    responses: postbackResponses,
  }),
  payoutPostback: webhook({
    id: 'payout-postback',
    summary: "A payout ended; sent to the merchant's payout webhook URL",
    description: 'Form-encoded. Verify `SignatureValue` and `webhook-signature`. Delivered at least once.',
    schema: 'PayoutPostback',
    encodings: [form],
    parameters: headers,
    responses: postbackResponses,
  }),
  refundPostback: webhook({
    id: 'refund-postback',
    summary: "A refund ended; sent to the shop's refund URL",
    description:
      "Encoded as the shop's payment postbacks are. Verify `SignatureValue` and `webhook-signature`. Delivered at least once, after the payment's own postback.",
    schema: 'RefundPostback',
    encodings: [form, 'application/json'],
    parameters: headers,
    responses: postbackResponses,
  }),
  chargebackPostback: webhook({
    id: 'chargeback-postback',
    summary: "A chargeback was confirmed; sent to the shop's refund URL",
    description:
      "Encoded as the shop's payment postbacks are. Verify `SignatureValue` and `webhook-signature`. Delivered at least once, after the payment's own postback.",
    schema: 'ChargebackPostback',
    encodings: [form, 'application/json'],
    parameters: headers,
    responses: postbackResponses,
  }),
  successRedirect: redirect(
    'success',
    'Success URL',
    'after a payment that took money (SUCCESS, UNDERPAID, OVERPAID).',
  ),
  failRedirect: redirect('fail', 'Fail URL', 'after a payment that took no money.'),
});
