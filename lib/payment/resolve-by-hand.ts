import { readSignedReason, type SignedReasonRefusal } from '../ledger/signed-reason.ts';
import { fail, ok, type Result } from '../result.ts';
import { bookForRefund } from './duplicate-capture.ts';
import { recordFailure } from './fail-payment.ts';
import { awaitsAcquirer, chargeMinor, type HandOutcome, type Payment, type PaymentPhase } from './payment.ts';
import type { AcquirerView, PaymentWithBill } from './ports.ts';
import type { OutcomePorts } from './resolve-step.ts';
import { recordCapture } from './settle-payment.ts';

/** What may be said by hand of a payment that waits for this: what is to go back is not settled any more. */
export const outcomesByHand: Readonly<Record<PaymentPhase, readonly HandOutcome[]>> = {
  AUTHORIZING: ['captured', 'failed'],
  CAPTURING: ['captured', 'failed'],
  VOIDING: ['failed'],
  REFUNDING: ['failed'],
  DONE: [],
};

/** Until then a payer may still be on the card page. */
const leastAgeMs = 3600_000;

type HandResolution = {
  readonly paymentId: string;
  /** As it was shown: one that has moved since is to be looked at again. */
  readonly phase: PaymentPhase;
  readonly outcome: HandOutcome;
  /** What was captured; the charge unless another amount is given. */
  readonly amountMinor?: bigint | undefined;
  readonly by: string;
  /** Where the outcome is known from: the acquirer's back office, its statement's line. Kept with the payment. */
  readonly evidence: string;
};

type HandRefusal =
  | 'payment_not_found'
  | 'payment_is_final'
  | 'payment_changed'
  | 'payment_is_young'
  | 'payment_goes_back'
  | 'void_is_under_way'
  | 'amount_not_possible'
  | SignedReasonRefusal;

/**
 * A person's word in the place of the acquirer's, for what the acquirer contradicts or no longer knows: T3, T4, T6 or
 * T7, as if it had said so. It is not called, and the sweep may take the same step at any moment: only one of the two
 * is written. What fails here is voided by the sweep as soon as the acquirer can be asked, so that a charge that nobody
 * saw goes back; said once more an hour later, it is over.
 */
export async function resolveByHand(
  ports: OutcomePorts,
  resolution: HandResolution,
): Promise<Result<Payment, HandRefusal>> {
  const found = await ports.payments.findWithBill(resolution.paymentId);
  if (!found) return fail('payment_not_found');
  const refusal = whyNotByHand(found.payment, resolution, ports.now());
  if (refusal) return fail(refusal);
  const signed = readSignedReason({ by: resolution.by, reason: resolution.evidence });
  if (!signed.ok) return signed;

  const decision = { verdict: resolution.outcome, ...signed.value, at: ports.now() };
  const decisions = [...(found.payment.decisions ?? []), decision];
  const decided = { ...found, payment: { ...found.payment, decisions } };
  const { outcome, amountMinor = chargeMinor(found.payment) } = resolution;
  const written =
    outcome === 'captured'
      ? await capturedByHand(ports, decided, amountMinor)
      : await recordFailure(ports, decided, { phase: phaseAfterFailure[found.payment.phase] });
  if (!written.ok) return fail('payment_changed');
  const after = await ports.payments.find(resolution.paymentId);
  if (!after) return fail('payment_not_found');
  // What is still to be done at the acquirer is due at once; unheard, this costs only the time until its next check.
  if (awaitsAcquirer(after)) await ports.payments.postponeCheck(after, ports.now()).catch(() => undefined);
  return ok(after);
}

function whyNotByHand(
  payment: Payment,
  { phase, outcome, amountMinor }: HandResolution,
  now: Date,
): HandRefusal | undefined {
  if (!awaitsAcquirer(payment)) return 'payment_is_final';
  if (payment.phase !== phase) return 'payment_changed';
  if (!outcomesByHand[phase].includes(outcome)) return 'payment_goes_back';
  if (now.getTime() - payment.createdAt.getTime() < leastAgeMs) return 'payment_is_young';
  if (isVoidedJustNow(payment, now)) return 'void_is_under_way';
  return isPossible(payment, { amountMinor, outcome }) ? undefined : 'amount_not_possible';
}

/** The acquirer is to be asked before the same word ends it without having been heard there. */
function isVoidedJustNow({ status, phase, decisions = [] }: Payment, now: Date): boolean {
  const last = decisions.at(-1);
  return (
    status === 'FAIL' &&
    phase === 'VOIDING' &&
    last !== undefined &&
    now.getTime() - last.at.getTime() < leastAgeMs
  );
}

type Amount = Pick<HandResolution, 'amountMinor' | 'outcome'>;

/** One person alone credits no more than the payer was asked for: what is above that takes two, an adjustment. */
const isPossible = (payment: Payment, { amountMinor, outcome }: Amount): boolean =>
  amountMinor === undefined ||
  (outcome === 'captured' && amountMinor > 0n && amountMinor <= chargeMinor(payment));

/** What the acquirer may hold after all is voided there first; of what was to go back nothing is left to do. */
const phaseAfterFailure: Readonly<Record<PaymentPhase, PaymentPhase>> = {
  AUTHORIZING: 'VOIDING',
  CAPTURING: 'VOIDING',
  VOIDING: 'DONE',
  REFUNDING: 'DONE',
  DONE: 'DONE',
};

/** T3; T6 when another payment finished the bill. */
async function capturedByHand(ports: OutcomePorts, found: PaymentWithBill, amountMinor: bigint) {
  const view: AcquirerView = { state: 'captured', amountMinor };
  const written = await recordCapture(ports, found, view);
  return written.ok || written.error === 'moved_meanwhile'
    ? written
    : bookForRefund(ports, found.payment, view);
}
