import { setTimeout as wait } from 'node:timers/promises';
import type { ReconcilePorts } from '../reconciliation/ports.ts';
import { acquirerSource, railSource } from '../reconciliation/sources.ts';
import { remainingMs } from './deadlines.ts';
import { deployedProviders, settingsOf } from './provider-settings.ts';
import { acquirers, rails } from './providers.ts';
import * as stores from './stores.ts';
import { system, timeZone } from './system.ts';

/** For the function that reconciles a day. */
export async function reconcilePorts(): Promise<ReconcilePorts> {
  const [ownAcquirers, ownRails] = await Promise.all([acquirers(), rails()]);
  const sources = deployedProviders().flatMap((provider) => {
    const settings = settingsOf(provider);
    const acquirer = settings?.payments && ownAcquirers.named(provider);
    const rail = settings?.payouts && ownRails.named(provider);
    return [...(acquirer ? [acquirerSource(acquirer)] : []), ...(rail ? [railSource(rail)] : [])];
  });
  return {
    now: system.now,
    log: system.log,
    alarm: system.alarm,
    timeZone: timeZone(),
    wait: async (ms) => wait(ms),
    remainingMs,
    sources,
    acquirers: ownAcquirers,
    rails: ownRails,
    books: stores.books(),
    journal: stores.journal(),
    chargebacks: stores.chargebacks(),
    unknownPayments: stores.unknownPayments(),
    shops: stores.shops(),
    merchants: stores.merchants(),
    reconciliations: stores.reconciliations(),
  };
}
