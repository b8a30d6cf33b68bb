import { accountCauses, type DayAccount, statedMinor } from '../reconciliation/accounts.ts';
import type { Totals } from '../reconciliation/compare.ts';
import {
  countOf,
  type Reconciliation,
  type Side,
  type Summary,
  verdictOf,
} from '../reconciliation/reconciliation.ts';
import type { MerchantId } from '../ids.ts';
import type { Adjustment } from '../ledger/adjustment.ts';
import type { Chargeback } from '../ledger/chargeback.ts';
import type { Claim } from '../ledger/claim.ts';
import type { Merchant } from '../merchant/merchant.ts';
import type { Shop } from '../merchant/shop.ts';
import type { Terms } from '../merchant/terms.ts';
import type { FeeSchedule } from '../money/fee.ts';
import { toDecimal } from '../money/money.ts';
import type { PayoutAccount } from '../payout/account.ts';
import type { Refund } from '../refund/refund.ts';
import { type Payout, sentMinor } from '../payout/payout.ts';
import { nothingLeft } from '../nothing-left.ts';
import { lastAnswer, wasDeferred } from '../postback/attempts.ts';
import { endpointIdOf, type PostbackEvent } from '../postback/event.ts';

// What --json shows of each noun, with the field names of demo.json and without sealed secrets. Absent is null, amounts are text.

type HiddenOfMerchant =
  | 'tokenHash'
  | 'tokenVersion'
  | 'sealedToken'
  | 'payoutWebhookSince'
  | 'webhookSecrets'
  | 'shards';

export function merchantView(merchant: Omit<Merchant, HiddenOfMerchant>) {
  const { id, name, enabled, banned, verified, regularPayouts, subscription, ...others } = merchant;
  const { apiAddresses, payoutWebhookUrl, settlesKztIn, createdAt, ...rest } = others;
  nothingLeft(rest);
  return {
    merchantId: id,
    name,
    enabled,
    banned,
    verified,
    regularPayouts,
    subscription,
    apiAddresses: apiAddresses?.join(',') ?? 'any',
    payoutWebhookUrl: payoutWebhookUrl ?? null,
    settlesKztIn,
    createdAt: createdAt.toISOString(),
  };
}

export function shopView(shop: Omit<Shop, 'resultUrlSince' | 'refundUrlSince' | 'webhookSecrets'>) {
  const { id, merchantId, name, enabled, defaultCurrency, resultUrl, successUrl, ...others } = shop;
  const { failUrl, hosts, refundUrl, postbackFormat, extendedPostbacks, ...more } = others;
  const { billLifetimeMinutes, createdAt, ...rest } = more;
  nothingLeft(rest);
  return {
    shopId: id,
    merchantId,
    name,
    enabled,
    defaultCurrency: defaultCurrency ?? null,
    resultUrl: resultUrl ?? null,
    successUrl: successUrl ?? null,
    failUrl: failUrl ?? null,
    hosts: hosts?.join(',') ?? null,
    refundUrl: refundUrl ?? null,
    postbackFormat,
    extendedPostbacks: extendedPostbacks ?? false,
    billLifetimeMinutes: billLifetimeMinutes ?? null,
    createdAt: createdAt.toISOString(),
  };
}

export const termsView = (merchantId: MerchantId, terms: Terms) => ({
  merchantId,
  currency: terms.currency,
  ...feeView('payment', terms.paymentFee),
  refundFee: terms.refundFee,
  ...feeView('payout', terms.payoutFee),
  payoutMin: toDecimal(terms.payoutMinMinor),
  payoutMax: toDecimal(terms.payoutMaxMinor),
  dayLimit: toDecimal(terms.dayLimitMinor),
  monthLimit: toDecimal(terms.monthLimitMinor),
  commissionPayer: terms.commissionPayer,
  autoApproveUpTo: toDecimal(terms.autoApproveUpToMinor),
  autoApproveDayTotal: toDecimal(terms.autoApproveDayTotalMinor),
  autoApproveKnownUpTo: toDecimal(terms.autoApproveKnownUpToMinor),
  autoApproveKnownDayTotal: toDecimal(terms.autoApproveKnownDayTotalMinor),
  secondPersonAbove: toDecimal(terms.secondPersonAboveMinor),
  reserveBps: terms.reserveBasisPoints,
  reserveDays: terms.reserveDays,
});

const feeView = (of: 'payment' | 'payout', { bps, fixedMinor, minimumMinor }: FeeSchedule) => ({
  [`${of}FeeBps`]: bps,
  [`${of}FeeFixed`]: toDecimal(fixedMinor),
  [`${of}FeeMinimum`]: toDecimal(minimumMinor),
});

export function accountView(account: Omit<PayoutAccount, 'destination' | 'numberHash'>) {
  const { id, merchantId, type, mask, currency, banned, available, createdAt, ...rest } = account;
  nothingLeft(rest);
  return {
    id,
    merchantId,
    type,
    account: mask,
    currency,
    banned,
    available,
    createdAt: createdAt.toISOString(),
  };
}

export const payoutView = (payout: Payout) => ({
  id: payout.id,
  merchantId: payout.merchantId,
  status: payout.status,
  amount: toDecimal(payout.amount.minor),
  commission: toDecimal(payout.commissionMinor),
  sent: toDecimal(sentMinor(payout)),
  currency: payout.amount.currency,
  type: payout.accountType,
  account: payout.mask,
  orderId: payout.orderId ?? null,
  possibleDuplicate: payout.possibleDuplicate,
  isAuto: payout.isAuto,
  revision: payout.revision,
  /** The provider's reason, else the last decision's. */
  reason: payout.reason ?? payout.decisions.at(-1)?.reason ?? null,
  decisions: payout.decisions.map(({ at, ...decision }) => ({ ...decision, at: at.toISOString() })),
  /** What the provider was asked and what it answered. */
  railCalls: payout.railCalls.map(({ firstAt, lastAt, reference = null, reason = null, ...call }) => ({
    ...call,
    reference,
    reason,
    firstAt: firstAt.toISOString(),
    lastAt: lastAt.toISOString(),
  })),
  createdAt: payout.createdAt.toISOString(),
});

export const adjustmentView = (adjustment: Adjustment) => ({
  id: adjustment.id,
  merchantId: adjustment.merchantId,
  status: adjustment.status,
  direction: adjustment.direction,
  amount: toDecimal(adjustment.amount.minor),
  currency: adjustment.amount.currency,
  reason: adjustment.reason,
  about: adjustment.about ?? null,
  proposedBy: adjustment.proposedBy,
  proposedAt: adjustment.proposedAt.toISOString(),
  decidedBy: adjustment.decision?.by ?? null,
  decidedAt: adjustment.decision?.at.toISOString() ?? null,
  rejectedBecause: adjustment.decision?.reason ?? null,
});

export const chargebackView = (chargeback: Chargeback) => ({
  id: chargeback.id,
  paymentId: chargeback.paymentId,
  merchantId: chargeback.merchantId,
  status: chargeback.status,
  direction: chargeback.direction,
  amount: toDecimal(chargeback.amount.minor),
  currency: chargeback.amount.currency,
  acquirerSays: chargeback.seen?.state ?? null,
  acquirerHolds: chargeback.seen === undefined ? null : toDecimal(chargeback.seen.heldMinor),
  enteredBy: chargeback.entered?.by ?? null,
  enteredBecause: chargeback.entered?.reason ?? null,
  at: chargeback.at.toISOString(),
  proposedBy: chargeback.decision?.proposedBy ?? null,
  approvedBy: chargeback.decision?.approvedBy ?? null,
  decidedAt: chargeback.decision?.at.toISOString() ?? null,
  decidedBecause: chargeback.decision?.reason ?? null,
  bearer: chargeback.decision?.bearer ?? null,
});

export const refundView = (refund: Refund) => ({
  id: refund.id,
  paymentId: refund.paymentId,
  merchantId: refund.merchantId,
  status: refund.status,
  amount: toDecimal(refund.amount.minor),
  currency: refund.amount.currency,
  /** What it takes from the merchant's balance. */
  debit: toDecimal(refund.debit.minor),
  debitCurrency: refund.debit.currency,
  feeReturned: toDecimal(refund.feeReturnedMinor),
  reason: refund.reason ?? null,
  requestedBy: refund.requestedBy.kind === 'operator' ? refund.requestedBy.by : 'merchant',
  acquirer: refund.acquirer ?? null,
  /** The acquirer's own code of a rejection. */
  outcome: refund.outcome ?? null,
  errorCode: refund.errorCode ?? null,
  receipt: refund.receipt ?? null,
  createdAt: refund.createdAt.toISOString(),
  endedAt: refund.endedAt?.toISOString() ?? null,
});

export const summaryView = (summary: Summary) => ({
  ...resultView(summary),
  differenceCount: countOf(summary),
});

export const reconciliationView = (reconciliation: Reconciliation) => ({
  ...resultView(reconciliation),
  differenceCount: countOf(reconciliation),
  differences: reconciliation.differences.map(({ there, here, ...difference }) => ({
    kind: difference.kind,
    about: difference.about,
    why: difference.why ?? null,
    provider: difference.provider ?? null,
    id: difference.subject ?? null,
    reference: difference.reference ?? null,
    there: sideView(there),
    here: sideView(here),
    decidedBy: difference.decidedBy ?? null,
  })),
});

const resultView = (result: Summary | Reconciliation) => ({
  date: result.day.date,
  timeZone: result.day.timeZone,
  from: result.day.from.toISOString(),
  to: result.day.to.toISOString(),
  startedAt: result.startedAt.toISOString(),
  endedAt: result.endedAt.toISOString(),
  isOver: result.isOver,
  result: verdictOf(result),
  compared: result.compared.map(({ incomplete, ...each }) => ({ ...each, incomplete: incomplete ?? null })),
  totals: result.totals.map(({ kind, currency, there, here }) => ({
    kind,
    currency,
    there: totalView(there),
    here: totalView(here),
  })),
  accounts: result.accounts?.map(dayAccountView) ?? null,
  counts: result.counts,
});

const dayAccountView = (account: DayAccount) => ({
  role: account.role,
  provider: account.provider ?? null,
  currency: account.currency,
  statement: toDecimal(statedMinor(account)),
  ...Object.fromEntries(accountCauses.map((cause) => [cause, toDecimal(account.gaps[cause])])),
  journal: toDecimal(account.journalMinor),
});

const totalView = ({ count, minor }: Totals['there']) => ({ count, sum: toDecimal(minor) });

const sideView = (side: Side | undefined) =>
  side
    ? {
        state: side.state ?? null,
        amount: side.amountMinor === undefined ? null : toDecimal(side.amountMinor),
        currency: side.currency ?? null,
        at: side.at?.toISOString() ?? null,
      }
    : null;

export const claimView = (claim: Claim) => ({
  id: claim.id,
  paymentId: claim.paymentId,
  merchantId: claim.merchantId,
  owed: toDecimal(claim.openMinor),
  amount: toDecimal(claim.amount.minor),
  currency: claim.amount.currency,
  at: claim.at.toISOString(),
  moves: claim.moves.map(({ kind, minor, by, approvedBy, reason, at }) => ({
    kind,
    amount: toDecimal(minor),
    by,
    approvedBy: approvedBy ?? null,
    reason: reason ?? null,
    at: at.toISOString(),
  })),
});

export const postbackView = (event: PostbackEvent) => ({
  id: event.id,
  kind: event.kind,
  merchantId: event.merchantId,
  endpoint: endpointIdOf(event),
  status: event.status,
  state: event.state,
  tries: event.tries,
  /** The outcome of the last attempt. */
  lastOutcome: lastAnswer(event.attempts)?.outcome ?? null,
  heldByBreaker: event.state === 'RETRY' && wasDeferred(event.attempts),
  /** PAUSED and DEAD postbacks have no next attempt. */
  nextAt: event.state === 'PENDING' || event.state === 'RETRY' ? event.nextAt.toISOString() : null,
  createdAt: event.createdAt.toISOString(),
});
