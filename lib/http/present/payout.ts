import type * as z from 'zod/mini';
import type { createRegularPayoutRoute, payoutStatusRoute, sbpBanksRoute } from '../../contract/payout.ts';
import { sum } from '../../money/money.ts';
import type { CreatedPayouts } from '../../payout/create-payouts.ts';
import type { Payout } from '../../payout/payout.ts';
import type { SbpBank } from '../../payout/sbp-banks.ts';
import { wholeStatus } from '../../payout/states.ts';
import { amountNumber } from './amounts.ts';
import { timestamp } from './timestamp.ts';
import type { View } from './view.ts';

export const presentPayouts = (
  { payouts }: CreatedPayouts,
  view: View,
): z.input<(typeof createRegularPayoutRoute)['output']> => ({
  data: payouts.map((payout) => payoutFields(payout, view)),
  success: true,
});

/** One payout; or a split one as a whole, with its parts in `data`. */
export function presentPayoutStatus(
  [first, ...others]: readonly [Payout, ...Payout[]],
  view: View,
): z.input<(typeof payoutStatusRoute)['output']> {
  if (others.length === 0) return { ...payoutFields(first, view), success: true };
  const parts = [first, ...others];
  return {
    ...payoutFields(first, view),
    status: wholeStatus(parts.map(({ status }) => status)),
    amount: amountNumber(sum(parts.map((part) => part.amount.minor))),
    commission: amountNumber(sum(parts.map((part) => part.commissionMinor))),
    data: parts.map((part) => payoutFields(part, view)),
    success: true,
  };
}

const payoutFields = (payout: Payout, { timeZone }: View) => ({
  id: payout.id,
  status: payout.status,
  amount: amountNumber(payout.amount.minor),
  commission: amountNumber(payout.commissionMinor),
  account_identifier: payout.mask,
  currency: payout.amount.currency,
  created_at: timestamp(payout.createdAt, timeZone),
});

export const presentSbpBanks = (banks: readonly SbpBank[]): z.input<(typeof sbpBanksRoute)['output']> => ({
  data: banks.map(({ memberId, name, nameEn, bic }) => ({ member_id: memberId, name, name_en: nameEn, bic })),
  success: true,
});
