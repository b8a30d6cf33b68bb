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

/** Enough for the longest way: fence, capture, a lost race, settle. More is left to the next caller. */
const mostSteps = 8;

/** Which payments the acquirer is asked about although they are over: failed ones (T9), or paid ones too. */
type AskAlso = {
  readonly evenIfFailed?: boolean;
  readonly evenIfFinal?: boolean;
  /** A payer's visit: the acquirer is asked once in two seconds, however many visits there are. */
  readonly sparingly?: boolean;
};

/**
 * Brings a payment as far as the acquirer's word allows: called by the payer's return, the acquirer's notification
 * and the sweep, in any number at once. Answers the payment and its bill as they stand then.
 * Throws when the acquirer or the store cannot be reached; nothing is half done then, and calling again goes on.
 * Throws PaymentAtOtherAcquirer for one that is open elsewhere: it is left as it is.
 */
export async function resolvePayment(
  ports: ResolvePorts,
  paymentId: PaymentId,
  { evenIfFailed = false, evenIfFinal = false, sparingly = false }: AskAlso = {},
): Promise<PaymentWithBill | undefined> {
  let known: AcquirerView | undefined;
  for (let step = 0; ; step += 1) {
    const found = await ports.payments.findWithBill(paymentId);
    if (!found || step === mostSteps) return found;
    const isElsewhere = isAtOtherAcquirer(found.payment, ports.acquirer);
    if (isDone(found.payment, (evenIfFailed || evenIfFinal) && !isElsewhere)) {
      // What this call itself has settled needs no second question.
      if (evenIfFinal && step === 0 && !isElsewhere) await alarmIfUndone(ports, found.payment);
      return found;
    }
    if (isElsewhere) throw new PaymentAtOtherAcquirer();
    const isKnown = known !== undefined;
    if (!isKnown && sparingly && !(await ports.payments.claimQuestion(found.payment, ports.now())))
      return found;
    const view = known ?? (await ports.acquirer.get(paymentId));
    const taken = await takeStep(ports, found, view);
    if (taken === 'nothing') return found;
    known = taken;
  }
}

/** A paid payment never changes; of a failed one the acquirer may think otherwise (T9). */
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
