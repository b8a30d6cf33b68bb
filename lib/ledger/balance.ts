import type { MerchantId } from '../ids.ts';
import type { BalanceCurrency } from '../money/money.ts';

/**
 * In minor units. `locked`: the principal of unfinished payouts; `held`: their fees (contract 2.3: "Fees"). `reserved`: the rolling
 * reserve of payments, which no payout can use until it is released.
 */
export type Balance = {
  readonly currency: BalanceCurrency;
  readonly available: bigint;
  readonly locked: bigint;
  readonly held: bigint;
  readonly reserved: bigint;
};

export interface Balances {
  /** The merchant's balance in every balance currency, zero where no money has moved. */
  of(merchantId: MerchantId): Promise<readonly Balance[]>;
}
