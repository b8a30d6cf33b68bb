import { toPaymentId } from '../../lib/ids.ts';
import type { AcquirerView, KnownOrder, StartRequest } from '../../lib/payment/acquirer.ts';
import { sandboxAcquirer } from '../../lib/provider/sandbox-acquirer.ts';
import { kindManners, type SandboxManners } from '../../lib/sandbox/manners.ts';
import { sandboxSecret, sandboxUrl } from './sandbox.ts';

/** The sandbox's clock, until a test moves it. */
export const sandboxTime = new Date('2030-06-15T12:00:00Z');
export const paymentId = toPaymentId('BillBillBillBill00Payment1');

/** What the protocol sends for a payment by card in two steps; `traits` change it. */
export const startRequest = (traits: Partial<StartRequest> = {}): StartRequest => ({
  paymentId,
  method: 'card',
  holds: true,
  amountMinor: 10_000n,
  currency: 'RUB',
  reference: undefined,
  firstCallAt: sandboxTime,
  lastCallAt: sandboxTime,
  key: `${traits.paymentId ?? paymentId}.1`,
  description: 'Two <b>cups</b>',
  returnUrl: 'https://shop.test/result/payment-1',
  language: 'en',
  notifyUrl: 'https://shop.test/acquirer/notification',
  about: { merchantId: 'merchant', shopId: 'shop', billId: 'bill', orderId: undefined },
  receipt: undefined,
  ...traits,
});

/** The sandbox's adapter, and what the protocol does with an order through it. */
export function ordersAt(send: typeof fetch, traits: Partial<SandboxManners> = {}) {
  const manners = { ...kindManners, ...traits };
  const acquirer = sandboxAcquirer({ url: sandboxUrl, secret: sandboxSecret, fetch: send, manners });
  const holds = manners.steps === 'two';
  return {
    acquirer,
    /** Opens an order with its page. */
    open: async (some: Partial<StartRequest> = {}) => {
      const request = startRequest({ holds, ...some });
      const started = await acquirer.start(request);
      if (started.kind === 'refused') throw new Error(`refused: ${started.outcome}`);
      const { reference, pageUrl = '' } = started;
      return { pageUrl, reference, known: { ...request, reference } };
    },
    capture: async (order: KnownOrder, amountMinor = order.amountMinor): Promise<AcquirerView> => {
      const key = `${order.paymentId}.capture.1`;
      const { view } = await acquirer.capture(order, { key, amountMinor, receipt: undefined });
      return view;
    },
    cancel: async (order: KnownOrder, attempt = 1): Promise<AcquirerView> => {
      const { view } = await acquirer.cancel(order, { key: `${order.paymentId}.cancel.${attempt}` });
      return view;
    },
    refund: async (order: KnownOrder, amountMinor = order.amountMinor, attempt = 1) => {
      const refundId = `${order.paymentId}.refund.${attempt}`;
      return acquirer.refund(order, { key: refundId, refundId, amountMinor, receipt: undefined });
    },
  };
}
