import { Defect } from '../defect.ts';
import type { AcquirerName, RailName } from '../installation/providers.ts';
import type { Acquirer } from '../payment/ports.ts';
import type { PayoutRail, Rails } from '../payout/ports.ts';
import { absentAcquirer } from '../provider/absent-acquirer.ts';
import { sandboxAcquirer } from '../provider/sandbox-acquirer.ts';
import { sandboxRail } from '../provider/sandbox-rail.ts';
import { fetchFor } from './provider-calls.ts';
import { deployedProviders, paymentRoutes, payoutRoutes, settingsOf } from './provider-settings.ts';
import { sandboxCredentials, sandboxSecret } from './secrets.ts';
import { setting } from './system.ts';
import { yookassaGateway } from './yookassa.ts';

// One record per role rather than per provider, so that a bundle contains only the role that its function uses.

const acquirers: Readonly<Record<AcquirerName, () => Promise<Acquirer>>> = {
  sandbox: async () =>
    sandboxAcquirer({ ...(await sandboxAccess()), steps: settingsOf('sandbox')?.manners.steps ?? 'two' }),
  yookassa: notYet,
};

const railsByName: Readonly<Record<RailName, () => Promise<PayoutRail>>> = {
  sandbox: async () =>
    sandboxRail({
      ...(await sandboxAccess()),
      tombstones: settingsOf('sandbox')?.manners.tombstones ?? true,
    }),
  yookassa: async () => yookassaGateway(),
};

async function notYet(): Promise<never> {
  throw new Defect('PROVIDER_UNKNOWN', 'The provider yookassa has no adapter here.');
}

const sandboxAccess = async () => ({
  url: setting('SANDBOX_URL'),
  secret: await sandboxSecret(),
  credentials: sandboxCredentials,
  fetch: fetchFor('sandbox'),
});

/** Returns the acquirer of this installation; without a configured one, one that accepts no payment. */
export async function acquirer(): Promise<Acquirer> {
  const [named] = Object.values(paymentRoutes()).flatMap((byCurrency) => Object.values(byCurrency));
  const name = named ?? deployedProviders()[0];
  return name === undefined ? absentAcquirer : acquirers[name]();
}

/** Returns the payout rails of this installation. */
export async function rails(): Promise<Rails> {
  const routes = payoutRoutes();
  const deployed = await Promise.all(
    deployedProviders().map(async (name) => [name, await railsByName[name]()] as const),
  );
  const byName = new Map<string, PayoutRail>(deployed);
  const named = (name: string | undefined) => (name === undefined ? undefined : byName.get(name));
  return { named, forNew: (type) => named(routes[type]) };
}
