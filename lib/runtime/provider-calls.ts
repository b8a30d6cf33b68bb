import { setTimeout as wait } from 'node:timers/promises';
import type { ProviderName } from '../installation/providers.ts';
import { limitedFetch } from '../provider/limited-fetch.ts';
import { log } from './log.ts';
import { settingsOf } from './provider-settings.ts';
import { providerCalls } from './stores.ts';

const limited = new Map<ProviderName, typeof fetch>();

/** Returns `fetch` within the limits that the record has for this provider, if any. All its adapters share one limiter. */
export function fetchFor(name: ProviderName): typeof fetch {
  const limits = settingsOf(name)?.calls;
  if (!limits) return fetch;
  const known = limited.get(name);
  if (known) return known;
  const made = limitedFetch({
    provider: name,
    limits,
    calls: providerCalls(),
    now: () => new Date(),
    delay: (ms) => wait(ms),
    log,
    fetch,
  });
  limited.set(name, made);
  return made;
}
