import type { PaymentId } from '../ids.ts';
import { alarmIfUndone } from './capture-undone.ts';
import { recordLateMoney, refundDuplicate } from './duplicate-capture.ts';
import { failPayment } from './fail-payment.ts';
import { nextStep } from './next-step.ts';
import { isAtOtherAcquirer, PaymentAtOtherAcquirer } from './other-acquirer.ts';
import { chargeMinor, isPaid, type Payment } from './payment.ts';
import type { AcquirerView, PaymentWithBill } from './ports.ts';
import { type ResolvePorts, type StepResult, viewIfProgressed, viewUnlessRaced } from './resolve-step.ts';
import { settlePayment } from './settle-payment.ts';

/** Enough for the longest path: fence, capture, a lost race, settle. The next caller continues from there. */
const mostSteps = 8;

/** Which final payments are checked too: failed ones (late money), or also paid ones. */
type CheckOptions = {
  readonly evenIfFailed?: boolean;
  readonly evenIfFinal?: boolean;
  /** For a payer's visit: queries the acquirer at most once in two seconds, over all visits. */
  readonly throttled?: boolean;
};

/**
 * Advances a payment as far as the acquirer's view allows. Called by the payer's return, the acquirer's notification
 * and the sweep, any number of them concurrently. Returns the payment and its bill afterwards; undefined: not found.
 * Throws when the acquirer or the store cannot be reached; no step is half done then, and a repeated call continues.
 * Throws PaymentAtOtherAcquirer for an open payment at another acquirer, which stays unchanged.
 */
export async function resolvePayment(
  ports: ResolvePorts,
  paymentId: PaymentId,
  { evenIfFailed = false, evenIfFinal = false, throttled = false }: CheckOptions = {},
): Promise<PaymentWithBill | undefined> {
  let known: AcquirerView | undefined;
  for (let step = 0; ; step += 1) {
    const found = await ports.payments.findWithBill(paymentId);
    if (!found || step === mostSteps) return found;
    const isElsewhere = isAtOtherAcquirer(found.payment, ports.acquirer);
    if (isDone(found.payment, (evenIfFailed || evenIfFinal) && !isElsewhere)) {
      // A payment that this call itself settled is not checked again.
      if (evenIfFinal && step === 0 && !isElsewhere) await alarmIfUndone(ports, found.payment);
      return found;
    }
    if (isElsewhere) throw new PaymentAtOtherAcquirer();
    const isKnown = known !== undefined;
    if (!isKnown && throttled && !(await ports.payments.claimAcquirerQuery(found.payment, ports.now())))
      return found;
    const view = known ?? (await ports.acquirer.get(paymentId));
    const taken = await takeStep(ports, found, view);
    if (taken === 'nothing') return found;
    known = taken;
  }
}

/** A paid payment never changes; for a failed one the acquirer may still report money (late money). */
const isDone = (payment: Payment, evenIfFailed: boolean): boolean =>
  payment.phase === 'DONE' && (isPaid(payment) || !evenIfFailed);

async function takeStep(
  ports: ResolvePorts,
  found: PaymentWithBill,
  view: AcquirerView,
): Promise<StepResult> {
  const { payments, acquirer, now } = ports;
  const { payment } = found;
  switch (nextStep({ ...found, view: view.state, now: now() })) {
    case 'nothing':
      return 'nothing';
    case 'cancel':
      return viewIfProgressed(view, await acquirer.cancel(payment.id));
    case 'capture': {
      const captured = await acquirer.capture(payment.id, chargeMinor(payment), `${payment.id}:capture`);
      return viewIfProgressed(view, captured);
    }
    case 'refund':
      return refundDuplicate(ports, payment, view);
    case 'fence':
      return viewUnlessRaced(await payments.fence(payment), view);
    case 'void':
      return viewUnlessRaced(await payments.startVoid(payment), view);
    case 'settle':
      return settlePayment(ports, found, view);
    case 'fail':
      return failPayment(ports, found, view);
    case 'reopen':
      return recordLateMoney(ports, payment, view);
  }
}
