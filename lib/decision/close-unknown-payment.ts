import { readSignedReason, type SignedReasonRefusal } from '../ledger/signed-reason.ts';
import type { UnknownPayment, UnknownPayments } from '../payment/unknown-payments.ts';
import { fail, ok, type Result } from '../result.ts';

type Ports = {
  readonly now: () => Date;
  readonly unknownPayments: Pick<UnknownPayments, 'find' | 'close'>;
};
type Command = Pick<UnknownPayment, 'provider' | 'reference' | 'state'> & {
  /** The id of the decision: a repetition finds the order closed by it. */
  readonly id: string;
  readonly by: string;
  readonly reason: string;
};
type CloseRefusal =
  | SignedReasonRefusal
  | 'unknown_payment_not_found'
  | 'unknown_payment_closed'
  | 'unknown_payment_changed';

/**
 * Closes an order that no payment has, in the state that the person saw. One person may: it moves no money, and the order is
 * listed again when its state changes at the acquirer.
 */
export async function closeUnknownPayment(
  { now, unknownPayments }: Ports,
  { id, by, reason, provider, reference, state }: Command,
): Promise<Result<UnknownPayment, CloseRefusal>> {
  const signed = readSignedReason({ by, reason });
  if (!signed.ok) return signed;
  const known = await unknownPayments.find({ provider, reference });
  if (!known) return fail('unknown_payment_not_found');
  if (known.closed) return known.closed.id === id ? ok(known) : fail('unknown_payment_closed');
  if (known.state !== state) return fail('unknown_payment_changed');
  const closed = { id, ...signed.value, at: now() };
  return (await unknownPayments.close(known, closed))
    ? ok({ ...known, closed })
    : fail('unknown_payment_changed');
}
