import * as z from 'zod/mini';
import type { YookassaCredentials } from '../../lib/provider/yookassa/client.ts';

export const apiUrl = 'https://api.yookassa.test/v3';
export const shop: YookassaCredentials = { id: '100500', secretKey: 'test_current' };
export const reference = '1da5c87d-0984-50e8-a7f3-8de646dd9ec9';
export const otherReference = '215d8da0-000f-50be-b000-0003308c89be';

type Recorded = {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>> | undefined;
};
/** One answer: its status and body; text is sent as it is. `undefined`: the connection breaks. */
export type Canned = readonly [status: number, body: object | string] | undefined;

const object = z.record(z.string(), z.unknown());

/** A `fetch` that gives these answers in turn and records what was asked. */
export function answering(...answers: readonly Canned[]) {
  const asked: Recorded[] = [];
  const send = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    const canned = answers[asked.length];
    asked.push({
      method: init.method ?? 'GET',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof init.body === 'string' ? object.parse(JSON.parse(init.body)) : undefined,
    });
    if (!canned) throw new TypeError('fetch failed');
    const [status, body] = canned;
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });
  };
  return { send, asked };
}

export const errorOf = (code: string, more: object = {}) => ({
  type: 'error',
  id: 'ecf255db-cce8-4f15-8fc2-3d7a4678c867',
  code,
  description: 'Described by the provider',
  ...more,
});

export const listOf = (items: readonly object[], nextCursor?: string) => ({
  type: 'list',
  items,
  ...(nextCursor !== undefined && { next_cursor: nextCursor }),
});

/** A payment as the provider's API answers it (yookassa.ru/developers/api#payment_object). */
export const aPaymentObject = (traits: object = {}) => ({
  id: reference,
  status: 'pending',
  amount: { value: '100.50', currency: 'RUB' },
  description: 'Two cups of tea',
  recipient: { account_id: '100500', gateway_id: '100700' },
  created_at: '2026-11-21T12:34:56.789Z',
  confirmation: {
    type: 'redirect',
    confirmation_url: `https://yoomoney.test/checkout/payments/v2/contract?orderId=${reference}`,
  },
  test: true,
  paid: false,
  refundable: false,
  metadata: { payment_id: 'BillBillBillBill00Payment1' },
  ...traits,
});

const paidByCard = {
  paid: true,
  payment_method: {
    type: 'bank_card',
    id: reference,
    saved: false,
    status: 'inactive',
    title: 'Bank card *4477',
    card: {
      first6: '555555',
      last4: '4477',
      expiry_year: '2030',
      expiry_month: '12',
      card_type: 'MasterCard',
      issuer_country: 'US',
    },
  },
  authorization_details: { rrn: '603668680243', auth_code: '062467', three_d_secure: { applied: true } },
};

export const authorised = (traits: object = {}) =>
  aPaymentObject({
    ...paidByCard,
    status: 'waiting_for_capture',
    confirmation: undefined,
    expires_at: '2026-11-28T12:34:56.789Z',
    ...traits,
  });

export const succeeded = (traits: object = {}) =>
  aPaymentObject({
    ...paidByCard,
    status: 'succeeded',
    confirmation: undefined,
    income_amount: { value: '96.98', currency: 'RUB' },
    captured_at: '2026-11-21T12:40:00.000Z',
    refundable: true,
    ...traits,
  });

export const cancelled = (reason: string, traits: object = {}) =>
  aPaymentObject({
    status: 'canceled',
    confirmation: undefined,
    cancellation_details: { party: 'payment_network', reason },
    ...traits,
  });

export const aRefundObject = (traits: object = {}) => ({
  id: otherReference,
  payment_id: reference,
  status: 'succeeded',
  created_at: '2026-11-21T12:50:00.000Z',
  amount: { value: '100.50', currency: 'RUB' },
  metadata: { refund_id: 'BillBillBillBill00Payment1.refund.1' },
  ...traits,
});

export const aPayoutObject = (traits: object = {}) => ({
  id: 'po-27ced252-0025-5000-9000-0a682a8bab8f',
  amount: { value: '1500.00', currency: 'RUB' },
  status: 'pending',
  payout_destination: {
    type: 'sbp',
    phone: '79161234567',
    bank_id: '100000000004',
    recipient_checked: false,
  },
  created_at: '2026-11-21T12:34:56.789Z',
  metadata: { payout_id: 'GroupGroupGroupGroup01', attempt: '1' },
  test: true,
  ...traits,
});
