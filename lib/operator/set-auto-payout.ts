import { type AutoPayout, nextRun } from '../payout/auto-payout.ts';
import type { AutoPayouts, PayoutAccounts } from '../payout/ports.ts';
import { fail, ok, type Result } from '../result.ts';

type Ports = {
  readonly now: () => Date;
  /** The environment's calendar. */
  readonly timeZone: string;
  readonly accounts: PayoutAccounts;
  readonly autoPayouts: AutoPayouts;
};
type Command = Pick<AutoPayout, 'merchantId' | 'accountId' | 'thresholdMinor' | 'weekday' | 'hour'>;

/** The merchant's standing order; it replaces the one that was there. */
export async function setAutoPayout(
  { now, timeZone, accounts, autoPayouts }: Ports,
  command: Command,
): Promise<Result<AutoPayout, 'payout_account_not_found'>> {
  const known = await accounts.listOf(command.merchantId);
  if (!known.some(({ id }) => id === command.accountId)) return fail('payout_account_not_found');
  const auto: AutoPayout = { ...command, nextAt: nextRun(command, now(), timeZone) };
  await autoPayouts.set(auto);
  return ok(auto);
}
