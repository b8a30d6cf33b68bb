import { lives } from './clock.ts';
import { newPayoutId, newSbpOperationId } from './ids.ts';
import type { Manner } from './manners.ts';
import type { Metadata, PayoutDestination, PayoutRecord } from './records.ts';
import { saveAndNotify, type World } from './world.ts';

export type NewPayout = {
  readonly amountMinor: number;
  readonly destination: PayoutDestination;
  readonly description: string | undefined;
  readonly metadata: Metadata;
  readonly manner: Manner | undefined;
};

const declinedByProvider: ReadonlySet<string> = new Set([
  'insufficient_funds',
  'fraud_suspected',
  'one_time_limit_exceeded',
  'periodic_limit_exceeded',
  'identification_required',
  'self_employed_annual_limit_exceeded',
]);

/**
 * Creates a payout. Its amount leaves the gateway's account at once. Through SBP it ends a few seconds later, to a card or a
 * wallet at once, unless the manner says otherwise. An account that has less cancels it with `insufficient_funds`.
 */
export function createPayout(world: World, asked: NewPayout, at: number): PayoutRecord {
  const { state } = world;
  const created: PayoutRecord = {
    kind: 'payout',
    id: newPayoutId(at),
    sequence: state.next(),
    createdAt: at,
    succeededAt: undefined,
    status: 'pending',
    cancellation: undefined,
    ...asked,
  };
  const { manner, amountMinor } = asked;
  if (state.balance('gateway') < amountMinor) return cancelPayout(world, created, 'insufficient_funds');
  state.post({ at, account: 'gateway', what: 'payout', object: created.id, minor: -amountMinor });
  const usual = asked.destination.type === 'sbp' ? lives.sbpTransfer : 0;
  const afterMs = manner?.kind === 'ends' ? manner.afterMs : usual;
  if (afterMs === 0) return finishPayout(world, created, at);
  state.save(created);
  if (afterMs !== undefined) state.schedule({ at: at + afterMs, act: 'finish_payout', object: created.id });
  return created;
}

/** Ends a pending payout as its manner says. */
export function finishPayout(world: World, payout: PayoutRecord, at: number): PayoutRecord {
  if (payout.status !== 'pending') return payout;
  const { id, amountMinor, destination, manner } = payout;
  if (manner?.kind === 'ends' && manner.reason !== undefined) {
    world.state.post({ at, account: 'gateway', what: 'payout_returned', object: id, minor: amountMinor });
    return cancelPayout(world, payout, manner.reason);
  }
  const paid: PayoutRecord = {
    ...payout,
    status: 'succeeded',
    succeededAt: at,
    destination:
      destination.type === 'sbp' ? { ...destination, operationId: newSbpOperationId() } : destination,
  };
  saveAndNotify(world, paid, 'payout.succeeded');
  return paid;
}

function cancelPayout(world: World, payout: PayoutRecord, reason: string): PayoutRecord {
  const party = declinedByProvider.has(reason) ? 'yoo_money' : 'payout_network';
  const canceled: PayoutRecord = { ...payout, status: 'canceled', cancellation: { party, reason } };
  saveAndNotify(world, canceled, 'payout.canceled');
  return canceled;
}
