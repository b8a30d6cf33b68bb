import { type PaymentId, readPaymentId } from '../ids.ts';
import { kindOf, type Log } from '../log.ts';
import type { Acquirer, FoundOrder } from './acquirer.ts';
import type { PaymentWithBill } from './ports.ts';
import { isRefundOpen } from './refund-totals.ts';
import { resolvePayment } from './resolve-payment.ts';
import type { ResolvePorts } from './resolve-step.ts';
import { ReferenceConflict, storeReference } from './start-order.ts';
import type { UnknownPayments } from './unknown-payments.ts';

export type NotificationPorts = ResolvePorts & {
  readonly log: Log;
  /** Reads the payment's open refunds at the acquirer: the notification may be about one of them. */
  readonly lookAtRefunds: (paymentId: PaymentId) => Promise<void>;
  readonly unknownPayments: Pick<UnknownPayments, 'find' | 'keep'>;
  readonly alarm: (
    alarm: Parameters<ResolvePorts['alarm']>[0] | 'unknown_payment',
    about: { readonly payment: string },
  ) => void;
};
type Notification = {
  /** The acquirer whose address received it. */
  readonly provider: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
};

/**
 * Handles a notification from an acquirer. Its content is not trusted: it is a hint about a reference. The payment is checked with the
 * acquirer, even when it is final, which also finds late money. An order that the acquirer has and no payment has is kept for the
 * operator, until a person closes it. `refused`: not from the acquirer.
 */
export async function receiveNotification(
  ports: NotificationPorts,
  { provider, headers, body }: Notification,
): Promise<'accepted' | 'refused'> {
  const acquirer = ports.acquirers.named(provider);
  const hint = await acquirer?.readNotification(headers, body);
  if (!acquirer || !hint) return 'refused';
  if (hint.about !== 'payment' && hint.about !== 'refund') return 'accepted';
  const hinted = await findPayment(ports, readPaymentId(hint.paymentId));
  const isAsHinted =
    hinted &&
    ports.acquirers.named(hinted.payment.acquirer)?.name === acquirer.name &&
    hinted.payment.reference === hint.reference;
  const found = isAsHinted ? hinted : await foundAt(ports, acquirer, hint.reference);
  if (found) await resolve(ports, found);
  return 'accepted';
}

const findPayment = async (
  { payments }: NotificationPorts,
  paymentId: PaymentId | undefined,
): Promise<PaymentWithBill | undefined> => paymentId && payments.findWithBill(paymentId);

/** Looks the reference up at the acquirer: it may precede the answer of our own call, be forged, or be about an order we lost. */
async function foundAt(
  ports: NotificationPorts,
  acquirer: Acquirer,
  reference: string,
): Promise<PaymentWithBill | undefined> {
  const order = await acquirer.look(reference);
  if (!order) {
    ports.log('info', 'notification_ignored', { why: 'no_such_order' });
    return undefined;
  }
  if (await isClosed(ports, acquirer, order)) {
    ports.log('info', 'notification_ignored', { why: 'order_closed' });
    return undefined;
  }
  const found = await findPayment(ports, readPaymentId(order.paymentId));
  if (!found) {
    ports.alarm('unknown_payment', { payment: order.paymentId ?? reference });
    await keepUnknown(ports, acquirer, order);
    return undefined;
  }
  const { payment } = found;
  if (ports.acquirers.named(payment.acquirer)?.name !== acquirer.name) {
    ports.alarm('reference_conflict', { payment: payment.id });
    await keepUnknown(ports, acquirer, order);
    return undefined;
  }
  try {
    await storeReference(ports, payment, reference);
  } catch (error) {
    if (!(error instanceof ReferenceConflict)) throw error;
    await keepUnknown(ports, acquirer, order);
    return undefined;
  }
  return { ...found, payment: { ...payment, reference } };
}

/** Whether a person has closed the order in the state that it still has. A refund is no other state: the order stays captured. */
async function isClosed(
  { unknownPayments }: NotificationPorts,
  { name: provider }: Acquirer,
  { reference, view }: FoundOrder,
): Promise<boolean> {
  const known = await unknownPayments.find({ provider, reference });
  return known?.closed !== undefined && known.state === view.state;
}

/** Called after the alarm: a crash cannot suppress it. */
async function keepUnknown(
  { unknownPayments, now }: NotificationPorts,
  { name: provider }: Acquirer,
  { reference, paymentId, view: { state, ...view } }: FoundOrder,
): Promise<void> {
  const amountMinor = 'amountMinor' in view ? view.amountMinor : undefined;
  const order = { provider, reference, paymentId, state, amountMinor };
  await unknownPayments.keep({ ...order, at: now(), closed: undefined });
}

async function resolve(ports: NotificationPorts, found: PaymentWithBill): Promise<void> {
  const { id } = found.payment;
  if (isRefundOpen(found.payment)) await ports.lookAtRefunds(id);
  await resolvePayment(ports, id, { evenIfFinal: true, found }).catch((error: unknown) => {
    // Logged here because the caller that handles the error does not know the payment.
    ports.log('error', 'payment_not_resolved', { ...kindOf(error), payment: id });
    throw error;
  });
}
