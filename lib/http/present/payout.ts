import type * as z from 'zod/mini';
import type {
  cancelPayoutRoute,
  createRegularPayoutRoute,
  payoutStatusRoute,
  quotePayoutRoute,
  sbpBanksRoute,
} from '../../contract/payout.ts';
import { nothingLeft } from '../../nothing-left.ts';
import { sum } from '../../money/money.ts';
import type { CreatedPayouts } from '../../payout/create-payouts.ts';
import type { PartCost } from '../../payout/cost.ts';
import { paidMinor, type Payout, returnedMinor } from '../../payout/payout.ts';
import type { Quote } from '../../payout/quote-payout.ts';
import type { LimitNumbers } from '../../payout/refusal-numbers.ts';
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

export const presentCancelled = (
  parts: readonly Payout[],
  view: View,
): z.input<(typeof cancelPayoutRoute)['output']> => ({
  data: parts.map((payout) => payoutFields(payout, view)),
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

/** Presents one part by itself, as `payout/status` does by its id. */
export const presentPayoutPart = (payout: Payout, view: View) => {
  const { data: _, ...part } = presentPayoutStatus([payout], view);
  return part;
};

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

/** Presents a quote: the totals, with the parts in `data`. */
export function presentQuote(quote: Quote): z.input<(typeof quotePayoutRoute)['output']> {
  const { parts, accountType, mask, commissionPayer, approval, alreadyCreated, limits, ...rest } = quote;
  nothingLeft(rest);
  const total = (of: (part: PartCost) => bigint) => sum(parts.map(of));
  const totals = {
    amountMinor: total(({ amountMinor }) => amountMinor),
    commissionMinor: total(({ commissionMinor }) => commissionMinor),
    sentMinor: total(({ sentMinor }) => sentMinor),
  };
  return {
    data: parts.map(costFields),
    ...costFields(totals),
    currency: 'RUB',
    account_type: accountType,
    account_identifier: mask,
    commission_payer: commissionPayer,
    approval_required: approval !== undefined,
    ...(approval !== undefined && { approval_reason: approval }),
    already_created: alreadyCreated,
    limits: { day: limitFields(limits.day), month: limitFields(limits.month) },
    success: true,
  };
}

const costFields = ({ amountMinor, commissionMinor, sentMinor }: PartCost) => ({
  amount: amountNumber(amountMinor),
  commission: amountNumber(commissionMinor),
  balance_amount: amountNumber(sentMinor + commissionMinor),
  recipient_amount: amountNumber(sentMinor),
});

/** The numbers of a limit; it resets at midnight. */
export const limitFields = ({ limitMinor, usedMinor, leftMinor, resetsOn }: LimitNumbers) => ({
  limit: amountNumber(limitMinor),
  used: amountNumber(usedMinor),
  left: amountNumber(leftMinor),
  resets_at: `${resetsOn} 00:00:00`,
});

export const presentSbpBanks = (banks: readonly SbpBank[]): z.input<(typeof sbpBanksRoute)['output']> => ({
  data: banks.map(({ memberId, name, nameEn, bic }) => ({ member_id: memberId, name, name_en: nameEn, bic })),
  success: true,
});
