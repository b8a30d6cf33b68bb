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
import { type Call, isSendable } from './call.ts';
import { firstLateQuery, recordFailure } from './fail-payment.ts';
import { awaitsAcquirer, chargeMinor, type HandOutcome, type Payment, type PaymentPhase } from './payment.ts';
import type { AcquirerView } from './acquirer.ts';
import { seenState } from './next-step.ts';
import type { PaymentWithBill } from './ports.ts';
import { knownOrderOf } from './start-order.ts';
import { withCapture } from './provider-fee.ts';
import type { CapturePorts } from './resolve-step.ts';
import { recordCapture } from './settle-payment.ts';

/** The outcomes that may be recorded by hand in each phase: a payment being voided or refunded can no longer settle. */
export const outcomesByHand: Readonly<Record<PaymentPhase, readonly HandOutcome[]>> = {
  AUTHORIZING: ['captured', 'failed'],
  CAPTURING: ['captured', 'failed'],
  VOIDING: ['failed'],
  REFUNDING: ['failed'],
  DONE: [],
};

/** The least age of a payment: a younger one's payer may still be on the card page. */
const leastAgeMs = 3600_000;

type HandResolution = Signature & {
  /** Undefined when the text is not a payment id. */
  readonly paymentId: PaymentId | undefined;
  /** The phase that the person saw: a payment that has moved since must be reviewed again. */
  readonly phase: PaymentPhase;
  readonly outcome: HandOutcome;
  /** The captured amount; undefined: the charge. */
  readonly amountMinor: bigint | undefined;
  /** The source of the outcome: the acquirer's back office, a line of its statement. Stored with the payment. */
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

type HandPorts = CapturePorts;

/**
 * Resolves a payment by a person's decision where the acquirer does not: settle, fail, duplicate capture or refunded,
 * as if the acquirer had reported it. The acquirer is queried first: a decision that it contradicts is refused, and one
 * that ends the payment without its confirmation takes two people. The sweep may take the same step concurrently: only
 * one of the two is written. A payment failed here is voided by the sweep once the acquirer can be reached, so that an
 * unseen charge is refunded; the same decision an hour later ends it without the acquirer.
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
  const view = await acquirerView(ports, found.payment);
  const objection = whyNotByAcquirer(found.payment, resolution, { view, now: ports.now() });
  if (objection) return fail(objection);

  const { id, approvedBy, outcome } = resolution;
  const decision = { verdict: outcome, id, approvedBy, ...signed.value, at: ports.now() };
  const decisions = [...(found.payment.decisions ?? []), decision];
  const decided = { ...found, payment: { ...found.payment, decisions } };
  const written =
    outcome === 'captured'
      ? await capturedByHand(ports, decided, captureIn(view) ?? capturedAs(found.payment, resolution))
      : await recordFailure(ports, decided, {
          phase: phaseAfterFailure[found.payment.phase],
          ...lateQueryOf(found.payment, view, ports.now()),
          ...(view?.state === 'captured' && withCapture(ports, found.payment, view)),
        });
  if (!written.ok) return fail('payment_changed');
  const after = await ports.payments.find(found.payment.id);
  if (!after) return fail('payment_not_found');
  // What remains to be done at the acquirer is due at once; if this write fails, it waits for the next check.
  if (awaitsAcquirer(after)) await ports.payments.postponeCheck(after, ports.now()).catch(() => undefined);
  return ok(after);
}

/** Whether this decision was carried out before: it is repeated when its response was lost. */
const isCarriedOut = ({ decisions = [] }: Payment, { id }: Signature): boolean =>
  id !== undefined && decisions.some((decision) => decision.id === id);

/**
 * Returns the acquirer's view; undefined when it tells nothing: the acquirer cannot be reached or is not deployed, or no answer has
 * named the order.
 */
async function acquirerView({ acquirers }: HandPorts, payment: Payment): Promise<AcquirerView | undefined> {
  const acquirer = acquirers.named(payment.acquirer);
  if (!acquirer || payment.reference === undefined) return undefined;
  return acquirer.get(knownOrderOf(payment)).catch(() => undefined);
}

const captureIn = (view: AcquirerView | undefined) => (view?.state === 'captured' ? view : undefined);

const capturedAs = (
  payment: Payment,
  { amountMinor = chargeMinor(payment) }: HandResolution,
): AcquirerView => ({
  state: 'captured',
  amountMinor,
  refundedMinor: 0n,
  feeMinor: undefined,
  receipt: undefined,
});

/** The acquirer overrules the person; a decision that it does not confirm takes two people. */
function whyNotByAcquirer(
  payment: Payment,
  { outcome, amountMinor, approvedBy }: HandResolution,
  { view, now }: { readonly view: AcquirerView | undefined; readonly now: Date },
): Contradiction | 'takes_two_people' | undefined {
  const answer = outcome === 'captured' ? onCapture(view, amountMinor) : onFailure(payment, view, now);
  if (answer === 'contradicts' && view) return { contradictedBy: 'acquirer', says: describeView(view) };
  return answer === 'silent' && approvedBy === undefined ? 'takes_two_people' : undefined;
}

type AcquirerAnswer = 'confirms' | 'contradicts' | 'silent';

function onCapture(view: AcquirerView | undefined, amountMinor: bigint | undefined): AcquirerAnswer {
  if (view?.state === 'captured')
    return amountMinor === undefined || amountMinor === view.amountMinor ? 'confirms' : 'contradicts';
  return view === undefined || view.state === 'pending' ? 'silent' : 'contradicts';
}

/**
 * A failure that leads to a void does not end the payment, so only a capture contradicts it. Where the refund is left to a person,
 * the money was returned in another way, and the acquirer still has the capture.
 */
function onFailure(
  { phase, refundCall }: Payment,
  view: AcquirerView | undefined,
  now: Date,
): AcquirerAnswer {
  const seen = view && seenState(view);
  if (seen === 'captured')
    return phase === 'REFUNDING' && isLeftToAPerson(refundCall, now) ? 'silent' : 'contradicts';
  if (phaseAfterFailure[phase] !== 'DONE') return 'confirms';
  if (seen === 'authorised') return 'contradicts';
  return seen === undefined || seen === 'pending' ? 'silent' : 'confirms';
}

/** Whether no refund is under way or sent again: it was rejected, or no answer named it while its key lived. */
const isLeftToAPerson = (call: Call | undefined, now: Date): boolean =>
  call !== undefined && (call.answer === 'rejected' || (call.answer === undefined && !isSendable(call, now)));

const describeView = (view: AcquirerView): string =>
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

/** Whether the void of an earlier decision is recent: the sweep must try it before the same decision is final. */
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

/** Whether the amount is possible: more than the charge cannot be credited here, that takes an adjustment. */
const isPossible = (payment: Payment, { amountMinor, outcome }: Amount): boolean =>
  amountMinor === undefined ||
  (outcome === 'captured' && amountMinor > 0n && amountMinor <= chargeMinor(payment));

/** Money that the acquirer may still hold is voided first; a payment that was being voided or refunded is done. */
const phaseAfterFailure: Readonly<Record<PaymentPhase, PaymentPhase>> = {
  AUTHORIZING: 'VOIDING',
  CAPTURING: 'VOIDING',
  VOIDING: 'DONE',
  REFUNDING: 'DONE',
  DONE: 'DONE',
};

/**
 * An acquirer that still has the order may yet take the money of a payment whose void people ended, so it is queried a day and a
 * week later. What was being refunded they have returned.
 */
const lateQueryOf = ({ phase }: Payment, view: AcquirerView | undefined, now: Date) =>
  phase === 'VOIDING' && view !== undefined && view.state !== 'captured' && firstLateQuery(now);

/** Settles, or records a duplicate capture when another payment finished the bill. */
async function capturedByHand(ports: CapturePorts, found: PaymentWithBill, view: AcquirerView) {
  const written = await recordCapture(ports, found, view);
  return written.ok || written.error === 'moved_meanwhile'
    ? written
    : bookForRefund(ports, found.payment, view);
}
