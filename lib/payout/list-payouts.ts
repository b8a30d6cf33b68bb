import type { Payout } from './payout.ts';
import type { Payouts } from './ports.ts';

/** The lists that wait for a person. */
export const payoutLists = ['moderating', 'error'] as const;
type PayoutList = (typeof payoutLists)[number];

/** What waits for a moderator, or for a person to find out what became of it; the oldest first. */
export const listPayouts = (
  { payouts }: { readonly payouts: Payouts },
  list: PayoutList,
): Promise<readonly Payout[]> => (list === 'moderating' ? payouts.listModerating() : payouts.listInError());
