import { kindOf, type Log } from '../log.ts';
import type { Payment } from './payment.ts';
import { resolvePayment } from './resolve-payment.ts';
import type { ResolvePorts } from './resolve-step.ts';

/** When an unknown outcome is asked about again: 10 s after the start, then after these pauses, then hourly. */
const pausesInSeconds = [30, 120, 600, 3600] as const;
const atOnce = 8;
/** What one run does not reach in this time is the longest overdue of the next, a minute later. */
const longestRunMs = 45_000;

type Swept = { readonly asked: number; readonly finished: number; readonly failed: number };

export type SweepPorts = ResolvePorts & { readonly log: Log };

/** A payer who leaves is given up after an hour: what is open for a day waits for something that does not happen. */
const stuckAfterMs = 24 * 3600_000;

/**
 * The reconciler: asks the acquirer about every payment that is due, whoever forgot it. One that stays open for a day
 * raises an alarm at each check.
 */
export async function sweepPayments(ports: SweepPorts): Promise<Swept> {
  const startedAt = ports.now().getTime();
  const due = await ports.payments.due(ports.now());
  const outcomes: Outcome[] = [];
  for (let from = 0; from < due.length && ports.now().getTime() - startedAt < longestRunMs; from += atOnce) {
    const batch = due.slice(from, from + atOnce).map((id) => sweepOne(ports, id));
    outcomes.push(...(await Promise.all(batch)));
  }
  const count = (outcome: Outcome) => outcomes.filter((each) => each === outcome).length;
  return { asked: outcomes.length, finished: count('finished'), failed: count('failed') };
}

type Outcome = 'finished' | 'waiting' | 'failed';

/** One payment that cannot be resolved now keeps nobody else waiting; it is due again. */
async function sweepOne(ports: SweepPorts, id: string): Promise<Outcome> {
  const failed = (event: string) => (error: unknown) =>
    ports.log('error', event, { ...kindOf(error), payment: id });
  const found = await resolvePayment(ports, id, { evenIfFailed: true }).catch(failed('payment_not_resolved'));
  const payment = found?.payment ?? (await ports.payments.find(id).catch(() => undefined));
  if (!payment) return 'failed';
  if (payment.phase === 'DONE') return 'finished';
  if (ports.now().getTime() - payment.createdAt.getTime() > stuckAfterMs)
    ports.alarm('payment_stuck', { payment: id });
  const postponed = await ports.payments
    .postponeCheck(payment, nextCheck(payment, ports.now()))
    .then(() => 'waiting' as const, failed('payment_not_postponed'));
  return (found && postponed) ?? 'failed';
}

const nextCheck = ({ checks }: Payment, now: Date): Date =>
  new Date(now.getTime() + (pausesInSeconds[checks] ?? 3600) * 1000);
