import { resolvePayment, type ResolvePorts } from './resolve-payment.ts';
import type { Payment } from './payment.ts';

/** When an unknown outcome is asked about again: 10 s after the start, then after these pauses, then hourly. */
const pausesInSeconds = [30, 120, 600, 3600] as const;
const atOnce = 8;

export type Swept = { readonly asked: number; readonly finished: number; readonly failed: number };

/** The reconciler: asks the acquirer about every payment that is due, whoever forgot it. */
export async function sweepPayments(ports: ResolvePorts): Promise<Swept> {
  const due = await ports.payments.due(ports.now());
  const outcomes: Outcome[] = [];
  for (let from = 0; from < due.length; from += atOnce) {
    const batch = due.slice(from, from + atOnce).map((id) => sweepOne(ports, id));
    outcomes.push(...(await Promise.all(batch)));
  }
  const count = (outcome: Outcome) => outcomes.filter((each) => each === outcome).length;
  return { asked: due.length, finished: count('finished'), failed: count('failed') };
}

type Outcome = 'finished' | 'waiting' | 'failed';

/** One payment that can not be resolved now keeps nobody else waiting; it is due again. */
async function sweepOne(ports: ResolvePorts, id: string): Promise<Outcome> {
  const found = await resolvePayment(ports, id, { evenIfFinal: true }).catch(() => undefined);
  const payment = found?.payment ?? (await ports.payments.find(id).catch(() => undefined));
  if (!payment) return 'failed';
  if (payment.phase === 'DONE') return 'finished';
  const postponed = ports.payments.postponeCheck(payment, nextCheck(payment, ports.now())).then(
    () => true,
    () => false,
  );
  return found && (await postponed) ? 'waiting' : 'failed';
}

const nextCheck = ({ checks }: Payment, now: Date): Date =>
  new Date(now.getTime() + (pausesInSeconds[checks] ?? 3600) * 1000);
