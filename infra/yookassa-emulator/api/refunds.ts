import { lives } from '../clock.ts';
import { mannerOf } from '../manners.ts';
import { transferStatuses, type RefundRecord } from '../records.ts';
import { createRefund, refundableMinor } from '../refunds.ts';
import { listOf, refund as refundAnswer } from '../schemas/answers.ts';
import { newRefund, notImitated } from '../schemas/requests.ts';
import { settingsOf } from '../world.ts';
import { parse, type Call, type Route } from './call.ts';
import { invalid, notFound } from './errors.ts';
import { choice, page } from './lists.ts';
import { amountOf } from './payments.ts';
import { present } from './present.ts';
import { checkReceipt } from './receipts.ts';

function create(call: Call): RefundRecord {
  const { world, at } = call;
  const body = parse(newRefund, call.body, notImitated.refund);
  const amountMinor = amountOf(body.amount);
  const payment = world.state.payments.get(body.payment_id);
  if (!payment)
    throw invalid(
      'payment_id',
      "Incorrect payment_id. Payment doesn't exist or access denied. Specify the payment ID created in your store.",
    );
  if (payment.status !== 'succeeded')
    throw invalid('payment_id', `A payment with the status ${payment.status} cannot be refunded.`);
  if (at - payment.createdAt > lives.listed)
    throw invalid('payment_id', 'A payment can be refunded for three years.');
  const rest = refundableMinor(world, payment);
  if (amountMinor === 0 || amountMinor > rest)
    throw invalid(
      'amount.value',
      'The amount of a refund is more than zero and at most what was not refunded yet.',
    );
  // For a whole refund the vendor makes the receipt from the payment's.
  const isWhole = body.receipt === undefined && amountMinor === payment.amountMinor;
  const asked = {
    amountMinor,
    description: body.description,
    metadata: body.metadata ?? {},
    withReceipt: isWhole ? payment.withReceipt : checkReceipt(call, body.receipt, amountMinor),
    manner: call.manner ?? mannerOf('refund', amountMinor),
  };
  return createRefund(world, payment, asked, at);
}

function refund({ world, id }: Call): RefundRecord {
  if (id.length !== 36) throw invalid('refund_id', 'A refund id has 36 characters.');
  const known = world.state.refunds.get(id);
  if (!known) throw notFound("Incorrect refund_id. Refund doesn't exist or access denied.", 'refund_id');
  return known;
}

function list(call: Call) {
  const { world, query } = call;
  const status = choice(query, 'status', transferStatuses);
  const paymentId = query.get('payment_id');
  if (paymentId !== null && paymentId.length !== 36)
    throw invalid('payment_id', 'A payment id has 36 characters.');
  return page(call, {
    objects: world.state.refunds.values(),
    reach: lives.listed,
    lagSeconds: settingsOf(world).listLagSeconds,
    keep: (each) =>
      (status === undefined || each.status === status) &&
      (paymentId === null || each.paymentId === paymentId),
  });
}

export const refundRoutes: readonly Route[] = [
  { method: 'POST', path: /^\/refunds$/, account: 'shop', act: create, answer: refundAnswer },
  { method: 'GET', path: /^\/refunds$/, account: 'shop', read: list, answer: listOf(refundAnswer) },
  {
    method: 'GET',
    path: /^\/refunds\/([^/]+)$/,
    account: 'shop',
    read: (call) => present(call.world, refund(call)),
    answer: refundAnswer,
  },
];
