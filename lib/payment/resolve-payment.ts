import { Defect } from '../defect.ts';
import type { PaymentId } from '../ids.ts';
import { smallest } from '../money/money.ts';
import type { Acquirer, AcquirerView } from './acquirer.ts';
import { callKey, nextCall } from './call.ts';
import { alarmIfUndone } from './capture-undone.ts';
import { recordLateMoney, refundDuplicate } from './duplicate-capture.ts';
import { failPayment } from './fail-payment.ts';
import { nextStep, type OrderView, seenState } from './next-step.ts';
import { PaymentAtOtherAcquirer } from './other-acquirer.ts';
import { chargeMinor, isPaid, type Payment } from './payment.ts';
import { partReceipt } from './part-receipt.ts';
import type { PaymentWithBill } from './ports.ts';
import {
  amountIn,
  type Known,
  knownIfProgressed,
  knownUnlessRaced,
  type ResolvePorts,
  type StepResult,
  termsOrNone,
} from './resolve-step.ts';
import { settlePayment } from './settle-payment.ts';
import { knownOrderOf, orderOf, startOrderAgain, storeReference, unlessBusy } from './start-order.ts';

/** Enough for the longest path: fence, capture, a lost race, settle. The next caller continues from there. */
const mostSteps = 8;

/** Which final payments are checked too: failed ones (late money), or also paid ones. */
type CheckOptions = {
  readonly evenIfFailed?: boolean;
  readonly evenIfFinal?: boolean;
  /** For a payer's visit: queries the acquirer at most once in two seconds, over all visits. */
  readonly throttled?: boolean;
  /** The payment as the caller has just read it. */
  readonly found?: PaymentWithBill;
};

/**
 * Advances a payment as far as the acquirer's view allows. Called by the payer's return, the acquirer's notification
 * and the sweep, any number of them concurrently. Returns the payment and its bill afterwards; undefined: not found.
 * Throws when the acquirer or the store cannot be reached; no step is half done then, and a repeated call continues.
 * Throws PaymentAtOtherAcquirer for an open payment, or one to be queried late, whose acquirer is not deployed, and
 * in a visit for one of which a part went back; it stays unchanged.
 */
export async function resolvePayment(
  ports: ResolvePorts,
  paymentId: PaymentId,
  { evenIfFailed = false, evenIfFinal = false, throttled = false, found: read }: CheckOptions = {},
): Promise<PaymentWithBill | undefined> {
  let known: Known | undefined;
  for (let step = 0; ; step += 1) {
    const found = (step === 0 && read) || (await ports.payments.findWithBill(paymentId));
    if (!found || step === mostSteps) return found;
    const acquirer = ports.acquirers.named(found.payment.acquirer);
    if (isDone(found.payment, evenIfFailed || (evenIfFinal && acquirer !== undefined))) {
      // A payment that this call itself settled is not checked again.
      if (evenIfFinal && step === 0 && acquirer) await alarmIfUndone(ports, acquirer, found.payment);
      return found;
    }
    if (!acquirer) throw new PaymentAtOtherAcquirer();
    if (!known && throttled && !(await ports.payments.claimAcquirerQuery(found.payment, ports.now())))
      return found;
    const seen = known ?? (await ask(acquirer, found.payment));
    // Pages have no right to write the item of what went back. It throws, because the stored payment would be shown as unpaid.
    if (!evenIfFailed && !evenIfFinal && isPartlyRefunded(seen.view))
      throw new Defect('PAYMENT_LEFT_TO_CHECK', 'A part went back, so the check of the payment settles it');
    const taken = await takeStep(ports, acquirer, found, seen);
    if (taken === 'nothing') return found;
    known = taken;
  }
}

/** A paid payment never changes; for a failed one the acquirer may still report money (late money). */
const isDone = (payment: Payment, evenIfFailed: boolean): boolean =>
  payment.phase === 'DONE' && (isPaid(payment) || !evenIfFailed);

const ask = async (acquirer: Acquirer, payment: Payment): Promise<Known> => ({
  view: payment.reference === undefined ? { state: 'unknown' } : await acquirer.get(knownOrderOf(payment)),
});

const isPartlyRefunded = (view: OrderView): boolean =>
  seenState(view) === 'captured' && 'refundedMinor' in view && view.refundedMinor > 0n;

async function takeStep(
  ports: ResolvePorts,
  acquirer: Acquirer,
  found: PaymentWithBill,
  known: Known,
): Promise<StepResult> {
  const { payments, now } = ports;
  const { payment } = found;
  const { view, begun } = known;
  const terms = termsOrNone(acquirer.methods[payment.method]);
  const step = nextStep({ ...found, terms, view: seenState(view), now: now() });
  if (step === 'nothing') return step;
  if (step === 'fail') return failPayment(ports, found, { view, terms });
  if (step === 'start') return startAgain(ports, acquirer, payment);
  if (step === 'find') return findInList(ports, acquirer, payment);
  // The steps below follow a view of the order, so its reference is known.
  if (!isOfOrder(view)) return 'nothing';
  switch (step) {
    case 'fence': {
      const amountMinor = smallest(amountIn(view), chargeMinor(payment));
      const captureCall = nextCall(payment.captureCall, { now: now(), amountMinor });
      return knownUnlessRaced(await payments.fence(payment, captureCall), { view, begun: 'capture' });
    }
    case 'void': {
      const cancelCall = nextCall(payment.cancelCall, { now: now() });
      return knownUnlessRaced(await payments.startVoid(payment, cancelCall), { view, begun: 'cancel' });
    }
    case 'capture':
    case 'cancel':
      return act(ports, acquirer, found, { kind: step, view, isBegun: begun === step });
    case 'refund':
      return refundDuplicate(ports, acquirer, found, { view, isBegun: begun === 'refund' });
    case 'settle':
      return settlePayment(ports, acquirer, found, view);
    case 'reopen':
      return recordLateMoney(ports, payment, view);
  }
}

const isOfOrder = (view: Known['view']): view is AcquirerView =>
  view.state !== 'unknown' && view.state !== 'absent';

async function startAgain(ports: ResolvePorts, acquirer: Acquirer, payment: Payment): Promise<StepResult> {
  const started = await startOrderAgain(ports, acquirer, payment);
  if (started.kind === 'refused') return undefined;
  return started.kind === 'opened' && started.isStored ? { view: started.view } : 'nothing';
}

async function findInList(ports: ResolvePorts, acquirer: Acquirer, payment: Payment): Promise<StepResult> {
  const found = await acquirer.find(orderOf(payment));
  if (found === 'absent') return { view: { state: 'absent' } };
  await storeReference(ports, payment, found.reference);
  return { view: found.view };
}

type Action = {
  readonly kind: 'capture' | 'cancel';
  readonly view: AcquirerView;
  /** Whether this call is recorded already, together with the phase. */
  readonly isBegun: boolean;
};

/**
 * Captures or cancels. The order is captured or cancelled once, whatever the key, so the call is repeated under its key for as long
 * as needed; the next key follows a definite refusal.
 */
async function act(
  ports: ResolvePorts,
  acquirer: Acquirer,
  found: PaymentWithBill,
  { kind, view, isBegun }: Action,
): Promise<StepResult> {
  const { payments, now } = ports;
  const { payment } = found;
  const recorded = payment[`${kind}Call`];
  const amount = kind === 'capture' ? { amountMinor: smallest(amountIn(view), chargeMinor(payment)) } : {};
  const call = isBegun && recorded ? recorded : nextCall(recorded, { now: now(), ...amount });
  const amountMinor = call.amountMinor ?? chargeMinor(payment);
  const isPart = kind === 'capture' && amountMinor < chargeMinor(payment);
  const receipt = isPart ? await partReceipt(ports, found, amountMinor) : undefined;
  if (receipt === 'left_to_check') return 'nothing';
  if (!isBegun && !(await payments.beginCall(payment, kind, call))) return undefined;
  const order = knownOrderOf(payment);
  const key = callKey(payment.id, kind, call);
  const calling = { ...payment, [`${kind}Call`]: call };
  const acted = await unlessBusy(ports, calling, kind, () =>
    kind === 'capture'
      ? acquirer.capture(order, { key, amountMinor, receipt })
      : acquirer.cancel(order, { key }),
  );
  if (acted.refused) {
    const { attempt } = call;
    await payments.callAnswered(payment, kind, { attempt, answer: 'refused', outcome: undefined });
  }
  return knownIfProgressed(view, acted.view);
}
