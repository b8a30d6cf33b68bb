import { somePayer } from './acts.ts';
import {
  changeCapturedAmount,
  chargeBack,
  expireConfirmation,
  expireHold,
  nineTenths,
  succeedLate,
} from './payments.ts';
import { finishPayout } from './payouts.ts';
import type { DueRecord } from './records.ts';
import { endRegistration } from './registration.ts';
import { finishRefund, refundAtProvider } from './refunds.ts';
import type { World } from './world.ts';

/**
 * Carries out the scheduled acts that are due by the emulator's clock, in order of time. Each takes effect at its own time, not at
 * that of the call. Called before every request and once a second.
 */
export function runDue(world: World): void {
  const { state } = world;
  for (;;) {
    const next = earliest(state.due.values());
    if (!next || next.at > world.clock.now()) return;
    state.atomically(() => {
      state.removeDue(next.id);
      carryOut(world, next);
    });
  }
}

function earliest(records: Iterable<DueRecord>): DueRecord | undefined {
  let first: DueRecord | undefined;
  for (const each of records) {
    if (!first || each.at < first.at || (each.at === first.at && each.id < first.id)) first = each;
  }
  return first;
}

function carryOut(world: World, { act, object, at }: DueRecord): void {
  const { state } = world;
  if (act === 'finish_refund') {
    const refund = state.refunds.get(object);
    if (refund) finishRefund(world, refund, at);
    return;
  }
  if (act === 'finish_payout') {
    const payout = state.payouts.get(object);
    if (payout) finishPayout(world, payout, at);
    return;
  }
  if (act === 'end_registration') {
    const withReceipt = state.payments.get(object) ?? state.refunds.get(object);
    if (withReceipt) endRegistration(world, withReceipt);
    return;
  }
  const payment = state.payments.get(object);
  if (!payment) return;
  switch (act) {
    case 'expire_confirmation':
      return expireConfirmation(world, payment);
    case 'expire_hold':
      return expireHold(world, payment);
    case 'refund_at_provider':
      return refundAtProvider(world, payment, at);
    case 'charge_back':
      return chargeBack(world, payment, at);
    case 'succeed_late':
      succeedLate(world, payment, somePayer(payment), at);
      return;
    case 'change_captured_amount':
      return changeCapturedAmount(world, payment, nineTenths(payment.amountMinor), at);
  }
}
