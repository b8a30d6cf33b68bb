import type * as z from 'zod/mini';
import { lives } from '../clock.ts';
import { newPaymentId } from '../ids.ts';
import { mannerOf } from '../manners.ts';
import { currency, minorUnits } from '../money.ts';
import { cancel, capture } from '../payments.ts';
import { paymentStatuses, type PaymentRecord } from '../records.ts';
import { listOf, payment as paymentAnswer } from '../schemas/answers.ts';
import { paymentMethods } from '../schemas/fields.ts';
import { newCapture, newPayment, notImitated } from '../schemas/requests.ts';
import { settingsOf } from '../world.ts';
import { parse, type Call, type Route } from './call.ts';
import { forbidden, invalid, notFound } from './errors.ts';
import { choice, page, timeFilter } from './lists.ts';
import { present } from './present.ts';
import { checkReceipt } from './receipts.ts';

type Body = z.output<typeof newPayment>;

/** What one payment may be, in minor units: from a rouble to what the method allows. */
const largest = { bank_card: 350_000_00, sbp: 700_000_00 } as const;
const smallest = 1_00;

function create(call: Call): PaymentRecord {
  const { world, at } = call;
  const body = parse(newPayment, call.body, notImitated.payment);
  const askedMinor = amountOf(body.amount);
  const method = methodOf(body.payment_method_data);
  const capturesAtOnce = body.capture ?? false;
  const returnUrl = returnUrlOf(body.confirmation);
  if (askedMinor < smallest || askedMinor > largest[method ?? 'sbp'])
    throw invalid('amount.value', 'The amount is outside the limits of the payment method.');
  if (method === 'sbp' && !capturesAtOnce)
    throw invalid('capture', 'Payments in two steps are not available for this payment method.');
  if (body.save_payment_method === true)
    throw forbidden('This shop cannot save payment methods.', 'save_payment_method');
  const payment: PaymentRecord = {
    kind: 'payment',
    id: newPaymentId(at),
    sequence: world.state.next(),
    createdAt: at,
    status: 'pending',
    askedMinor,
    amountMinor: askedMinor,
    capture: capturesAtOnce,
    description: body.description,
    metadata: body.metadata ?? {},
    merchantCustomerId: body.merchant_customer_id,
    returnUrl,
    locale: body.confirmation?.locale,
    method,
    withReceipt: checkReceipt(call, body.receipt, askedMinor),
    registration: undefined,
    step: undefined,
    paidWith: undefined,
    expiresAt: undefined,
    capturedAt: undefined,
    refundedMinor: 0,
    chargedBack: false,
    cancellation: undefined,
    manner: call.manner ?? mannerOf('payment', askedMinor),
  };
  world.state.save(payment);
  world.state.schedule({ at: at + lives.confirmation, act: 'expire_confirmation', object: payment.id });
  return payment;
}

/** The shop's account is in roubles. */
export function amountOf(amount: { readonly value: string; readonly currency: string }): number {
  if (amount.currency !== currency)
    throw invalid('amount.currency', 'The currency is not that of the account.');
  return minorUnits(amount.value);
}

type MethodData = { readonly type: string; readonly card?: unknown };

function methodOf(data: MethodData | undefined): 'bank_card' | 'sbp' | undefined {
  if (!data) return undefined;
  if (data.card !== undefined)
    throw forbidden('This shop may not send card data.', 'payment_method_data.card');
  if (data.type === 'bank_card' || data.type === 'sbp') return data.type;
  throw invalid('payment_method_data.type', 'The payment method is not available to this shop.');
}

function returnUrlOf(confirmation: Body['confirmation']): string {
  if (!confirmation) throw invalid('confirmation', 'Missing required parameter confirmation');
  if (confirmation.type !== 'redirect')
    throw invalid('confirmation.type', 'The confirmation type is not available to this shop.');
  if (confirmation.return_url === undefined)
    throw invalid('confirmation.return_url', 'Missing required parameter confirmation.return_url');
  return confirmation.return_url;
}

/** The payment of the path. */
function paymentOf({ world, id }: Call): PaymentRecord {
  if (id.length !== 36) throw invalid('payment_id', 'A payment id has 36 characters.');
  const known = world.state.payments.get(id);
  if (known) return known;
  throw notFound(
    "Incorrect payment_id. Payment doesn't exist or access denied. Specify the payment ID created in your store.",
    'payment_id',
  );
}

function captureHold(call: Call): PaymentRecord {
  const { world, at } = call;
  const body = parse(newCapture, call.body, notImitated.capture);
  const held = paymentOf(call);
  mustBeHeld(held);
  const amountMinor = body.amount ? amountOf(body.amount) : held.amountMinor;
  if (amountMinor < smallest || amountMinor > held.amountMinor)
    throw invalid(
      'amount.value',
      'The amount of a capture is at least a rouble and at most what is authorized.',
    );
  const isPart = amountMinor < held.amountMinor;
  const receipts = settingsOf(world).receipts;
  const withReceipt =
    body.receipt !== undefined || (receipts && isPart)
      ? checkReceipt(call, body.receipt, amountMinor)
      : held.withReceipt;
  return capture(world, { ...held, withReceipt }, amountMinor, at);
}

function cancelHold(call: Call): PaymentRecord {
  const held = paymentOf(call);
  mustBeHeld(held);
  return cancel(call.world, held, { party: 'merchant', reason: 'canceled_by_merchant' });
}

function mustBeHeld({ status }: PaymentRecord): void {
  if (status !== 'waiting_for_capture')
    throw invalid('payment_id', `The payment has the status ${status} and not waiting_for_capture.`);
}

function list(call: Call) {
  const { world, query } = call;
  const status = choice(query, 'status', paymentStatuses);
  const method = choice(query, 'payment_method', paymentMethods);
  const captured = timeFilter(query, 'captured_at');
  return page(call, {
    objects: world.state.payments.values(),
    reach: lives.listed,
    lagSeconds: settingsOf(world).listLagSeconds,
    keep: (each) =>
      (status === undefined || each.status === status) &&
      (method === undefined || (each.paidWith?.type ?? each.method) === method) &&
      captured(each.capturedAt),
  });
}

export const paymentRoutes: readonly Route[] = [
  { method: 'POST', path: /^\/payments$/, account: 'shop', act: create, answer: paymentAnswer },
  { method: 'GET', path: /^\/payments$/, account: 'shop', read: list, answer: listOf(paymentAnswer) },
  {
    method: 'GET',
    path: /^\/payments\/([^/]+)$/,
    account: 'shop',
    read: (call) => present(call.world, paymentOf(call)),
    answer: paymentAnswer,
  },
  {
    method: 'POST',
    path: /^\/payments\/([^/]+)\/capture$/,
    account: 'shop',
    act: captureHold,
    answer: paymentAnswer,
  },
  {
    method: 'POST',
    path: /^\/payments\/([^/]+)\/cancel$/,
    account: 'shop',
    act: cancelHold,
    answer: paymentAnswer,
  },
];
