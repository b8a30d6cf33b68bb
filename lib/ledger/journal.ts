import type { MerchantId } from '../ids.ts';
import type { Latest, LatestQuery } from '../latest.ts';
import type { Entry } from './entry.ts';

/** Read access to the journal, for the operator's commands. */
export interface Journal {
  /** The entries about a payment, a payout, a payout group or an adjustment, oldest first. */
  about(id: string): Promise<readonly Entry[]>;
  /** The merchant's latest entries before a time, none of them older than `since`. */
  latestOf(merchantId: MerchantId, query: LatestQuery & { readonly since: Date }): Promise<Latest<Entry>>;
}
