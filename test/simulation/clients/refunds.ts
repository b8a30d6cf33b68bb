import { billIdOf, isPaymentId, type PaymentId } from '../../../lib/ids.ts';
import { toDecimal } from '../../../lib/money/money.ts';
import { createRefund, type CreateRefund } from '../../../lib/refund/create-refund.ts';
import type { World } from '../harness/world.ts';
import { call } from './merchant.ts';
import { submitDecision } from './operator.ts';

/**
 * Refunds of a payment that was seen paid: all of it, a part, several at once, by its merchant or by an operator. Some come twice with one
 * `Idempotency-Key`, and some ask for more than is left, or than the balance has.
 */
export async function refund(world: World): Promise<void> {
  const { random, population } = world;
  const paid = [...world.ended].flatMap(([id, state]) => (isPaymentId(id) && state !== 'FAIL' ? [id] : []));
  if (paid.length === 0) return;
  // Often one of the latest, so that several refunds meet in one payment.
  const paymentId = random.happens(0.6) ? random.pick(paid.slice(-3)) : random.pick(paid);
  const merchant = population.bills.find(({ id }) => id === billIdOf(paymentId))?.merchant;
  if (!merchant) return;
  if (random.happens(0.2)) return refundByOperator(world, paymentId);
  const idempotencyKey = random.happens(0.3) ? `refund-${random.below(30)}` : undefined;
  const times = random.happens(0.3) ? 2 : 1;
  const part = { kind: 'part', text: toDecimal(somePart(world)) } as const;
  const command: Omit<CreateRefund, 'by'> = {
    paymentId,
    amount: random.happens(0.3) ? { kind: 'full' } : part,
    reason: random.happens(0.3) ? 'the tea was cold' : undefined,
    payer: { email: undefined, phone: undefined },
    idempotencyKey,
  };
  const create = async () => {
    const ran = await call(world, merchant, 'create refund', (ports, caller) =>
      createRefund(ports, { ...command, by: { kind: 'merchant', caller } }),
    );
    if (ran.kind !== 'done' || !ran.done) return;
    if (!ran.done.ok) world.count(`refund refused ${ran.done.error}`);
    else world.count(`did ${ran.done.value.replayed ? 'replay' : 'create'} a refund`);
  };
  await Promise.all(Array.from({ length: times }, create));
}

const somePart = ({ random }: World): bigint => BigInt(1 + random.below(60_000));

/** An operator decides on what was refundable when the payment was shown, or on a part; sometimes two decide at once. */
async function refundByOperator(world: World, paymentId: PaymentId): Promise<void> {
  const { random } = world;
  const shown = await world.invoke('show payment', ({ payments }) => payments.find(paymentId));
  if (shown.kind !== 'done' || !shown.done) return;
  const { receivedMinor = 0n, refunds } = shown.done;
  const left = receivedMinor - (refunds?.reservedMinor ?? 0n);
  const amountMinor = random.happens(0.3) && left > 0n ? left : somePart(world);
  const decide = async () => {
    const made = await submitDecision(world, {
      kind: 'create_refund',
      paymentId,
      amountMinor,
      reason: 'the payer called',
    });
    if (made) world.count('did create a refund by an operator');
  };
  await Promise.all(Array.from({ length: random.happens(0.3) ? 2 : 1 }, decide));
}
