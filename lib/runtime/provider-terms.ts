import type { PayoutRail } from '../payout/ports.ts';
import { payoutRoutes, settingsOf } from './provider-settings.ts';

/** Returns the limits of the rails for new payouts, which payout creation needs; undefined where no rail takes the account type. */
export function railLimits(): Pick<PayoutRail, 'limits'> {
  const routes = payoutRoutes();
  return {
    limits: (type) => {
      const name = routes[type];
      return name && settingsOf(name)?.payouts?.[type];
    },
  };
}
