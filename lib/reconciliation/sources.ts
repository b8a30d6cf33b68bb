import type { Acquirer } from '../payment/acquirer.ts';
import type { PayoutRail } from '../payout/ports.ts';
import type { StatementSource } from './ports.ts';

/** The statement of payments and refunds. */
export const acquirerSource = (acquirer: Acquirer): StatementSource => ({
  provider: acquirer.name,
  role: 'acquirer',
  tellsFees: Object.values(acquirer.methods).some(({ reportsFee }) => reportsFee),
  statement: (period) => acquirer.statement(period),
});

/** The statement of payouts. */
export const railSource = (rail: PayoutRail): StatementSource => ({
  provider: rail.name,
  role: 'rail',
  tellsFees: false,
  statement: (period) => rail.statement(period),
});
