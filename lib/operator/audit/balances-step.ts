import { type BalanceReport, checkBalances } from './balance-check.ts';
import type { AuditPorts, AuditStep } from './steps.ts';

/**
 * Compares the balances of the scope with their whole journals, also when the scope begins at a time. The list of the balances that ever moved
 * names them; the records step finds a balance that is missing on it.
 */
export const balancesStep = (ports: AuditPorts): AuditStep => ({
  name: 'balances',
  async part({ scope, after, mayGoOn }) {
    const reports: BalanceReport[] = [];
    let next = after;
    for await (const page of ports.balanceBooks.names(scope, after)) {
      reports.push(await checkBalances(ports, page.names));
      next = page.next;
      if (next === undefined || !mayGoOn()) break;
    }
    const count = (of: 'compared' | 'explained' | 'unsettled') =>
      reports.reduce((sum, report) => sum + report[of], 0);
    const counts = {
      balances: count('compared'),
      balances_explained_by_traffic: count('explained'),
      balances_too_busy: count('unsettled'),
    };
    return {
      counts: Object.fromEntries(Object.entries(counts).filter(([, some]) => some > 0)),
      differences: reports.flatMap(({ differences }) => differences),
      next,
    };
  },
});
