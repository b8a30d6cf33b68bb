import { kindOf, type Log } from '../log.ts';
import { ProviderBusy } from '../provider-port.ts';
import type { Acquirers, AcquirerView } from './acquirer.ts';
import { type AfterCapture, afterCheck, isDueAt, nextCheckOfDone } from './after-capture.ts';
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
};

/**
 * Checks a DONE payment whose money was captured. A reserve whose days are over is released. What the acquirer tells since then is recorded, in one transaction with its entries,
 * and the next check is scheduled while a task is left. Of concurrent checks one writes. A check that the acquirer did not answer counts
 * like one that told nothing, so that an acquirer that is gone is not queried for ever; one that it was too busy for does not count.
 */
export async function checkAfterCapture(ports: AfterCapturePorts, found: Payment): Promise<void> {
  const before = await releaseReserve(ports, found);
  const tasks = before?.afterCapture;
  if (!tasks || !isDueAt(tasks.dueAt, ports.now())) return;
  const asked = await ask(ports, before);
  const after: Payment =
    asked instanceof ProviderBusy
      ? { ...before, afterCapture: deferred(tasks, asked, ports.now()) }
      : learned(before, tasks, { view: asked, now: ports.now() });
  const entries = feeEntries(before, after, ports.now());
  await ports.payments.recordAfterCapture(before, { ...after, nextCheck: nextCheckOfDone(after) }, entries);
}

/** Returns the view; undefined when the acquirer could not be queried. */
async function ask(
  { acquirers, log }: AfterCapturePorts,
  payment: Payment,
): Promise<AcquirerView | ProviderBusy | undefined> {
  try {
    const acquirer = acquirers.named(payment.acquirer);
    if (!acquirer) throw new PaymentAtOtherAcquirer();
    // Paid by a person's decision: there is no order to ask about.
    return payment.reference === undefined ? undefined : await acquirer.get(knownOrderOf(payment));
  } catch (error) {
    log('error', 'after_capture_not_checked', { ...kindOf(error), payment: payment.id });
    return error instanceof ProviderBusy ? error : undefined;
  }
}

const deferred = (tasks: AfterCapture, { retryAfterMs }: ProviderBusy, now: Date): AfterCapture => ({
  ...tasks,
  dueAt: new Date(now.getTime() + retryAfterMs),
});

type Told = { readonly view: AcquirerView | undefined; readonly now: Date };

/** The payment with what the view tells, and the tasks that are left. */
function learned(before: Payment, tasks: AfterCapture, { view, now }: Told): Payment {
  const providerFeeMinor = before.providerFeeMinor ?? (view && feeIn(view));
  const fee = providerFeeMinor === undefined ? tasks.fee : undefined;
  return {
    ...before,
    providerFeeMinor,
    afterCapture: afterCheck(tasks, { fee, receipt: tasks.receipt }, now),
  };
}
