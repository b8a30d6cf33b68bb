import type { Acquirers } from '../../../lib/payment/acquirer.ts';
import { acquirersOf } from '../../../lib/payment/acquirers.ts';
import type { Rails } from '../../../lib/payout/payout-rail.ts';
import { sandboxAcquirer } from '../../../lib/provider/sandbox-acquirer.ts';
import { sandboxRail } from '../../../lib/provider/sandbox-rail.ts';
import type { Invocation } from './invocation.ts';
import { type Provider, sandboxSecret } from './provider.ts';
import type { World } from './world.ts';

const accessTo = (provider: Provider, by: Invocation) => ({
  url: provider.url,
  secret: sandboxSecret,
  fetch: provider.fetchFor(by),
});

/** The providers that the environment's record deploys now, and the one that takes what is new. */
function recorded({ providers, record }: World) {
  const deployed = providers.filter((_, at) => at > 0 || record !== 'without_first');
  const forNew = record === 'first' ? providers[0] : providers.at(-1);
  return { deployed, forNew: forNew?.name ?? 'sandbox' };
}

/** The acquirers of one handler. */
export function acquirersFor(world: World, by: Invocation): Acquirers {
  const { deployed, forNew } = recorded(world);
  const acquirers = deployed.map((provider) => ({
    ...sandboxAcquirer({ ...accessTo(provider, by), manners: provider.manners }),
    name: provider.name,
  }));
  const everyCurrency = { RUB: forNew, USD: forNew, EUR: forNew, KZT: forNew };
  return acquirersOf(acquirers, { card: everyCurrency, sbp: everyCurrency });
}

/** The rails of one handler. */
export function railsFor(world: World, by: Invocation): Rails {
  const { deployed, forNew } = recorded(world);
  const rails = deployed.map((provider) => ({
    ...sandboxRail({ ...accessTo(provider, by), tombstones: provider.railManners.tombstones }),
    name: provider.name,
  }));
  const named = (name: string) => rails.find((rail) => rail.name === name);
  return { forNew: () => named(forNew), named };
}
