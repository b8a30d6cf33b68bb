import { Defect } from '../defect.ts';
import type { AcquirerName, RailName } from '../installation/providers.ts';
import type { Acquirer } from '../payment/ports.ts';
import type { PayoutRail } from '../payout/ports.ts';
import { absentAcquirer } from '../provider/absent-acquirer.ts';
import { sandboxAcquirer } from '../provider/sandbox-acquirer.ts';
import { sandboxRail, sandboxRailLimits } from '../provider/sandbox-rail.ts';
import { sandboxSecret } from './secrets.ts';
import { optionalSetting, setting } from './system.ts';

type Limits = Pick<PayoutRail, 'limits'>;

// One record per role rather than per provider, so that a bundle contains only the role that its function uses.

const acquirers: Readonly<Record<AcquirerName, () => Promise<Acquirer>>> = {
  sandbox: async () =>
    sandboxAcquirer({
      ...(await sandboxAccess()),
      steps: setting('ACQUIRER_STEPS') === 'one' ? 'one' : 'two',
    }),
};

const rails: Readonly<Record<RailName, () => Promise<PayoutRail>>> = {
  sandbox: async () => sandboxRail(await sandboxAccess()),
};

/** Available without the rail's secret and without a call to it. */
const limitsOfRails: Readonly<Record<RailName, Limits>> = { sandbox: sandboxRailLimits };

const sandboxAccess = async () => ({ url: setting('SANDBOX_URL'), secret: await sandboxSecret() });

/** Returns the acquirer of this installation; without a configured one, one that accepts no payment. */
export async function acquirer(): Promise<Acquirer> {
  const make = chosen(acquirers, 'ACQUIRER');
  return make ? make() : absentAcquirer;
}

/** Returns the payout rail of this installation; undefined when none is configured. */
export const optionalRail = async (): Promise<PayoutRail | undefined> => chosen(rails, 'RAIL')?.();

/** Returns the payout rail; throws when none is configured. */
export async function rail(): Promise<PayoutRail> {
  const found = await optionalRail();
  if (!found)
    throw new Defect('RAIL_MISSING', 'This installation has no payout rail: name one in its environment.');
  return found;
}

/** Returns the rail's limits, which payout creation needs; without a rail no account type is served. */
export const railLimits = (): Limits => chosen(limitsOfRails, 'RAIL') ?? { limits: () => undefined };

function chosen<T>(known: Readonly<Record<string, T>>, variable: 'ACQUIRER' | 'RAIL'): T | undefined {
  const name = optionalSetting(variable);
  if (name === undefined) return undefined;
  if (!Object.hasOwn(known, name))
    throw new Defect('PROVIDER_UNKNOWN', `${variable} names ${name}, which has no adapter here.`);
  return known[name];
}
