import type { MerchantId } from '../ids.ts';
import type { Entry } from './entry.ts';

/** Read access to the journal, for the operator's commands. */
export interface Journal {
  /** The entries about a payment, a payout, a payout group or an adjustment, oldest first. */
  about(id: string): Promise<readonly Entry[]>;
  /** The merchant's latest entries of the month that contains `at`, newest first. */
  latestOf(merchantId: MerchantId, at: Date, limit: number): Promise<readonly Entry[]>;
}
