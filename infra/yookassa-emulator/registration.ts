import type { PaymentRecord, Registration, RefundRecord } from './records.ts';
import type { World } from './world.ts';

type WithReceipt = PaymentRecord | RefundRecord;

/** The registration begins when the money moves. It ends at once, unless the object's manner says otherwise. */
export function beginRegistration(world: World, object: WithReceipt, at: number): Registration | undefined {
  const { withReceipt, manner, id } = object;
  if (!withReceipt) return undefined;
  if (manner?.kind !== 'receipt_ends') return 'succeeded';
  if (manner.afterMs !== undefined)
    world.state.schedule({ at: at + manner.afterMs, act: 'end_registration', object: id });
  return 'pending';
}

/** The sales register has an answer: the receipt is registered, or for a person to mend. The vendor sends no notification. */
export function setRegistration(world: World, object: WithReceipt, registration: Registration): void {
  if (object.withReceipt && object.status === 'succeeded') world.state.save({ ...object, registration });
}

/** Ends a pending registration as the object's manner says. */
export function endRegistration(world: World, object: WithReceipt): void {
  const { manner, registration } = object;
  if (manner?.kind === 'receipt_ends' && registration === 'pending')
    setRegistration(world, object, manner.registration);
}
