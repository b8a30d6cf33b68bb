import { kindOf } from '../log.ts';
import { ProviderBusy } from '../provider-port.ts';
import type { ReconcilePorts } from './ports.ts';
import type { Incomplete } from './reconciliation.ts';

/** Calls that failed are repeated twice, and calls that were not carried out nine times. */
const mostFailures = 3;
const mostBusy = 10;
const pauseMs = 1_000;
/** The time that is left for judging and storing what was found. */
export const reservedMs = 20_000;

/** A provider could not be asked; what is known of its day is incomplete. */
export class ProviderSilent extends Error {
  readonly why: Incomplete;

  constructor(why: Incomplete) {
    super('The provider gave no answer that can be compared');
    // For the log: bundling loses the class name.
    this.name = 'ProviderSilent';
    this.why = why;
  }
}

type Ports = Pick<ReconcilePorts, 'wait' | 'remainingMs' | 'log'>;

/**
 * Reads from a provider, again after a pause when it fails. Throws `ProviderSilent`, also while an answer is still awaited when the time
 * is over: a run that its timeout ends stores nothing.
 */
export async function askProvider<T>(ports: Ports, provider: string, read: () => Promise<T>): Promise<T> {
  for (let failures = 0, busy = 0; ; ) {
    if (ports.remainingMs() < reservedMs) throw new ProviderSilent('out_of_time');
    try {
      return await inTime(ports, read);
    } catch (error) {
      if (error instanceof ProviderSilent) throw error;
      const isBusy = error instanceof ProviderBusy;
      if (isBusy) busy += 1;
      else failures += 1;
      if (failures === mostFailures || busy === mostBusy) {
        ports.log('error', 'statement_failed', { provider, ...kindOf(error) });
        throw new ProviderSilent('statement_failed');
      }
      const pause = isBusy ? error.retryAfterMs : pauseMs * failures;
      if (ports.remainingMs() - pause < reservedMs) throw new ProviderSilent('out_of_time');
      await ports.wait(pause);
    }
  }
}

async function inTime<T>({ remainingMs, wait }: Ports, read: () => Promise<T>): Promise<T> {
  const leftMs = remainingMs() - reservedMs;
  if (!Number.isFinite(leftMs)) return read();
  const over = wait(leftMs).then(() => {
    throw new ProviderSilent('out_of_time');
  });
  return Promise.race([read(), over]);
}
