import type { BillCurrency } from '../money/money.ts';
import { type Acquirer, type Acquirers, type PaymentMethod, paymentMethods } from './acquirer.ts';

/** The name of the acquirer of new payments, per method and currency. */
type Routes = Readonly<Partial<Record<PaymentMethod, Readonly<Partial<Record<BillCurrency, string>>>>>>;

/** The acquirers of an installation: `routes` says which takes a new payment, and every deployed one serves its old ones. */
export function acquirersOf(deployed: readonly Acquirer[], routes: Routes): Acquirers {
  const byName = (name: string | undefined) => deployed.find((each) => each.name === name);
  const forNew: Acquirers['forNew'] = ({ minor, currency }, method) => {
    const acquirer = byName(routes[method]?.[currency]);
    const limits = acquirer?.methods[method]?.limits[currency];
    return limits && limits.minMinor <= minor && minor <= limits.maxMinor ? acquirer : undefined;
  };
  const routed = new Set(Object.values(routes).flatMap((byCurrency) => Object.values(byCurrency)));
  return {
    methodsFor: (charge) => paymentMethods.filter((method) => forNew(charge, method)),
    forNew,
    // Payments stored before the name was recorded were sent to the sandbox.
    named: (name = 'sandbox') => byName(name),
    pageSources: [
      ...new Set(deployed.flatMap(({ name, pageSource }) => (routed.has(name) ? [pageSource] : []))),
    ],
  };
}
