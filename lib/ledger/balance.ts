import type { MerchantId } from '../ids.ts';
import type { BalanceCurrency } from '../money/money.ts';

/** Minor units. `locked`: principal of payouts under way; `held`: their fees (contract 2.3: "Fees"). */
export type Balance = {
  readonly currency: BalanceCurrency;
  readonly available: bigint;
  readonly locked: bigint;
  readonly held: bigint;
};

export interface Balances {
  /** Every balance currency of the merchant, zero where nothing moved yet. */
  of(merchantId: MerchantId): Promise<readonly Balance[]>;
}
