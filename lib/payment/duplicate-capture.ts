import { duplicateCaptureEntry } from './payment-postings.ts';
import type { Result } from '../result.ts';
import type { Acquirer, AcquirerView, RefundView } from './acquirer.ts';
import { type Call, callKey, isRefused, isSendable, nextCall } from './call.ts';
import { partReceipt } from './part-receipt.ts';
import type { Payment } from './payment.ts';
import type { PaymentWithBill } from './ports.ts';
import { feeEntries, withCapture } from './provider-fee.ts';
import {
  amountIn,
  type CapturePorts,
  accountOf,
  knownUnlessRaced,
  type ResolvePorts,
  type StepResult,
} from './resolve-step.ts';
import { knownOrderOf, unlessBusy } from './start-order.ts';

/** Duplicate capture: another payment paid the bill, so the money is posted as owed to the payer, then refunded. */
export async function recordDuplicateCapture(
  ports: ResolvePorts,
  payment: Payment,
  view: AcquirerView,
): Promise<StepResult> {
  // Before the write: two handlers may both raise the alarm, but a crash cannot suppress it.
  ports.alarm(payment.status === 'FAIL' ? 'late_money' : 'duplicate_capture', { payment: payment.id });
  return withRefundBegun(await bookForRefund(ports, payment, view, accountOf(view)), view);
}

const withRefundBegun = (written: Result<void, 'moved_meanwhile'>, view: AcquirerView): StepResult =>
  knownUnlessRaced(written, { view, begun: 'refund' });

/** Late money: the status stays FAIL, the money is voided or refunded, and an alarm is raised. */
export async function recordLateMoney(
  ports: ResolvePorts,
  payment: Payment,
  view: AcquirerView,
): Promise<StepResult> {
  // It was posted and refunded before: a person must clarify with the acquirer what it holds now.
  if (payment.receivedMinor !== undefined) {
    ports.alarm('refund_undone', { payment: payment.id });
    return 'nothing';
  }
  ports.alarm('late_money', { payment: payment.id });
  if (view.state === 'captured') return withRefundBegun(await bookForRefund(ports, payment, view), view);
  // Its authorisation is new, so an earlier cancel under the last key was about another.
  const last = payment.cancelCall && { ...payment.cancelCall, unanswered: 0, answer: 'refused' as const };
  const cancelCall = nextCall(last, { now: ports.now() });
  return knownUnlessRaced(await ports.payments.startVoid(payment, cancelCall), { view, begun: 'cancel' });
}

/** Posts a duplicate capture or late money, moves the payment to REFUNDING and records the call of the refund. */
export async function bookForRefund(
  ports: Pick<CapturePorts, 'payments' | 'acquirers' | 'now'>,
  payment: Payment,
  view: AcquirerView,
  card: ReturnType<typeof accountOf> = {},
): Promise<Result<void, 'moved_meanwhile'>> {
  const receivedMinor = amountIn(view);
  const amountMinor = owedMinor(receivedMinor, view);
  const at = ports.now();
  const refundCall = nextCall(payment.refundCall, { now: at, amountMinor });
  const after: Payment = {
    ...payment,
    phase: 'REFUNDING',
    receivedMinor,
    refundCall,
    ...withCapture(ports, payment, view),
    ...card,
  };
  const entries = [duplicateCaptureEntry(payment, receivedMinor, at), ...feeEntries(payment, after, at)];
  return ports.payments.recordDuplicateCapture(payment, after, entries);
}

/** What is still to be refunded: a person may have refunded a part at the acquirer. */
const owedMinor = (receivedMinor: bigint, view: AcquirerView): bigint =>
  receivedMinor - (view.state === 'captured' ? view.refundedMinor : 0n);

type Refunding = { readonly view: AcquirerView; readonly isBegun: boolean };

/** Refunds a duplicate capture. A payment that was captured while it was voided is posted first. */
export async function refundDuplicate(
  ports: ResolvePorts,
  acquirer: Acquirer,
  found: PaymentWithBill,
  { view, isBegun }: Refunding,
): Promise<StepResult> {
  if (found.payment.phase === 'VOIDING') return recordDuplicateCapture(ports, found.payment, view);
  const refund = await refundOf(ports, acquirer, found, { view, isBegun });
  if (refund === 'raced') return undefined;
  if (refund?.state !== 'succeeded') return 'nothing';
  const { feeMinor, receipt } =
    view.state === 'captured' ? view : { feeMinor: undefined, receipt: undefined };
  const amountMinor = amountIn(view);
  return { view: { ...view, state: 'captured', amountMinor, refundedMinor: amountMinor, feeMinor, receipt } };
}

/** The pause after a refund that our empty account at the acquirer prevented. */
export const emptyPauseMs = 10 * 60_000;

/** How the refund goes on. Pure. */
export function nextRefund(call: Call | undefined, now: Date): 'send' | 'look' | 'alarm' | 'wait' {
  if (call?.answer === 'rejected') return 'alarm';
  if (call?.answer === 'pending') return 'look';
  if (!call) return 'send';
  if (isRefused(call)) return now.getTime() - call.lastAt.getTime() >= emptyPauseMs ? 'send' : 'wait';
  // A second refund under an expired key would be a second refund.
  return isSendable(call, now) ? 'send' : 'look';
}

async function refundOf(
  ports: ResolvePorts,
  acquirer: Acquirer,
  found: PaymentWithBill,
  { view, isBegun }: Refunding,
): Promise<RefundView | 'raced' | undefined> {
  const { payment } = found;
  const { refundCall } = payment;
  const now = ports.now();
  if (isBegun && refundCall) return sendRefund(ports, acquirer, found, { call: refundCall, isBegun });
  switch (nextRefund(refundCall, now)) {
    case 'wait':
      return undefined;
    case 'alarm':
      ports.alarm('refund_rejected', { payment: payment.id });
      return undefined;
    case 'look':
      return lookForRefund(ports, acquirer, payment);
    case 'send': {
      const amountMinor = owedMinor(payment.receivedMinor ?? amountIn(view), view);
      const call = nextCall(refundCall, { now, amountMinor });
      return sendRefund(ports, acquirer, found, { call, isBegun: false });
    }
  }
}

type Sending = {
  readonly call: Call;
  /** Whether this call is recorded already. */
  readonly isBegun: boolean;
};

/** Undefined: the refund needs a receipt for which this function may not decrypt the contact, so the check sends it. */
async function sendRefund(
  ports: ResolvePorts,
  acquirer: Acquirer,
  found: PaymentWithBill,
  { call, isBegun }: Sending,
): Promise<RefundView | 'raced' | undefined> {
  const { payment } = found;
  const refundId = callKey(payment.id, 'refund', call);
  const amountMinor = call.amountMinor ?? payment.receivedMinor ?? 0n;
  const receipt = await partReceipt(ports, found, amountMinor);
  if (receipt === 'left_to_check') return undefined;
  if (!isBegun && !(await ports.payments.beginCall(payment, 'refund', call))) return 'raced';
  const refund = await unlessBusy(ports, { ...payment, refundCall: call }, 'refund', () =>
    acquirer.refund(knownOrderOf(payment), { key: refundId, refundId, amountMinor, receipt }),
  );
  await recordRefund(ports, payment, call, refund);
  return refund;
}

/** Reads a refund that is under way, or whose answers were lost until its key expired. */
async function lookForRefund(
  ports: ResolvePorts,
  acquirer: Acquirer,
  payment: Payment,
): Promise<RefundView | undefined> {
  const { refundCall } = payment;
  if (!refundCall) return undefined;
  const refund = await acquirer.findRefund(knownOrderOf(payment), callKey(payment.id, 'refund', refundCall));
  if (refund) await recordRefund(ports, payment, refundCall, refund);
  // Whether the payer has the money is for a person to find out.
  else if (!isSendable(refundCall, ports.now())) ports.alarm('refund_rejected', { payment: payment.id });
  return refund;
}

/** Stores an answer that leaves the refund open. */
async function recordRefund(
  ports: ResolvePorts,
  payment: Payment,
  { attempt, answer }: Call,
  refund: RefundView,
): Promise<void> {
  if (refund.state === 'succeeded') return;
  if (refund.state === 'pending') {
    if (answer === 'pending') return;
    await ports.payments.callAnswered(payment, 'refund', { attempt, answer: 'pending', outcome: undefined });
    return;
  }
  const { outcome, providerEmpty } = refund;
  if (!providerEmpty) ports.alarm('refund_rejected', { payment: payment.id });
  await ports.payments.callAnswered(payment, 'refund', {
    attempt,
    answer: providerEmpty ? 'empty' : 'rejected',
    outcome,
  });
}
