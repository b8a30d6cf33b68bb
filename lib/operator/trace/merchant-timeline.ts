import type { Balance } from '../../ledger/balance.ts';
import { refundUrlIdOf } from '../../ids.ts';
import type { Merchant } from '../../merchant/merchant.ts';
import type { Shop } from '../../merchant/shop.ts';
import { toDecimal } from '../../money/money.ts';
import type { PayoutAccount } from '../../payout/account.ts';
import type { EndpointHealth } from '../../postback/ports.ts';
import { changeStep } from './change-steps.ts';
import { entryStep } from './entry-steps.ts';
import { latestBefore, mergeLatest, pageOf, type TracedPage, type TracePage } from './page.ts';
import type { Subject, TracePorts } from './timeline.ts';

/** Returns a page of a merchant's timeline, the journal and the changes of settings, with its balances, shops and accounts. */
export async function merchantTimeline(
  ports: TracePorts,
  merchant: Merchant,
  page: TracePage,
): Promise<TracedPage> {
  const query = latestBefore(ports, page);
  const [health, balances, shops, accounts, entries, changes] = await Promise.all([
    ports.endpoints.find(merchant.id),
    ports.balances.of(merchant.id),
    ports.shops.listOf(merchant.id),
    ports.payoutAccounts.listOf(merchant.id),
    ports.journal.latestOf(merchant.id, { ...query, since: merchant.createdAt }),
    ports.changes.of(merchant.id, query),
  ]);
  const subjects = [
    merchantSubject(merchant, health),
    ...balances.map(balanceSubject),
    ...shops.map((shop) => shopSubject(shop)),
    ...accounts.map(accountSubject),
  ];
  const created = [{ at: merchant.createdAt, id: merchant.id, what: 'merchant created' }];
  const histories = [
    { items: created, completeFrom: undefined },
    { ...changes, items: changes.items.map(changeStep) },
    { ...entries, items: entries.items.map(entryStep) },
  ];
  return pageOf({ subjects, ...mergeLatest(histories) }, page);
}

/** Returns a page of a shop's timeline, the changes of its settings, with the health of its Result URL and its refund URL. */
export async function shopTimeline(ports: TracePorts, shop: Shop, page: TracePage): Promise<TracedPage> {
  const [health, refundHealth, changes] = await Promise.all([
    ports.endpoints.find(shop.id),
    ports.endpoints.find(refundUrlIdOf(shop.id)),
    ports.changes.of(shop.id, latestBefore(ports, page)),
  ]);
  const created = { at: shop.createdAt, id: shop.id, what: 'shop created' };
  const histories = [
    { items: [created], completeFrom: undefined },
    { ...changes, items: changes.items.map(changeStep) },
  ];
  return pageOf({ subjects: [shopSubject(shop, health, refundHealth)], ...mergeLatest(histories) }, page);
}

/** Why postbacks fail or are paused; undefined while the endpoint is healthy. */
function endpointFact(health: EndpointHealth | undefined): string | undefined {
  if (!health?.failingSince && !health?.paused) return undefined;
  const since = health.failingSince ? `failing since ${health.failingSince.toISOString()}` : 'failing';
  return health.paused ? `PAUSED (${since}): endpoint resume` : since;
}

const merchantSubject = (merchant: Merchant, health: EndpointHealth | undefined): Subject => ({
  kind: 'merchant',
  id: merchant.id,
  facts: {
    name: merchant.name,
    enabled: merchant.enabled,
    banned: merchant.banned,
    verified: merchant.verified,
    'regular payouts': merchant.regularPayouts,
    subscription: merchant.subscription,
    'API addresses': merchant.apiAddresses?.join(', ') ?? 'any',
    'payout webhook': merchant.payoutWebhookUrl,
    postbacks: endpointFact(health),
    'token refreshes': merchant.tokenVersion - 1,
    'webhook secret rotations': merchant.webhookSecrets.rotations,
  },
});

const balanceSubject = ({ currency, available, locked, held, reserved }: Balance): Subject => ({
  kind: 'balance',
  id: currency,
  facts: {
    available: toDecimal(available),
    locked: toDecimal(locked),
    hold: toDecimal(held),
    reserved: toDecimal(reserved),
  },
});

const shopSubject = (shop: Shop, health?: EndpointHealth, refundHealth?: EndpointHealth): Subject => ({
  kind: 'shop',
  id: shop.id,
  facts: {
    name: shop.name,
    merchant: shop.merchantId,
    enabled: shop.enabled,
    'result URL': shop.resultUrl,
    'success URL': shop.successUrl,
    'fail URL': shop.failUrl,
    'refund URL': shop.refundUrl,
    postbacks: endpointFact(health),
    'refund postbacks': endpointFact(refundHealth),
    'webhook secret rotations': shop.webhookSecrets.rotations,
  },
});

const accountSubject = (account: PayoutAccount): Subject => ({
  kind: 'account',
  id: account.id,
  facts: {
    account: `${account.mask} (${account.type})`,
    currency: account.currency,
    banned: account.banned,
    available: account.available,
  },
});
