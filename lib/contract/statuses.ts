import type { BillStatus, BillType } from '../bill/bill.ts';
import type { FinalStatus, PayoutStatus } from '../payout/states.ts';

/** What each status tells the merchant's developer (contract 3). The OpenAPI document and `docs/merchants.md` have these texts. */
export const billStatusMeanings: Readonly<Record<BillStatus, string>> = {
  NEW: 'Nobody has begun to pay.',
  PROCESS: 'A payment is under way and its outcome is not known yet. Wait for the postback.',
  SUCCESS: 'Exactly the amount was paid.',
  UNDERPAID: 'Less than the amount was paid. The money is on the balance and the bill is finished.',
  OVERPAID: 'More than the amount was paid. The money is on the balance and the bill is finished.',
  FAIL: 'No money was taken. A NORMAL bill can be paid with another card as long as it is active.',
};

/** Contract 2.2: a payment begins with the payer, so it is never NEW. */
export const paymentStatusMeanings: Readonly<Record<Exclude<BillStatus, 'NEW'>, string>> = {
  PROCESS: 'The payer is on the card page, or the acquirer has not decided. It is not a failure.',
  SUCCESS: 'Exactly the charge came in. Final.',
  UNDERPAID: 'Less than the charge came in; `amount_received` says how much. Final.',
  OVERPAID: 'More than the charge came in; `amount_received` says how much. Final.',
  FAIL: 'This attempt took no money, or its money went back. Another attempt is another payment.',
};

type PaymentPostbackStatus = Exclude<BillStatus, 'NEW' | 'PROCESS'>;

/** Contract 6.1. */
export const paymentPostbackStatusMeanings: Readonly<Record<PaymentPostbackStatus, string>> = {
  SUCCESS: 'The order is paid.',
  UNDERPAID:
    'Less came in than the bill asked for. `OutSum` is what came in; deliver, or settle the rest with the payer.',
  OVERPAID: 'More came in than the bill asked for. `OutSum` is what came in; the order is paid.',
  FAIL: 'This attempt took no money. The same `InvId` may still get a SUCCESS: the payer tries another card.',
};

/** Contract 2.4. */
export const payoutStatusMeanings: Readonly<Record<PayoutStatus, string>> = {
  NEW: 'Created; it will be sent without moderation.',
  MODERATING: 'Waits for a person at the operator.',
  PROCESS: 'Approved; it is being sent, or the outcome is not known yet. Never create it a second time.',
  SUCCESS: 'The recipient was paid. Final.',
  FAIL: 'Refused by the provider; amount and fee are on the balance again. Final.',
  ERROR:
    'The outcome must be found out by a person at the operator; the money stays locked. Of a split payout also: paid in part.',
  DECLINED: 'Declined by the operator; amount and fee are on the balance again. Final.',
};

/** Contract 6.2. */
export const payoutPostbackStatusMeanings: Readonly<Record<FinalStatus, string>> = {
  SUCCESS: payoutStatusMeanings.SUCCESS,
  FAIL: payoutStatusMeanings.FAIL,
  DECLINED: payoutStatusMeanings.DECLINED,
};

/** Contract 2.1. */
export const billTypeMeanings: Readonly<Record<BillType, string>> = {
  NORMAL: 'Accepts one successful payment.',
  MULTI: 'Accepts any number of payments. Its status is the outcome of the first that was paid.',
};
