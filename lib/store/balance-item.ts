import type { MerchantId } from '../ids.ts';
import type { BalanceCurrency } from '../money/money.ts';

/** Balance: one item per merchant and currency. Payments credit it, payouts debit it. */
export const balanceKey = (merchantId: MerchantId, currency: BalanceCurrency) =>
  ({ PK: `BAL#${merchantId}`, SK: `A#${currency}` }) as const;
