import type { Payout } from './payout.ts';
import type { Payouts } from './ports.ts';

/** The lists of payouts that wait for a person. */
export const payoutLists = ['moderating', 'error'] as const;
type PayoutList = (typeof payoutLists)[number];

/** Returns the payouts that wait for a moderator or, in ERROR, for a person to find out their outcome; oldest first. */
export const listPayouts = (
  { payouts }: { readonly payouts: Payouts },
  list: PayoutList,
): Promise<readonly Payout[]> => (list === 'moderating' ? payouts.listModerating() : payouts.listInError());
