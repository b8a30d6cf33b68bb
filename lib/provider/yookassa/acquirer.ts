import * as z from 'zod/mini';
import { Defect } from '../../defect.ts';
import type {
  Acquirer,
  AcquirerView,
  KnownOrder,
  MethodTerms,
  PaymentMethod,
  RefundView,
} from '../../payment/acquirer.ts';
import type { ReceiptTerms } from '../../payment/receipt.ts';
import type { StatementLine } from '../../provider-port.ts';
import { amountOf } from './amount.ts';
import { doneBody, readAnswer, yookassaClient, type YookassaAccess, type YookassaAnswer } from './client.ts';
import { createdAround, everyItem, within } from './lists.ts';
import { readHint } from './notification.ts';
import {
  isOfAnother,
  isReference,
  ours,
  paymentObject,
  referencePath,
  refundObject,
  statedPayment,
  type PaymentObject,
} from './objects.ts';
import { metadataOf, orderBody } from './order-body.ts';
import { feeOf, viewOf, viewOfPayment, viewOfRefund } from './payment-view.ts';
import { withReceipt } from './receipt-body.ts';

export type YookassaAcquirerOptions = YookassaAccess & {
  /** The methods that the shop has, with their limits. */
  readonly limits: MethodLimits;
  /** The receipts of the shop; absent when it sends none. */
  readonly receipts?: ReceiptTerms;
};
type MethodLimits = Readonly<Partial<Record<PaymentMethod, MethodTerms['limits']>>>;

const payableMinutes = 60;
const reportsFee = true;

/**
 * What YooKassa promises of its methods; known without its secret. Its page is open for an hour, and an unpaid order ends by
 * itself then: `cancel` takes only authorised orders.
 *
 * Both end states are final by the provider's word. For a card that follows from the two steps too: nothing is captured without
 * our call. SBP has no hold: the payer's bank may confirm as the hour ends, and the money is taken without us. So an SBP payment that
 * failed is queried again, which costs two reads.
 */
const methodsWith = ({ card, sbp }: MethodLimits): Acquirer['methods'] => ({
  ...(card && {
    card: {
      limits: card,
      holds: true,
      payableMinutes,
      endsOpenOrders: false,
      failureIsFinal: true,
      reportsFee,
    },
  }),
  ...(sbp && {
    sbp: {
      limits: sbp,
      holds: false,
      payableMinutes,
      endsOpenOrders: false,
      failureIsFinal: false,
      reportsFee,
    },
  }),
});

/** The provider's page and its redirects have no promised addresses. Over plain HTTP it is the emulator, on this machine. */
function pageSourceOf(apiUrl: string): string {
  const { protocol, hostname } = new URL(apiUrl);
  return protocol === 'https:' ? 'https:' : `${protocol}//${hostname}:*`;
}

/** YooKassa as an acquirer: cards in two steps, SBP in one. */
export function yookassaAcquirer({ limits, receipts, ...access }: YookassaAcquirerOptions): Acquirer {
  const call = yookassaClient(access);

  const read = async (reference: string): Promise<PaymentObject | undefined> => {
    const answer = await call(`payments/${reference}`, { method: 'GET' });
    if (answer.kind === 'refused' && answer.about === 'missing') return undefined;
    return readAnswer(paymentObject, doneBody(answer));
  };
  const get = async (order: KnownOrder): Promise<AcquirerView> => {
    const payment = await read(referencePath(order.reference));
    if (!payment) throw new Defect('YOOKASSA_ORDER_MISSING', 'YooKassa has no order under this reference');
    return viewOfPayment(payment, order);
  };
  /** The view after a capture or a cancellation. A refusal says only that this call did nothing, so the order is read. */
  const acted = async (order: KnownOrder, answer: YookassaAnswer) => {
    if (answer.kind === 'refused' && answer.about === 'request')
      return { view: await get(order), refused: true };
    return { view: viewOfPayment(readAnswer(paymentObject, doneBody(answer)), order), refused: false };
  };

  return {
    name: 'yookassa',
    methods: methodsWith(limits),
    pageSource: pageSourceOf(access.apiUrl),
    receipts,

    async start(request) {
      const answer = await call('payments', { method: 'POST', key: request.key, body: orderBody(request) });
      if (answer.kind === 'refused') return { kind: 'refused', outcome: answer.outcome };
      const payment = readAnswer(paymentObject, answer.body);
      const view = viewOfPayment(payment, request);
      return { kind: 'opened', reference: payment.id, pageUrl: payment.confirmation?.confirmation_url, view };
    },

    get,

    async look(reference) {
      const payment = isReference(reference) ? await read(reference) : undefined;
      return payment && found(payment);
    },

    async find(order) {
      for await (const item of everyItem(call, 'payments', createdAround(order), z.unknown())) {
        // The shop may have orders that are not ours, of any shape.
        if (isOfAnother(item, 'payment_id', order.paymentId)) continue;
        const payment = readAnswer(paymentObject, item);
        if (ours(payment, 'payment_id') === order.paymentId)
          return { ...found(payment), view: viewOfPayment(payment, order) };
      }
      return 'absent';
    },

    async capture(order, { key, amountMinor, receipt }) {
      const { currency } = order;
      const body = { amount: amountOf(amountMinor, currency), ...withReceipt(receipt, currency) };
      const path = `payments/${referencePath(order.reference)}/capture`;
      return acted(order, await call(path, { method: 'POST', key, body }));
    },

    async cancel(order, { key }) {
      const path = `payments/${referencePath(order.reference)}/cancel`;
      return acted(order, await call(path, { method: 'POST', key, body: {} }));
    },

    async refund(order, { key, refundId, amountMinor, receipt }) {
      const body = {
        payment_id: order.reference,
        amount: amountOf(amountMinor, order.currency),
        metadata: metadataOf({ refund_id: refundId, payment_id: order.paymentId }),
        ...withReceipt(receipt, order.currency),
      };
      const answer = await call('refunds', { method: 'POST', key, body });
      if (answer.kind === 'refused' && answer.about !== 'us')
        return { state: 'rejected', outcome: answer.outcome, providerEmpty: false };
      return viewOfRefund(readAnswer(refundObject, doneBody(answer)));
    },

    async findRefund(order, refundId): Promise<RefundView | undefined> {
      const query = { payment_id: order.reference };
      for await (const refund of everyItem(call, 'refunds', query, refundObject)) {
        if (ours(refund, 'refund_id') === refundId) return viewOfRefund(refund);
      }
      return undefined;
    },

    async statement({ from, to }) {
      const lines: StatementLine[] = [];
      const captured = { ...within('captured_at', from, to), status: 'succeeded' };
      for await (const payment of everyItem(call, 'payments', captured, statedPayment)) {
        const { amount, captured_at: at } = payment;
        if (!at)
          throw new Defect('YOOKASSA_CAPTURE_TIME_MISSING', 'A captured payment has no time of capture');
        lines.push({
          kind: 'payment',
          reference: payment.id,
          ourId: ours(payment, 'payment_id'),
          orderReference: payment.id,
          amountMinor: amount.value,
          feeMinor: feeOf(payment),
          currency: amount.currency,
          at,
        });
      }
      // A refund has only its creation: the API has no time of its end.
      const refunded = { ...within('created_at', from, to), status: 'succeeded' };
      for await (const refund of everyItem(call, 'refunds', refunded, refundObject)) {
        lines.push({
          kind: 'refund',
          reference: refund.id,
          ourId: ours(refund, 'refund_id'),
          orderReference: refund.payment_id,
          amountMinor: refund.amount.value,
          feeMinor: undefined,
          currency: refund.amount.currency,
          at: refund.created_at,
        });
      }
      return lines;
    },

    readNotification: async (_headers, body) => readHint(body),
  };
}

const found = (payment: PaymentObject) => ({
  reference: payment.id,
  paymentId: ours(payment, 'payment_id'),
  view: viewOf(payment),
});
