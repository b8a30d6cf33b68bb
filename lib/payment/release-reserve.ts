import { nextCheckOfDone } from './after-capture.ts';
import { reserveReleaseEntry } from './payment-postings.ts';
import type { Payment } from './payment.ts';
import type { Payments } from './ports.ts';

type ReleasePorts = { readonly payments: Pick<Payments, 'recordAfterCapture'>; readonly now: () => Date };

/**
 * Makes the reserve of a paid payment available when its days are over, never before: the sweep's clock is not trusted. Returns the
 * payment as it is then; undefined when another check wrote first.
 */
export async function releaseReserve(
  { payments, now }: ReleasePorts,
  before: Payment,
): Promise<Payment | undefined> {
  const { reserve } = before;
  const at = now();
  if (!reserve || reserve.released || reserve.releaseAt > at) return before;
  const released: Payment = { ...before, reserve: { ...reserve, released: true } };
  const after = { ...released, nextCheck: nextCheckOfDone(released) };
  const written = await payments.recordAfterCapture(before, after, [
    reserveReleaseEntry(before, reserve, at),
  ]);
  return written.ok ? after : undefined;
}
