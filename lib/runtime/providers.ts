import type { Acquirer } from '../payment/ports.ts';
import type { PayoutRail } from '../payout/ports.ts';
import { absentAcquirer } from '../provider/absent-acquirer.ts';
import { sandboxAcquirer } from '../provider/sandbox-acquirer.ts';
import { sandboxRail, sandboxRailLimits } from '../provider/sandbox-rail.ts';
import { sandboxSecret } from './secrets.ts';
import { optionalSetting, setting } from './system.ts';

/** The acquirer that this installation chose. */
export async function acquirer(): Promise<Acquirer> {
  const chosen = optionalSetting('ACQUIRER');
  if (chosen === undefined) return absentAcquirer;
  if (chosen !== 'sandbox')
    throw new Error(`There is no acquirer "${chosen}": ACQUIRER may be sandbox or absent.`);
  const steps = setting('ACQUIRER_STEPS') === 'one' ? 'one' : 'two';
  return sandboxAcquirer({ url: setting('SANDBOX_URL'), secret: await sandboxSecret(), steps });
}

/** The payout rail that this installation chose. */
export async function rail(): Promise<PayoutRail> {
  const chosen = optionalSetting('RAIL');
  if (chosen === 'sandbox')
    return sandboxRail({ url: setting('SANDBOX_URL'), secret: await sandboxSecret() });
  throw new Error('This installation has no payout rail: RAIL may be sandbox.');
}

/** The same where there may be none. */
export const optionalRail = async (): Promise<PayoutRail | undefined> =>
  optionalSetting('RAIL') === undefined ? undefined : rail();

/** What creation has to know of the rail; without one no account can be paid out to. */
export const railLimits = (): Pick<PayoutRail, 'limits'> =>
  optionalSetting('RAIL') === 'sandbox' ? sandboxRailLimits : { limits: () => undefined };
