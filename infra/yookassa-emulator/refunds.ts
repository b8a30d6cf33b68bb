import { newRefundId, newRrn, newSbpOperationId } from './ids.ts';
import type { Manner } from './manners.ts';
import type { Metadata, PaymentRecord, RefundRecord } from './records.ts';
import { beginRegistration } from './registration.ts';
import { saveAndNotify, type World } from './world.ts';

export type NewRefund = {
  readonly amountMinor: number;
  readonly description: string | undefined;
  readonly metadata: Metadata;
  readonly withReceipt: boolean;
  readonly manner: Manner | undefined;
};

/** What may still be refunded: refunds in progress count as refunded. */
export function refundableMinor({ state }: World, payment: PaymentRecord): number {
  if (payment.status !== 'succeeded' || payment.chargedBack) return 0;
  const taken = state
    .refundsOf(payment.id)
    .reduce((sum, each) => (each.status === 'canceled' ? sum : sum + each.amountMinor), 0);
  return payment.amountMinor - taken;
}

/** Creates a refund that succeeds at once, unless its manner says otherwise. The caller has checked the amount. */
export function createRefund(
  world: World,
  payment: PaymentRecord,
  asked: NewRefund,
  at: number,
): RefundRecord {
  const created: RefundRecord = {
    kind: 'refund',
    id: newRefundId(at),
    sequence: world.state.next(),
    createdAt: at,
    status: 'pending',
    paymentId: payment.id,
    registration: undefined,
    sbpOperationId: undefined,
    rrn: undefined,
    cancellation: undefined,
    ...asked,
  };
  const { manner } = asked;
  if (manner?.kind !== 'ends' || manner.afterMs === 0) return finishRefund(world, created, at);
  world.state.save(created);
  if (manner.afterMs !== undefined)
    world.state.schedule({ at: at + manner.afterMs, act: 'finish_refund', object: created.id });
  return created;
}

/**
 * Ends a pending refund as its manner says, or cancels it when the payment was charged back meanwhile. The vendor has no
 * notification for a canceled refund.
 */
export function finishRefund(world: World, refund: RefundRecord, at: number): RefundRecord {
  const { state } = world;
  const payment = state.payments.get(refund.paymentId);
  if (refund.status !== 'pending' || !payment) return refund;
  const ownReason = refund.manner?.kind === 'ends' ? refund.manner.reason : undefined;
  const reason = payment.chargedBack ? 'general_decline' : ownReason;
  if (reason !== undefined) {
    const party = reason.startsWith('rejected') ? 'refund_network' : 'yoo_money';
    const canceled: RefundRecord = { ...refund, status: 'canceled', cancellation: { party, reason } };
    state.save(canceled);
    return canceled;
  }
  const { amountMinor } = refund;
  const bySbp = payment.paidWith?.type === 'sbp';
  const ended: RefundRecord = {
    ...refund,
    status: 'succeeded',
    sbpOperationId: bySbp ? newSbpOperationId() : undefined,
    rrn: bySbp ? undefined : newRrn(),
    registration: beginRegistration(world, refund, at),
  };
  state.post({ at, account: 'shop', what: 'refund', object: refund.id, minor: -amountMinor });
  state.save({ ...payment, refundedMinor: payment.refundedMinor + amountMinor });
  saveAndNotify(world, ended, 'refund.succeeded');
  return ended;
}

/** The provider returns what is left, without being asked by the merchant. */
export function refundAtProvider(world: World, payment: PaymentRecord, at: number): void {
  const amountMinor = refundableMinor(world, payment);
  if (amountMinor <= 0) return;
  const rest = { description: undefined, metadata: {}, withReceipt: false, manner: undefined };
  createRefund(world, payment, { amountMinor, ...rest }, at);
}
