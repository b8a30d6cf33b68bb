import { type Caller, whyRefused } from '../merchant/merchant.ts';
import { fail, ok, type Result } from '../result.ts';
import type { SbpBank } from './sbp-banks.ts';

export type ListBanksPorts = {
  /** The newest dictionary, up to a minute old. */
  readonly activeBanks: () => Promise<readonly SbpBank[]>;
};

/** Returns the banks that an SBP payout may go to (contract 4.10). */
export async function listSbpBanks(
  { activeBanks }: ListBanksPorts,
  { caller }: { readonly caller: Caller },
): Promise<Result<readonly SbpBank[], 'merchant_banned'>> {
  const refusal = whyRefused(caller, ['merchant_banned']);
  return refusal ? fail(refusal) : ok(await activeBanks());
}
