import type { Balance } from '../../ledger/balance.ts';
import type { Merchant } from '../../merchant/merchant.ts';
import type { Shop } from '../../merchant/shop.ts';
import { toDecimal } from '../../money/money.ts';
import type { PayoutAccount } from '../../payout/account.ts';
import { entryStep } from './entry-steps.ts';
import type { Timeline, Subject, TracePorts } from './timeline.ts';

/** More journal entries than this do not fit a screen. */
const latestEntries = 30;

/** A merchant with its balances, shops and accounts, and what moved its money lately. */
export async function merchantTimeline(ports: TracePorts, merchant: Merchant): Promise<Timeline> {
  const [balances, shops, accounts, entries] = await Promise.all([
    ports.balances.of(merchant.id),
    ports.shops.listOf(merchant.id),
    ports.payoutAccounts.listOf(merchant.id),
    ports.journal.latestOf(merchant.id, ports.now(), latestEntries),
  ]);
  const subjects = [
    merchantSubject(merchant),
    ...balances.map(balanceSubject),
    ...shops.map(shopSubject),
    ...accounts.map(accountSubject),
  ];
  const created = { at: merchant.createdAt, id: merchant.id, what: 'merchant created' };
  return { subjects, steps: [created, ...entries.map(entryStep).toReversed()] };
}

const merchantSubject = (merchant: Merchant): Subject => ({
  is: 'merchant',
  id: merchant.id,
  facts: {
    name: merchant.name,
    enabled: merchant.enabled,
    banned: merchant.banned,
    verified: merchant.verified,
    'regular payouts': merchant.regularPayouts,
    subscription: merchant.subscription,
    'payout webhook': merchant.payoutWebhookUrl,
    'token refreshes': merchant.tokenVersion - 1,
    'webhook secret rotations': merchant.webhookSecrets.rotations,
  },
});

const balanceSubject = ({ currency, available, locked, held }: Balance): Subject => ({
  is: 'balance',
  id: currency,
  facts: { available: toDecimal(available), locked: toDecimal(locked), hold: toDecimal(held) },
});

export const shopSubject = (shop: Shop): Subject => ({
  is: 'shop',
  id: shop.id,
  facts: {
    name: shop.name,
    merchant: shop.merchantId,
    enabled: shop.enabled,
    'result URL': shop.resultUrl,
    'success URL': shop.successUrl,
    'fail URL': shop.failUrl,
    'webhook secret rotations': shop.webhookSecrets.rotations,
  },
});

const accountSubject = (account: PayoutAccount): Subject => ({
  is: 'account',
  id: account.id,
  facts: {
    account: `${account.mask} (${account.type})`,
    currency: account.currency,
    banned: account.banned,
    available: account.available,
  },
});
