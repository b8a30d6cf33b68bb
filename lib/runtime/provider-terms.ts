import type { ChargeLimits, ChargeRange } from '../bill/charge-limits.ts';
import type { BillCurrency } from '../money/money.ts';
import { type PaymentMethod, paymentMethods } from '../payment/acquirer.ts';
import type { RailLimitsOf } from '../payout/ports.ts';
import { deployedProviders, paymentRoutes, payoutRoutes, settingsOf } from './provider-settings.ts';

/** Returns what the acquirers of new payments take, which bill creation checks. */
export function chargeLimits(): ChargeLimits {
  const routes = paymentRoutes();
  const isEmpty = Object.values(routes).every((byCurrency) => Object.keys(byCurrency).length === 0);
  const rangeOf = (method: PaymentMethod, currency: BillCurrency): ChargeRange | undefined => {
    const name = routes[method]?.[currency];
    return name === undefined ? undefined : settingsOf(name)?.payments?.[method]?.[currency];
  };
  return {
    rangesIn: (currency) =>
      isEmpty ? undefined : paymentMethods.flatMap((method) => rangeOf(method, currency) ?? []),
    methodsIn: (currency) =>
      isEmpty ? undefined : paymentMethods.filter((method) => rangeOf(method, currency) !== undefined),
  };
}

/** Returns the limits of the rails for new payouts, which payout creation needs; no rail where none takes the account type. */
export function railLimits(): RailLimitsOf {
  const routes = payoutRoutes();
  return {
    forNew: (type) => {
      const name = routes[type];
      return name && { limits: () => settingsOf(name)?.payouts?.[type] };
    },
  };
}

/** Whether the acquirer of a payment is deployed. Payments stored before the name was recorded were sent to the sandbox. */
export const isAcquirerDeployed = (name = 'sandbox'): boolean =>
  deployedProviders().some((deployed) => deployed === name);
