import { lives } from './clock.ts';
import { feeOf } from './money.ts';
import type { Cancellation, PaidByCard, PaidBySbp, PaymentRecord } from './records.ts';
import { beginRegistration } from './registration.ts';
import { saveAndNotify, type World } from './world.ts';

/** Who declines what: the network and the issuer most of it, the provider fraud and countries. */
const declinedByProvider: ReadonlySet<string> = new Set(['fraud_suspected', 'country_forbidden']);

/** The money is held, or captured at once in one step. The payer's authorization is for the whole amount unless the manner says less. */
export function authorize(
  world: World,
  payment: PaymentRecord,
  paidWith: PaidByCard | PaidBySbp,
  at: number,
) {
  const amountMinor =
    payment.manner?.kind === 'authorizes_less' ? nineTenths(payment.askedMinor) : payment.askedMinor;
  const paid: PaymentRecord = { ...payment, amountMinor, paidWith, step: undefined };
  if (payment.capture) return succeed(world, paid, at);
  const expiresAt = at + lives.hold;
  world.state.schedule({ at: expiresAt, act: 'expire_hold', object: payment.id });
  const held: PaymentRecord = { ...paid, status: 'waiting_for_capture', expiresAt };
  saveAndNotify(world, held, 'payment.waiting_for_capture');
  return held;
}

/** Captures a hold, in full or in part. The caller has checked the status and the amount. */
export const capture = (world: World, held: PaymentRecord, amountMinor: number, at: number): PaymentRecord =>
  succeed(world, { ...held, amountMinor, expiresAt: undefined }, at);

/** Ends a payment without money. */
export function cancel(world: World, payment: PaymentRecord, cancellation: Cancellation): PaymentRecord {
  const ended: PaymentRecord = {
    ...payment,
    status: 'canceled',
    cancellation,
    step: undefined,
    expiresAt: undefined,
  };
  saveAndNotify(world, ended, 'payment.canceled');
  return ended;
}

/** The issuer or the provider declines the payer's card: the payment ends at once. */
export const decline = (world: World, payment: PaymentRecord, paidWith: PaidByCard, reason: string) =>
  cancel(
    world,
    { ...payment, paidWith },
    {
      party: declinedByProvider.has(reason) ? 'yoo_money' : 'payment_network',
      reason,
    },
  );

export function expireConfirmation(world: World, payment: PaymentRecord): void {
  if (payment.status !== 'pending') return;
  const { manner } = payment;
  if (manner?.kind === 'succeeds_late') {
    const at = payment.createdAt + lives.confirmation + manner.afterMs;
    world.state.schedule({ at, act: 'succeed_late', object: payment.id });
  }
  cancel(world, payment, { party: 'yoo_money', reason: 'expired_on_confirmation' });
}

export function expireHold(world: World, payment: PaymentRecord): void {
  if (payment.status === 'waiting_for_capture')
    cancel(world, payment, { party: 'yoo_money', reason: 'expired_on_capture' });
}

/** A final state that was not final: money arrives for a canceled payment. */
export function succeedLate(
  world: World,
  payment: PaymentRecord,
  paidWith: PaidByCard | PaidBySbp,
  at: number,
) {
  if (payment.status !== 'canceled') return payment;
  return succeed(world, { ...payment, paidWith: payment.paidWith ?? paidWith, cancellation: undefined }, at);
}

/** The captured amount is corrected by the provider, without a refund object. */
export function changeCapturedAmount(
  world: World,
  payment: PaymentRecord,
  amountMinor: number,
  at: number,
): void {
  if (payment.status !== 'succeeded') return;
  const { id } = payment;
  const minor = amountMinor - payment.amountMinor;
  world.state.post({ at, account: 'shop', what: 'correction', object: id, minor });
  world.state.save({ ...payment, amountMinor });
}

/** The payer's bank takes the money back. No refund object says so; the payment shows it as refunded. */
export function chargeBack(world: World, payment: PaymentRecord, at: number): void {
  const rest = payment.amountMinor - payment.refundedMinor;
  if (payment.status !== 'succeeded' || rest === 0) return;
  world.state.post({ at, account: 'shop', what: 'chargeback', object: payment.id, minor: -rest });
  world.state.save({ ...payment, refundedMinor: payment.amountMinor, chargedBack: true });
}

function succeed(world: World, payment: PaymentRecord, at: number): PaymentRecord {
  const registration = beginRegistration(world, payment, at);
  const paid: PaymentRecord = { ...payment, status: 'succeeded', capturedAt: at, registration };
  const { id, amountMinor, manner } = paid;
  const { state } = world;
  state.post({ at, account: 'shop', what: 'payment', object: id, minor: amountMinor });
  state.post({ at, account: 'shop', what: 'fee', object: id, minor: -feeOf(amountMinor) });
  if (manner?.kind === 'refunded_by_provider')
    state.schedule({ at: at + manner.afterMs, act: 'refund_at_provider', object: id });
  if (manner?.kind === 'charged_back')
    state.schedule({ at: at + manner.afterMs, act: 'charge_back', object: id });
  if (manner?.kind === 'captured_amount_changes')
    state.schedule({ at: at + manner.afterMs, act: 'change_captured_amount', object: id });
  saveAndNotify(world, paid, 'payment.succeeded');
  return paid;
}

export const nineTenths = (minor: number): number => Math.floor((minor * 9) / 10);
