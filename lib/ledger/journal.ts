import type { MerchantId } from '../ids.ts';
import type { Entry } from './entry.ts';

/** The journal as a person reads it. */
export interface Journal {
  /** The entries about a payment, a payout, a payout group or an adjustment, oldest first. */
  about(id: string): Promise<readonly Entry[]>;
  /** The merchant's latest entries of the month that holds `at`, newest first. */
  latestOf(merchantId: MerchantId, at: Date, limit: number): Promise<readonly Entry[]>;
}
