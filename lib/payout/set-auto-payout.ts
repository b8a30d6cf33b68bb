import type { AccountId, MerchantId } from '../ids.ts';
import { fail, ok, type Result } from '../result.ts';
import type { PayoutAccount } from './account.ts';
import { type AutoPayout, nextRun } from './auto-payout.ts';
import { isPayoutCurrency } from './payout.ts';
import type { AutoPayouts, PayoutAccounts } from './ports.ts';

type Ports = {
  readonly autoPayouts: AutoPayouts;
  readonly payoutAccounts: Pick<PayoutAccounts, 'find'>;
  readonly now: () => Date;
  readonly timeZone: string;
};

type Setting = Omit<AutoPayout, 'accountId' | 'nextAt' | 'lastRun'> & {
  /** Undefined for text that is not an account id. */
  readonly accountId: AccountId | undefined;
};
type SettingRefusal =
  | 'payout_account_not_found'
  | 'auto_account_banned'
  | 'auto_account_out_of_use'
  | 'auto_account_currency'
  | 'hour_invalid'
  | 'threshold_invalid';

/** Sets the merchant's standing order, starting at its next hour; replaces an earlier one. */
export async function setAutoPayout(
  { autoPayouts, payoutAccounts, now, timeZone }: Ports,
  setting: Setting,
): Promise<Result<AutoPayout, SettingRefusal>> {
  const { merchantId, accountId, weekday, hour, thresholdMinor } = setting;
  if (!Number.isInteger(hour) || hour < 0 || hour > 23) return fail('hour_invalid');
  if (thresholdMinor <= 0n) return fail('threshold_invalid');
  const account = accountId && (await payoutAccounts.find(merchantId, accountId));
  if (!account) return fail('payout_account_not_found');
  const refusal = whyNeverPaid(account);
  if (refusal) return fail(refusal);
  const auto: AutoPayout = {
    merchantId,
    accountId: account.id,
    thresholdMinor,
    weekday,
    hour,
    nextAt: nextRun(setting, now(), timeZone),
    lastRun: undefined,
  };
  await autoPayouts.set(auto);
  return ok(auto);
}

/** Refuses at once what every run would refuse unattended. */
function whyNeverPaid(account: PayoutAccount): SettingRefusal | undefined {
  if (account.banned) return 'auto_account_banned';
  if (!account.available) return 'auto_account_out_of_use';
  return isPayoutCurrency(account.currency) ? undefined : 'auto_account_currency';
}

/** Ends the merchant's standing order, if there is one. */
export const stopAutoPayout = (
  { autoPayouts }: Pick<Ports, 'autoPayouts'>,
  { merchantId }: { readonly merchantId: MerchantId },
): Promise<void> => autoPayouts.remove(merchantId);
