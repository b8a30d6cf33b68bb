import { kindOf, type Log } from '../log.ts';
import { ProviderBusy } from '../provider-port.ts';
import type { AlarmName } from '../alarms.ts';
import type { Acquirers, AcquirerView, ReceiptState } from './acquirer.ts';
import { type AfterCapture, afterCheck, isDueAt, nextCheckOfDone } from './after-capture.ts';
import { givenUp, receiptIn, receiptTasksLeft, refundReceiptAt } from './follow-receipts.ts';
import { PaymentAtOtherAcquirer } from './other-acquirer.ts';
import type { Payment } from './payment.ts';
import type { Payments } from './ports.ts';
import { feeEntries, feeIn } from './provider-fee.ts';
import { releaseReserve } from './release-reserve.ts';
import { knownOrderOf } from './start-order.ts';

type AfterCapturePorts = {
  readonly payments: Pick<Payments, 'recordAfterCapture'>;
  readonly acquirers: Pick<Acquirers, 'named'>;
  readonly now: () => Date;
  readonly log: Log;
  readonly alarm: (
    alarm: Extract<AlarmName, 'receipt_not_registered'>,
    about: { readonly payment: string },
  ) => void;
};

/**
 * Checks a DONE payment whose money was captured. A reserve whose days are over is released. What the acquirer tells since then is
 * recorded, in one transaction with its entries and with the receipts that it gives up, and the next check is scheduled while a task is
 * left. Of concurrent checks one writes. A check that the acquirer did not answer counts like one that told nothing, so that an acquirer
 * that is gone is not queried for ever; one that it was too busy for does not count.
 */
export async function checkAfterCapture(ports: AfterCapturePorts, found: Payment): Promise<void> {
  const before = await releaseReserve(ports, found);
  const tasks = before?.afterCapture;
  if (!tasks || !isDueAt(tasks.dueAt, ports.now())) return;
  const asked = await ask(ports, before);
  const after: Payment =
    asked instanceof ProviderBusy
      ? { ...before, afterCapture: deferred(tasks, asked, ports.now()) }
      : learned(before, tasks, asked, ports.now());
  const entries = feeEntries(before, after, ports.now());
  const unregistered =
    asked instanceof ProviderBusy ? [] : givenUp(after, tasks, after.afterCapture, ports.now());
  // Before the write: two checks may both raise the alarm, but a crash cannot suppress it.
  for (const { paymentId } of unregistered) ports.alarm('receipt_not_registered', { payment: paymentId });
  await ports.payments.recordAfterCapture(
    before,
    { ...after, nextCheck: nextCheckOfDone(after) },
    entries,
    unregistered,
  );
}

/** What the acquirer tells. Without a view it could not be queried; without a receipt it has no refund of ours. */
type Told = {
  readonly view: AcquirerView | undefined;
  readonly refundReceipt: ReceiptState | undefined;
};

async function ask({ acquirers, log }: AfterCapturePorts, payment: Payment): Promise<Told | ProviderBusy> {
  // Unknown: as it was.
  const untold = { view: undefined, refundReceipt: payment.refundReceipt };
  try {
    const acquirer = acquirers.named(payment.acquirer);
    if (!acquirer) throw new PaymentAtOtherAcquirer();
    // Paid by a person's decision: there is no order to ask about.
    if (payment.reference === undefined) return untold;
    const view = await acquirer.get(knownOrderOf(payment));
    const isRefundAsked = payment.afterCapture?.refundReceipt !== undefined;
    return {
      view,
      refundReceipt: isRefundAsked ? await refundReceiptAt(acquirer, payment) : payment.refundReceipt,
    };
  } catch (error) {
    log('error', 'after_capture_not_checked', { ...kindOf(error), payment: payment.id });
    return error instanceof ProviderBusy ? error : untold;
  }
}

const deferred = (tasks: AfterCapture, { retryAfterMs }: ProviderBusy, now: Date): AfterCapture => ({
  ...tasks,
  dueAt: new Date(now.getTime() + retryAfterMs),
});

/** The payment with what the acquirer tells, and the tasks that are left. */
function learned(before: Payment, tasks: AfterCapture, { view, refundReceipt }: Told, now: Date): Payment {
  const providerFeeMinor = before.providerFeeMinor ?? (view && feeIn(view));
  const fee = providerFeeMinor === undefined ? tasks.fee : undefined;
  const receipt = view && tasks.receipt ? receiptIn(before, view) : before.receipt;
  const after = { ...before, providerFeeMinor, receipt, refundReceipt };
  const left = { fee, ...receiptTasksLeft(after, tasks) };
  return { ...after, afterCapture: afterCheck(tasks, left, now) };
}
