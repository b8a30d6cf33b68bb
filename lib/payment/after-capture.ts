import type { Payment } from './payment.ts';

/**
 * What a payment still waits for at the acquirer once its money is captured. It is written with the capture and checked from the moment
 * the payment is DONE (README.md, "After the capture"). A new task is a further field here.
 */
export type AfterCapture = AfterCaptureTasks & {
  /** The number of checks made so far: it selects the pause before the next. */
  readonly checks: number;
  readonly dueAt: Date;
};
export type AfterCaptureTasks = {
  /** The acquirer has not told its fee. */
  readonly fee: 'due' | undefined;
  /** The registration of the receipt is pending. */
  readonly receipt: 'due' | undefined;
  /** The registration of the refund's receipt is pending. */
  readonly refundReceipt: 'due' | undefined;
};

const minute = 60_000;
const hour = 60 * minute;
/** The first check is due ten minutes after the capture, each further one after the next pause. There is none after the last. */
const pausesMs = [10 * minute, hour, 6 * hour, 24 * hour, 72 * hour] as const;

/** Returns the first check of these tasks; undefined: there is none to check. */
export const afterCapture = (tasks: AfterCaptureTasks, now: Date): AfterCapture | undefined =>
  withNextCheck(tasks, 0, now);

/** Returns the next check of the tasks that a check left; undefined: none is left, or this was the last check. */
export const afterCheck = (
  { checks }: AfterCapture,
  left: AfterCaptureTasks,
  now: Date,
): AfterCapture | undefined => withNextCheck(left, checks + 1, now);

function withNextCheck(tasks: AfterCaptureTasks, checks: number, now: Date): AfterCapture | undefined {
  const dueAt = receiptCheckAfter(checks, now);
  return dueAt && stillDue({ ...tasks, checks, dueAt });
}

/** Returns the next check of a receipt after so many checks, also of a refund's; undefined: there was the last. */
export function receiptCheckAfter(checks: number, now: Date): Date | undefined {
  const pauseMs = pausesMs[checks];
  return pauseMs === undefined ? undefined : new Date(now.getTime() + pauseMs);
}

/** Returns the check while one of its tasks is due. */
export const stillDue = (tasks: AfterCapture): AfterCapture | undefined =>
  (tasks.fee ?? tasks.receipt ?? tasks.refundReceipt) ? tasks : undefined;

/** The clocks of the sweep that queued the payment and of this worker may differ. */
const clocksDifferMs = 5_000;
export const isDueAt = (at: Date, now: Date): boolean => at.getTime() <= now.getTime() + clocksDifferMs;

/**
 * Returns when a DONE payment is checked next, the earliest of what is due; undefined: it waits for nothing. A failed payment waits for
 * its late query only while nothing of it was captured.
 */
export function nextCheckOfDone(
  payment: Pick<Payment, 'lateQuery' | 'nextCheck' | 'afterCapture' | 'reserve'>,
): Date | undefined {
  const { lateQuery, nextCheck, afterCapture: tasks, reserve } = payment;
  const due = [
    lateQuery && nextCheck,
    tasks?.dueAt,
    reserve?.released === false ? reserve.releaseAt : undefined,
  ];
  const times = due.flatMap((at) => (at ? [at.getTime()] : []));
  return times.length === 0 ? undefined : new Date(Math.min(...times));
}
