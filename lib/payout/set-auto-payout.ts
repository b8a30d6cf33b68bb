import { fail, ok, type Result } from '../result.ts';
import { type AutoPayout, nextRun } from './auto-payout.ts';
import type { AutoPayouts, PayoutAccounts } from './ports.ts';

type Ports = {
  readonly autoPayouts: AutoPayouts;
  readonly payoutAccounts: Pick<PayoutAccounts, 'listOf'>;
  readonly now: () => Date;
  readonly timeZone: string;
};

type Setting = Omit<AutoPayout, 'nextAt' | 'lastRun'>;
type SettingRefusal = 'payout_account_not_found' | 'hour_invalid' | 'threshold_invalid';

/** The merchant's standing order, from its next hour on; it replaces an earlier one. */
export async function setAutoPayout(
  { autoPayouts, payoutAccounts, now, timeZone }: Ports,
  setting: Setting,
): Promise<Result<AutoPayout, SettingRefusal>> {
  const { merchantId, accountId, hour, thresholdMinor } = setting;
  if (!Number.isInteger(hour) || hour < 0 || hour > 23) return fail('hour_invalid');
  if (thresholdMinor <= 0n) return fail('threshold_invalid');
  const accounts = await payoutAccounts.listOf(merchantId);
  if (!accounts.some(({ id }) => id === accountId)) return fail('payout_account_not_found');
  const auto: AutoPayout = { ...setting, nextAt: nextRun(setting, now(), timeZone) };
  await autoPayouts.set(auto);
  return ok(auto);
}

/** Ends the merchant's standing order, if there is one. */
export const stopAutoPayout = (
  { autoPayouts }: Pick<Ports, 'autoPayouts'>,
  { merchantId }: { readonly merchantId: string },
): Promise<void> => autoPayouts.remove(merchantId);
