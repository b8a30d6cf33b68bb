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

// A record for each role and not one for each provider, so that a bundle carries only the role that its Lambda works with.

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

/** Known without the rail's secret and without asking it. */
const limitsOfRails: Readonly<Record<RailName, Limits>> = { sandbox: sandboxRailLimits };

const sandboxAccess = async () => ({ url: setting('SANDBOX_URL'), secret: await sandboxSecret() });

/** The acquirer that this installation chose; where it chose none, one that takes no payment. */
export async function acquirer(): Promise<Acquirer> {
  const make = chosen(acquirers, 'ACQUIRER');
  return make ? make() : absentAcquirer;
}

/** The payout rail that this installation chose, if it chose one. */
export const optionalRail = async (): Promise<PayoutRail | undefined> => chosen(rails, 'RAIL')?.();

/** The payout rail, for what cannot work without one. */
export async function rail(): Promise<PayoutRail> {
  const found = await optionalRail();
  if (!found)
    throw new Defect('RAIL_MISSING', 'This installation has no payout rail: its environment names one.');
  return found;
}

/** What creation has to know of the rail; without one no account can be paid out to. */
export const railLimits = (): Limits => chosen(limitsOfRails, 'RAIL') ?? { limits: () => undefined };

function chosen<T>(known: Readonly<Record<string, T>>, variable: 'ACQUIRER' | 'RAIL'): T | undefined {
  const name = optionalSetting(variable);
  if (name === undefined) return undefined;
  if (!Object.hasOwn(known, name))
    throw new Defect('PROVIDER_UNKNOWN', `${variable} names ${name}, which has no adapter here.`);
  return known[name];
}
