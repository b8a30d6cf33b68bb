import type { MerchantId } from '../ids.ts';
import type { Adjustment } from '../ledger/adjustment.ts';
import type { Merchant } from '../merchant/merchant.ts';
import type { Shop } from '../merchant/shop.ts';
import type { Terms } from '../merchant/terms.ts';
import type { FeeSchedule } from '../money/fee.ts';
import { toDecimal } from '../money/money.ts';
import type { PayoutAccount } from '../payout/account.ts';
import { type Payout, sentMinor } from '../payout/payout.ts';
import { lastAnswer, wasDeferred } from '../postback/attempts.ts';
import { endpointIdOf, type PostbackEvent } from '../postback/event.ts';

// What --json shows of each noun, with the field names of demo.json and without sealed secrets. Absent is null, amounts are text.

export const merchantView = (merchant: Merchant) => ({
  merchantId: merchant.id,
  name: merchant.name,
  enabled: merchant.enabled,
  banned: merchant.banned,
  verified: merchant.verified,
  regularPayouts: merchant.regularPayouts,
  subscription: merchant.subscription,
  payoutWebhookUrl: merchant.payoutWebhookUrl ?? null,
  settlesKztIn: merchant.settlesKztIn,
  createdAt: merchant.createdAt.toISOString(),
});

export const shopView = (shop: Shop) => ({
  shopId: shop.id,
  merchantId: shop.merchantId,
  name: shop.name,
  enabled: shop.enabled,
  defaultCurrency: shop.defaultCurrency ?? null,
  resultUrl: shop.resultUrl ?? null,
  successUrl: shop.successUrl ?? null,
  failUrl: shop.failUrl ?? null,
  postbackFormat: shop.postbackFormat,
  billLifetimeMinutes: shop.billLifetimeMinutes ?? null,
  createdAt: shop.createdAt.toISOString(),
});

export const termsView = (merchantId: MerchantId, terms: Terms) => ({
  merchantId,
  currency: terms.currency,
  ...feeView('payment', terms.paymentFee),
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
});

const feeView = (of: 'payment' | 'payout', { bps, fixedMinor, minimumMinor }: FeeSchedule) => ({
  [`${of}FeeBps`]: bps,
  [`${of}FeeFixed`]: toDecimal(fixedMinor),
  [`${of}FeeMinimum`]: toDecimal(minimumMinor),
});

export const accountView = (account: PayoutAccount) => ({
  id: account.id,
  merchantId: account.merchantId,
  type: account.type,
  account: account.mask,
  currency: account.currency,
  banned: account.banned,
  available: account.available,
  createdAt: account.createdAt.toISOString(),
});

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
