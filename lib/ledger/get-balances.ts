import { type Caller, whyRefused } from '../merchant/merchant.ts';
import { fail, ok, type Result } from '../result.ts';
import type { Balance, Balances } from './balance.ts';

export type GetBalancesPorts = { readonly balances: Balances };

const merchantRefusals = [
  'merchant_not_found',
  'merchant_banned',
  'merchant_subscription_inactive',
  'merchant_subscription_not_found',
] as const;
export type GetBalancesRefusal = (typeof merchantRefusals)[number];

/** Returns what is available, what is locked for payouts, their fees, and the rolling reserve, per currency (contract 4.6). */
export async function getBalances(
  { balances }: GetBalancesPorts,
  { caller }: { readonly caller: Caller },
): Promise<Result<readonly Balance[], GetBalancesRefusal>> {
  const refusal = whyRefused(caller, merchantRefusals);
  return refusal ? fail(refusal) : ok(await balances.of(caller.merchantId));
}
