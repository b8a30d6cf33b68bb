import type { AcquirerName, RailName } from '../installation/providers.ts';
import { type Acquirer, type Acquirers, type PaymentMethod, paymentMethods } from '../payment/acquirer.ts';
import { acquirersOf } from '../payment/acquirers.ts';
import type { PayoutRail, Rails } from '../payout/ports.ts';
import { sandboxAcquirer } from '../provider/sandbox-acquirer.ts';
import { sandboxRail } from '../provider/sandbox-rail.ts';
import { mannersFrom } from '../sandbox/manners.ts';
import { fetchFor } from './provider-calls.ts';
import { deployedProviders, paymentRoutes, payoutRoutes, settingsOf } from './provider-settings.ts';
import { sandboxCredentials, sandboxSecret } from './secrets.ts';
import { setting } from './system.ts';
import { yookassaGateway, yookassaShop } from './yookassa.ts';

// One record per role rather than per provider, so that a bundle contains only the role that its function uses.

const acquirersByName: Readonly<Record<AcquirerName, () => Promise<Acquirer>>> = {
  sandbox: async () =>
    sandboxAcquirer({
      ...(await sandboxAccess()),
      manners: mannersFrom({ ...settingsOf('sandbox')?.manners }),
    }),
  yookassa: async () => yookassaShop(),
};

const railsByName: Readonly<Record<RailName, () => Promise<PayoutRail>>> = {
  sandbox: async () =>
    sandboxRail({
      ...(await sandboxAccess()),
      tombstones: settingsOf('sandbox')?.manners.tombstones ?? true,
    }),
  yookassa: async () => yookassaGateway(),
};

const sandboxAccess = async () => ({
  url: setting('SANDBOX_URL'),
  secret: await sandboxSecret(),
  credentials: sandboxCredentials,
  fetch: fetchFor('sandbox'),
});

/** Returns the acquirers of this installation. Without any, bills are shown and no payment can start. */
export async function acquirers(): Promise<Acquirers> {
  const deployed = deployedProviders().filter((name) => settingsOf(name)?.payments !== undefined);
  const made = deployed.map(async (name) => withinLimits(await acquirersByName[name](), name));
  return acquirersOf(await Promise.all(made), paymentRoutes());
}

/** The limits of a method are those of the record. */
function withinLimits(acquirer: Acquirer, name: AcquirerName): Acquirer {
  const limits = settingsOf(name)?.payments;
  const methods = Object.fromEntries(
    Object.entries(acquirer.methods).map(([method, terms]) => [
      method,
      { ...terms, limits: (isMethod(method) && limits?.[method]) || {} },
    ]),
  );
  return { ...acquirer, methods };
}

const isMethod = (text: string): text is PaymentMethod => paymentMethods.some((each) => each === text);

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
