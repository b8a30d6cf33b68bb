import type * as z from 'zod/mini';
import type { createRegularPayoutRoute, payoutStatusRoute, sbpBanksRoute } from '../../contract/payout.ts';
import { nothingLeft } from '../../nothing-left.ts';
import { sum } from '../../money/money.ts';
import type { CreatedPayouts } from '../../payout/create-payouts.ts';
import { paidMinor, type Payout, returnedMinor } from '../../payout/payout.ts';
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

/** Presents one payout, or a split payout as a whole with its parts in `data`. */
export function presentPayoutStatus(
  [first, ...others]: readonly [Payout, ...Payout[]],
  view: View,
): z.input<(typeof payoutStatusRoute)['output']> {
  const parts = [first, ...others];
  const total = (of: (part: Payout) => bigint) => amountNumber(sum(parts.map(of)));
  const whole = {
    ...payoutFields(first, view),
    status: wholeStatus(parts.map(({ status }) => status)),
    amount: total(({ amount }) => amount.minor),
    commission: total(({ commissionMinor }) => commissionMinor),
    amount_sent: total(paidMinor),
    amount_returned: total(returnedMinor),
    success: true,
  } as const;
  return others.length === 0 ? whole : { ...whole, data: parts.map((part) => payoutFields(part, view)) };
}

/** The fields that are in no response. */
type Hidden =
  | 'groupId'
  | 'merchantId'
  | 'kind'
  | 'accountId'
  | 'isAuto'
  | 'commissionPayer'
  | 'accountType'
  | 'accountHash'
  | 'numberHash'
  | 'orderId'
  | 'possibleDuplicate'
  | 'limitDay'
  | 'limitMonth'
  | 'revision'
  | 'decisions'
  | 'providerKey'
  | 'attempt'
  | 'firstCallAt'
  | 'lastCallAt'
  | 'attemptOver'
  | 'rail'
  | 'notTaken'
  | 'accepted'
  | 'reference'
  | 'railCalls'
  | 'reason'
  | 'sentAt'
  | 'checks';

function payoutFields(payout: Omit<Payout, Hidden>, { timeZone }: View) {
  const { id, status, amount, commissionMinor, mask, createdAt, ...rest } = payout;
  nothingLeft(rest);
  return {
    id,
    status,
    amount: amountNumber(amount.minor),
    commission: amountNumber(commissionMinor),
    account_identifier: mask,
    currency: amount.currency,
    created_at: timestamp(createdAt, timeZone),
  };
}

export const presentSbpBanks = (banks: readonly SbpBank[]): z.input<(typeof sbpBanksRoute)['output']> => ({
  data: banks.map(({ memberId, name, nameEn, bic }) => ({ member_id: memberId, name, name_en: nameEn, bic })),
  success: true,
});
