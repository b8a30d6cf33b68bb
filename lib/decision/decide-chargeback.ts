import type { Balances } from '../ledger/balance.ts';
import {
  type Bearer,
  type Chargeback,
  type Chargebacks,
  decidedChargeback,
  isDecidedChargeback,
} from '../ledger/chargeback.ts';
import { readSignedReason, type Signature, type SignedReasonRefusal } from '../ledger/signed-reason.ts';
import { chargebackPosting } from '../payment/chargeback-postings.ts';
import { chargebackEvent } from '../payment/chargeback-postback.ts';
import { enqueuePostback } from '../payment/outcome-postback.ts';
import type { Payments } from '../payment/ports.ts';
import type { Shops } from '../merchant/ports.ts';
import type { PostbackQueue } from '../postback/ports.ts';
import { fail, ok, type Result } from '../result.ts';
import { conflict, retryOnConflict, tooManyConflicts } from '../retry-on-conflict.ts';

export type ChargebackPorts = {
  readonly now: () => Date;
  readonly payments: Pick<Payments, 'find'>;
  readonly balances: Balances;
  readonly chargebacks: Chargebacks;
  readonly shops: Pick<Shops, 'find'>;
  readonly postbackQueue: PostbackQueue;
};
type Command = Signature & { readonly id: string; readonly chargebackId: string; readonly reason: string };
type DecisionRefusal =
  | SignedReasonRefusal
  | 'chargeback_not_found'
  | 'chargeback_already_decided'
  | 'payment_not_found'
  | 'takes_two_people';
type Decided = Result<Chargeback, DecisionRefusal>;

/**
 * Confirms the item, which takes two people: a loss is debited from the merchant's balance up to what is available, and the
 * rest becomes a claim; or the platform bears it. A surplus credits nobody: it is booked to `correction`, from where an
 * adjustment may give it to the merchant. When the balance changes meanwhile, it is read again. A loss is posted to the shop's
 * refund URL, where it has one.
 */
export async function confirmChargeback(
  ports: ChargebackPorts,
  { bearer, ...command }: Command & { readonly bearer: Bearer },
): Promise<Decided> {
  const { payments, balances, chargebacks, now } = ports;
  return decideOnce(ports, command, async (chargeback, signed) => {
    const payment = await payments.find(chargeback.paymentId);
    if (!payment) return fail('payment_not_found');
    const [own, shop] = await Promise.all([
      balances.of(chargeback.merchantId),
      ports.shops.find(payment.shopId),
    ]);
    const { available = 0n } = own.find(({ currency }) => currency === payment.settlement.currency) ?? {};
    const isLoss = chargeback.direction === 'loss';
    const after = decidedChargeback(chargeback, 'CONFIRMED', {
      ...signed,
      at: now(),
      bearer: isLoss ? bearer : undefined,
      posted: isLoss && shop?.refundUrl !== undefined,
    });
    const event = chargebackEvent(after, payment);
    const posting = chargebackPosting(payment, after, available);
    const written = await chargebacks.confirm(after, { ...posting, event });
    if (!written.ok) return conflict;
    await enqueuePostback(ports, event);
    return ok(after);
  });
}

/** Dismisses the item, which takes two people: nothing is posted. */
export const dismissChargeback = (ports: ChargebackPorts, command: Command): Promise<Decided> =>
  decideOnce(ports, command, async (chargeback, signed) => {
    const decision = { ...signed, at: ports.now(), bearer: undefined, posted: undefined };
    const after = decidedChargeback(chargeback, 'DISMISSED', decision);
    return (await ports.chargebacks.dismiss(after)).ok ? ok(after) : conflict;
  });

type Signed = {
  readonly id: string;
  readonly proposedBy: string;
  readonly approvedBy: string;
  readonly reason: string;
};

/** Reads the item and decides it, again after a conflict. A decision that is carried out again finds the item as it left it. */
async function decideOnce(
  { chargebacks }: ChargebackPorts,
  { chargebackId, ...signature }: Command,
  decide: (chargeback: Chargeback, signed: Signed) => Promise<Decided | typeof conflict>,
): Promise<Decided> {
  const { id, approvedBy } = signature;
  const signed = readSignedReason(signature);
  if (!signed.ok) return signed;
  const { by: proposedBy, reason } = signed.value;
  const attempt = async (): Promise<Decided | typeof conflict> => {
    const chargeback = await chargebacks.find(chargebackId);
    if (!chargeback) return fail('chargeback_not_found');
    if (isDecidedChargeback(chargeback))
      return chargeback.decision?.id === id ? ok(chargeback) : fail('chargeback_already_decided');
    if (approvedBy === undefined) return fail('takes_two_people');
    return decide(chargeback, { id, proposedBy, approvedBy, reason });
  };
  return retryOnConflict(attempt, { exhausted: tooManyConflicts('The merchant’s balance') });
}
