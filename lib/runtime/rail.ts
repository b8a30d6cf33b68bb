import type { PayoutRail } from '../payout/ports.ts';
import { sandboxRail, sandboxRailLimits } from '../provider/sandbox-rail.ts';
import { sandboxSecret } from './secrets.ts';
import { optionalSetting, setting } from './setting.ts';

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
