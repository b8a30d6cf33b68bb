import type { PaymentId } from '../ids.ts';
import { readSignedReason, type SignedReasonRefusal } from '../ledger/signed-reason.ts';
import type { ReceiptName, UnregisteredReceipt, UnregisteredReceipts } from '../payment/follow-receipts.ts';
import { fail, ok, type Result } from '../result.ts';

type Ports = {
  readonly now: () => Date;
  readonly unregisteredReceipts: Pick<UnregisteredReceipts, 'find' | 'close'>;
};
type Command = {
  /** The id of the decision: a repetition finds the receipt closed by it. */
  readonly id: string;
  readonly by: string;
  readonly reason: string;
  readonly paymentId: PaymentId | undefined;
} & Omit<ReceiptName, 'paymentId'>;
type CloseRefusal = SignedReasonRefusal | 'receipt_not_found' | 'receipt_closed';

/** Closes a receipt that was not registered, after a person has made it. One person may: it moves no money. */
export async function closeReceipt(
  { now, unregisteredReceipts }: Ports,
  { id, by, reason, paymentId, refundId, of }: Command,
): Promise<Result<UnregisteredReceipt, CloseRefusal>> {
  const signed = readSignedReason({ by, reason });
  if (!signed.ok) return signed;
  const known = paymentId && (await unregisteredReceipts.find({ paymentId, refundId, of }));
  if (!known) return fail('receipt_not_found');
  if (known.closed) return known.closed.id === id ? ok(known) : fail('receipt_closed');
  const closed = { id, ...signed.value, at: now() };
  return (await unregisteredReceipts.close(known, closed))
    ? ok({ ...known, closed })
    : fail('receipt_closed');
}
