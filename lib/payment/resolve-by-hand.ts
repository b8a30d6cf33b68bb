import type { PaymentId } from '../ids.ts';
import {
  type Contradiction,
  readSignedReason,
  type Signature,
  type SignedReasonRefusal,
} from '../ledger/signed-reason.ts';
import { toDecimal } from '../money/money.ts';
import { fail, ok, type Result } from '../result.ts';
import { bookForRefund } from './duplicate-capture.ts';
import { recordFailure } from './fail-payment.ts';
import { awaitsAcquirer, chargeMinor, type HandOutcome, type Payment, type PaymentPhase } from './payment.ts';
import { isAtOtherAcquirer } from './other-acquirer.ts';
import type { Acquirer, AcquirerView, PaymentWithBill } from './ports.ts';
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

type HandResolution = Signature & {
  /** Undefined for text that is no payment id. */
  readonly paymentId: PaymentId | undefined;
  /** As it was shown: one that has moved since is to be looked at again. */
  readonly phase: PaymentPhase;
  readonly outcome: HandOutcome;
  /** What was captured; the charge unless another amount is given. */
  readonly amountMinor: bigint | undefined;
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
  | 'takes_two_people'
  | Contradiction
  | SignedReasonRefusal;

type HandPorts = OutcomePorts & { readonly acquirer: Pick<Acquirer, 'name' | 'get'> };

/**
 * A person's word where the acquirer's is missing: T3, T4, T6 or T7, as if it had said so. The acquirer is asked first:
 * what it contradicts is refused, and what ends without its word takes two people. The sweep may take the same step at any moment: only one of the two is written. What fails here is voided by the sweep as soon as the acquirer
 * can be asked, so that a charge that nobody saw goes back; said once more an hour later, it is over.
 */
export async function resolveByHand(
  ports: HandPorts,
  resolution: HandResolution,
): Promise<Result<Payment, HandRefusal>> {
  const { paymentId } = resolution;
  const found = paymentId && (await ports.payments.findWithBill(paymentId));
  if (!found) return fail('payment_not_found');
  if (isCarriedOut(found.payment, resolution)) return ok(found.payment);
  const refusal = whyNotByHand(found.payment, resolution, ports.now());
  if (refusal) return fail(refusal);
  const signed = readSignedReason({ by: resolution.by, reason: resolution.evidence });
  if (!signed.ok) return signed;
  const view = await wordOfAcquirer(ports, found.payment);
  const objection = whyNotByAcquirer(found.payment, resolution, view);
  if (objection) return fail(objection);

  const { id, approvedBy, outcome } = resolution;
  const decision = { verdict: outcome, id, approvedBy, ...signed.value, at: ports.now() };
  const decisions = [...(found.payment.decisions ?? []), decision];
  const decided = { ...found, payment: { ...found.payment, decisions } };
  const written =
    outcome === 'captured'
      ? await capturedByHand(ports, decided, captureIn(view) ?? capturedAs(found.payment, resolution))
      : await recordFailure(ports, decided, { phase: phaseAfterFailure[found.payment.phase] });
  if (!written.ok) return fail('payment_changed');
  const after = await ports.payments.find(found.payment.id);
  if (!after) return fail('payment_not_found');
  // What is still to be done at the acquirer is due at once; unheard, this costs only the time until its next check.
  if (awaitsAcquirer(after)) await ports.payments.postponeCheck(after, ports.now()).catch(() => undefined);
  return ok(after);
}

/** A decision whose answer was lost is carried out again: it stands already. */
const isCarriedOut = ({ decisions = [] }: Payment, { id }: Signature): boolean =>
  id !== undefined && decisions.some((decision) => decision.id === id);

/**
 * Undefined when it does not answer, is not the one that has the payment, or has forgotten what it had authorised: then
 * its word counts for nothing.
 */
async function wordOfAcquirer({ acquirer }: HandPorts, payment: Payment): Promise<AcquirerView | undefined> {
  if (isAtOtherAcquirer(payment, acquirer)) return undefined;
  const view = await acquirer.get(payment.id).catch(() => undefined);
  return view?.state === 'unknown' && payment.phase === 'CAPTURING' ? undefined : view;
}

const captureIn = (view: AcquirerView | undefined) => (view?.state === 'captured' ? view : undefined);

const capturedAs = (
  payment: Payment,
  { amountMinor = chargeMinor(payment) }: HandResolution,
): AcquirerView => ({
  state: 'captured',
  amountMinor,
});

/** Its word stands above the person's: refused when it says otherwise; what ends without its word takes two people. */
function whyNotByAcquirer(
  payment: Payment,
  { outcome, amountMinor, approvedBy }: HandResolution,
  view: AcquirerView | undefined,
): Contradiction | 'takes_two_people' | undefined {
  const said = outcome === 'captured' ? onCapture(view, amountMinor) : onFailure(payment, view);
  if (said === 'against' && view) return { contradictedBy: 'acquirer', says: wordsOf(view) };
  return said === 'nothing' && approvedBy === undefined ? 'takes_two_people' : undefined;
}

type Word = 'for' | 'against' | 'nothing';

function onCapture(view: AcquirerView | undefined, amountMinor: bigint | undefined): Word {
  if (view?.state === 'captured')
    return amountMinor === undefined || amountMinor === view.amountMinor ? 'for' : 'against';
  return view === undefined || view.state === 'pending' ? 'nothing' : 'against';
}

/** What is to be voided at the acquirer after this is no end yet: only what it has captured speaks against it. */
function onFailure({ phase }: Payment, view: AcquirerView | undefined): Word {
  if (view?.state === 'captured') return 'against';
  if (phaseAfterFailure[phase] !== 'DONE') return 'for';
  if (view?.state === 'authorised') return 'against';
  return view === undefined || view.state === 'pending' || view.state === 'unknown' ? 'nothing' : 'for';
}

const wordsOf = (view: AcquirerView): string =>
  'amountMinor' in view ? `${view.state} ${toDecimal(view.amountMinor)}` : view.state;

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

/** Nobody credits more than the payer was asked for here: what is above that is an adjustment. */
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
async function capturedByHand(ports: OutcomePorts, found: PaymentWithBill, view: AcquirerView) {
  const written = await recordCapture(ports, found, view);
  return written.ok || written.error === 'moved_meanwhile'
    ? written
    : bookForRefund(ports, found.payment, view);
}
