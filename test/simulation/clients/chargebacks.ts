import type { Decision } from '../../../lib/decision/decision.ts';
import { isPaymentId } from '../../../lib/ids.ts';
import type { World } from '../harness/world.ts';

/** How the operators' decisions are submitted (operator.ts). */
type Submit = {
  readonly alone: (world: World, decision: Decision) => Promise<unknown>;
  readonly byTwo: (world: World, decision: Decision, isTrue: boolean) => Promise<void>;
};

/**
 * Chargebacks: a person enters one that only letters tell of; two decide an open one, maybe while others do, also one that the
 * acquirer reported; what is owed is collected or written off.
 */
export async function chargebacks(world: World, submit: Submit): Promise<void> {
  const { random } = world;
  const paid = [...world.ended].flatMap(([id, state]) => (isPaymentId(id) && state !== 'FAIL' ? [id] : []));
  if (paid.length > 0) {
    const paymentId = random.pick(paid);
    const amountMinor = BigInt(random.below(20_000));
    const direction = random.happens(0.8) ? 'loss' : 'surplus';
    await submit.alone(world, {
      kind: 'enter_chargeback',
      paymentId,
      direction,
      amountMinor,
      reason: 'letter',
    });
  }
  const open = await world.invoke('list chargebacks', (ports) => ports.chargebacks.listOpen());
  if (open.kind === 'done' && open.done.length > 0) {
    const { id: chargebackId } = random.pick(open.done);
    await world.pause(random.below(40));
    const bearer = random.happens(0.8) ? 'merchant' : 'platform';
    const confirms = random.happens(0.8);
    const decision: Decision = confirms
      ? { kind: 'confirm_chargeback', chargebackId, bearer, reason: 'case 4711' }
      : { kind: 'dismiss_chargeback', chargebackId, reason: 'not ours' };
    await submit.byTwo(world, decision, random.happens(0.8));
  }
  const owed = await world.invoke('list claims', (ports) => ports.claims.listOpen());
  if (owed.kind !== 'done' || owed.done.length === 0) return;
  const { id: claimId } = random.pick(owed.done);
  if (random.happens(0.7)) await submit.alone(world, { kind: 'collect_claim', claimId });
  else
    await submit.byTwo(world, { kind: 'write_off_claim', claimId, reason: 'insolvent' }, random.happens(0.5));
}
