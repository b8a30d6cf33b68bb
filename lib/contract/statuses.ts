import type { BillStatus, BillType } from '../bill/bill.ts';
import type { refundStatuses } from '../refund/refund.ts';
import type { EventState } from '../postback/event.ts';
import type { FinalStatus, PayoutStatus } from '../payout/states.ts';

/** What each status means (contract 3). The OpenAPI document and `docs/merchants.md` show these texts to the merchant's developer. */
export const billStatusMeanings: Readonly<Record<BillStatus, string>> = {
  NEW: 'No payment has started.',
  PROCESS: 'A payment is in progress and its outcome is not known yet. Wait for the postback.',
  SUCCESS: 'The exact amount was paid.',
  UNDERPAID: 'Less than the amount was paid. The money is on the balance and the bill is finished.',
  OVERPAID: 'More than the amount was paid. The money is on the balance and the bill is finished.',
  FAIL: 'No money was taken. A NORMAL bill can be paid with another card as long as it is active.',
};

/** Contract 2.2. A payment starts when the payer submits the payment page, so it is never NEW. */
export const paymentStatusMeanings: Readonly<Record<Exclude<BillStatus, 'NEW'>, string>> = {
  PROCESS: 'The payer is on the card page, or the acquirer has not reported an outcome. It is not a failure.',
  SUCCESS: 'The exact charge was received. Final.',
  UNDERPAID: 'Less than the charge was received; `amount_received` is the sum. Final.',
  OVERPAID: 'More than the charge was received; `amount_received` is the sum. Final.',
  FAIL: 'This attempt took no money, or its money was returned. Another attempt is another payment.',
};

type PaymentPostbackStatus = Exclude<BillStatus, 'NEW' | 'PROCESS'>;

/** Contract 6.1. */
export const paymentPostbackStatusMeanings: Readonly<Record<PaymentPostbackStatus, string>> = {
  SUCCESS: 'The order is paid.',
  UNDERPAID:
    'Less than the amount of the bill was received. `OutSum` is the sum received; deliver, or settle the rest with the payer.',
  OVERPAID: 'More than the amount of the bill was received. `OutSum` is the sum received; the order is paid.',
  FAIL: 'This attempt took no money. A SUCCESS for the same `InvId` may follow when the payer tries another card.',
};

/** Contract 2.4. */
export const payoutStatusMeanings: Readonly<Record<PayoutStatus, string>> = {
  NEW: 'Created; it will be sent without moderation.',
  MODERATING: "Waits for the operator's approval.",
  PROCESS: 'Approved; it is being sent, or its outcome is not known yet. Do not create it again.',
  SUCCESS: 'The recipient was paid. Final.',
  FAIL: 'Refused by the provider; the amount and the fee were returned to the balance. Final.',
  ERROR:
    'The outcome is unknown and the operator must establish it; the money stays locked. For a split payout also: only some parts were paid.',
  DECLINED:
    'Declined by the operator or cancelled by the merchant; the amount and the fee were returned to the balance. Final.',
};

/** Contract 6.2. */
export const payoutPostbackStatusMeanings: Readonly<Record<FinalStatus, string>> = {
  SUCCESS: payoutStatusMeanings.SUCCESS,
  FAIL: payoutStatusMeanings.FAIL,
  DECLINED: payoutStatusMeanings.DECLINED,
};

/** A refund starts as NEW and ends in SUCCESS or FAIL. */
export const refundStatusMeanings: Readonly<Record<(typeof refundStatuses)[number], string>> = {
  NEW: 'Created; the acquirer has not been called yet.',
  PROCESS: 'The acquirer was called, and its answer is not known yet. Do not create it again.',
  SUCCESS: 'The money was returned to the payer. Final.',
  FAIL: 'The acquirer refused the refund; what it reserved was returned to the balance. Final.',
};

/** A refund's postback is sent once it has ended. */
export const refundPostbackStatusMeanings = {
  SUCCESS: refundStatusMeanings.SUCCESS,
  FAIL: refundStatusMeanings.FAIL,
} as const;

/** The states of a postback's delivery. */
export const postbackStateMeanings: Readonly<Record<EventState, string>> = {
  PENDING: 'Waits for its first attempt.',
  RETRY: 'Was not accepted, or was asked for again; `next_attempt_at` is the next attempt.',
  DELIVERED: 'Your server accepted it.',
  SUPERSEDED: 'A FAIL that is not sent, because the bill was paid by another payment.',
  PAUSED: 'Waits until the operator resumes the URL.',
  DEAD: 'Was given up after all attempts; it can be replayed.',
};

/** Contract 2.1. */
export const billTypeMeanings: Readonly<Record<BillType, string>> = {
  NORMAL: 'Accepts one successful payment.',
  MULTI: 'Accepts any number of payments. Its status is SUCCESS from the first payment that took money.',
};
