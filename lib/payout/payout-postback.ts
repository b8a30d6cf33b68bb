import { toDecimal } from '../money/money.ts';
import { type PostbackEvent, payoutEventId } from '../postback/event.ts';
import type { AccountType } from './destination.ts';
import { debitMinor, type FinalPayout, sentMinor } from './payout.ts';

/** The contract's enum is closed: it names phone-number accounts QIWI. */
const accountTypeNames: Readonly<Record<AccountType, string>> = { credit_card: 'BANK_CARD', sbp: 'QIWI' };

/**
 * Returns the fields of contract 6.2 in its order; the signature is added at each attempt. `AccountNumber` is the mask, in whose
 * place a phone is sent in full.
 */
const payoutFields = (payout: FinalPayout): Readonly<Record<string, string>> => ({
  TrsId: payout.id,
  Amount: toDecimal(sentMinor(payout)),
  IsAuto: String(payout.isAuto),
  Status: payout.status,
  Currency: payout.amount.currency,
  Commission: toDecimal(payout.commissionMinor),
  AccountType: accountTypeNames[payout.accountType],
  AccountNumber: payout.mask,
  BalanceAmount: toDecimal(debitMinor(payout)),
  BalanceCommission: toDecimal(payout.commissionMinor),
  BalanceCurrency: payout.amount.currency,
  CommissionApplyType: payout.commissionPayer,
});

/**
 * Builds the postback for a payout's final state. Its id contains the state, so it can exist only once. `sealedPhone`: the phone of
 * an SBP payout, sealed for this event.
 */
export const payoutEvent = (
  payout: FinalPayout,
  sealedPhone: string | undefined,
  now: Date,
): PostbackEvent => ({
  id: payoutEventId(payout.id, payout.status),
  kind: 'payout',
  merchantId: payout.merchantId,
  shopId: undefined,
  supersededByBill: undefined,
  sentAfter: undefined,
  status: payout.status,
  fields: payoutFields(payout),
  sealedPhone,
  extended: undefined,
  state: 'PENDING',
  attempts: [],
  tries: 0,
  createdAt: now,
  nextAt: now,
});
