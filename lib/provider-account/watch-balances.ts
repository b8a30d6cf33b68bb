import { kindOf, type Log } from '../log.ts';
import type { ProviderAccount } from '../provider-port.ts';
import { lowBalances } from './check-provider.ts';

export type WatchBalancesPorts = {
  readonly log: Log;
  readonly alarm: (alarm: 'provider_balance_low', about: { readonly provider: string }) => void;
  /** The accounts that the record wants watched, with the amount in minor units per currency that must be there. */
  readonly watched: readonly {
    readonly provider: string;
    readonly at: ProviderAccount;
    readonly alarmBelow: Readonly<Partial<Record<string, bigint>>>;
  }[];
};

/**
 * Raises an alarm for each account with less than the record wants, before payouts have to wait for it. An account that cannot be
 * read is read again with the next run: payouts have alarms of their own when the provider refuses the keys.
 */
export async function watchBalances({ log, alarm, watched }: WatchBalancesPorts): Promise<void> {
  for (const { provider, at, alarmBelow } of watched) {
    try {
      const view = await at.account();
      if (view.state !== 'known') log('error', 'provider_balance_unknown', { provider, why: view.state });
      else if (lowBalances(view, alarmBelow).length > 0) alarm('provider_balance_low', { provider });
    } catch (error) {
      log('error', 'provider_balance_unknown', { provider, ...kindOf(error) });
    }
  }
}
