import { toDecimal } from '../money/money.ts';
import { type PostbackEvent, payoutEventId } from '../postback/event.ts';
import type { AccountType } from './destination.ts';
import { debitMinor, type FinalPayout, sentMinor } from './payout.ts';

/** The contract's enum is closed: it names phone-number accounts QIWI. */
const accountTypeNames: Readonly<Record<AccountType, string>> = { credit_card: 'BANK_CARD', sbp: 'QIWI' };

/**
 * Returns the fields of contract 6.2 in its order, as they are sent; the signature is added at each attempt.
 * `accountNumber` is the mask of a card, or the full phone number.
 */
const payoutFields = (payout: FinalPayout, accountNumber: string): Readonly<Record<string, string>> => ({
  TrsId: payout.id,
  Amount: toDecimal(sentMinor(payout)),
  IsAuto: String(payout.isAuto),
  Status: payout.status,
  Currency: payout.amount.currency,
  Commission: toDecimal(payout.commissionMinor),
  AccountType: accountTypeNames[payout.accountType],
  AccountNumber: accountNumber,
  BalanceAmount: toDecimal(debitMinor(payout)),
  BalanceCommission: toDecimal(payout.commissionMinor),
  BalanceCurrency: payout.amount.currency,
  CommissionApplyType: payout.commissionPayer,
});

/** Builds the postback for a payout's final state. Its id contains the state, so it can exist only once. */
export const payoutEvent = (payout: FinalPayout, accountNumber: string, now: Date): PostbackEvent => ({
  id: payoutEventId(payout.id, payout.status),
  kind: 'payout',
  merchantId: payout.merchantId,
  shopId: undefined,
  supersededByBill: undefined,
  status: payout.status,
  fields: payoutFields(payout, accountNumber),
  state: 'PENDING',
  attempts: [],
  tries: 0,
  createdAt: now,
  nextAt: now,
});
