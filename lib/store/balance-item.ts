import type { MerchantId } from '../ids.ts';
import type { BalanceCurrency } from '../money/money.ts';

/**
 * Lists each merchant's balances on the work index from the first movement on: whose journal has entries is known without a
 * scan. The values never change, so after the first write the index costs nothing.
 */
export const balanceList = 'W#BAL#00';
export const listedBalance = { ':list': balanceList, ':listed': new Date(0).toISOString() };
export const setListed = 'workList = :list, workDue = :listed';

/** Balance: one item per merchant and currency. Payments credit it, payouts debit it. */
export const balanceKey = (merchantId: MerchantId, currency: BalanceCurrency) =>
  ({ PK: `BAL#${merchantId}`, SK: `A#${currency}` }) as const;
