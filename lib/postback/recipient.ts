import {
  apiTokenContext,
  merchantWebhookContext,
  shopWebhookContext,
} from '../merchant/encryption-context.ts';
import { Defect } from '../defect.ts';
import type { Merchant } from '../merchant/merchant.ts';
import type { Merchants, Shops } from '../merchant/ports.ts';
import type { PostbackFormat, Shop } from '../merchant/shop.ts';
import type { WebhookSecrets } from '../merchant/webhook-secret.ts';
import { type EndpointId, endpointIdOf, type PostbackEvent } from './event.ts';
import type { EndpointHealth, Endpoints } from './ports.ts';

type Sealed = { readonly sealed: string; readonly context: Readonly<Record<string, string>> };

/** Where an event goes as of now: URL and secrets are read at each attempt, so a change holds at once. */
export type Recipient = {
  /** Empty when it was taken away since the event was written. */
  readonly url: string;
  readonly format: PostbackFormat;
  readonly token: Sealed;
  readonly webhook: { readonly secrets: WebhookSecrets; readonly context: Sealed['context'] };
  readonly health: EndpointHealth;
};

export type RecipientPorts = {
  readonly merchants: Pick<Merchants, 'find'>;
  readonly shops: Pick<Shops, 'find'>;
  readonly endpoints: Pick<Endpoints, 'find'>;
};

/** The URL, the format and the keys of an event's endpoint with its health; throws when merchant or shop is missing. */
export async function findRecipient(ports: RecipientPorts, event: PostbackEvent): Promise<Recipient> {
  const endpointId = endpointIdOf(event);
  const [merchant, shop, health = healthyEndpoint(endpointId)] = await Promise.all([
    ports.merchants.find(event.merchantId),
    event.shopId === undefined ? undefined : ports.shops.find(event.shopId),
    ports.endpoints.find(endpointId),
  ]);
  if (!merchant)
    throw new Defect(
      'POSTBACK_MERCHANT_MISSING',
      `Postback ${event.id} belongs to a merchant that does not exist.`,
    );
  const way = event.kind === 'payout' ? wayToMerchant(merchant) : wayToShop(shop, event);
  return { ...way, token: sealedTokenOf(merchant), health };
}

/** Payout postbacks (contract 6.2): the merchant's webhook settings, in the contract's own encoding. */
const wayToMerchant = ({ id, payoutWebhookUrl = '', webhookSecrets }: Merchant) => ({
  url: payoutWebhookUrl,
  format: 'form' as const,
  webhook: { secrets: webhookSecrets, context: merchantWebhookContext(id) },
});

/** Payment postbacks (contract 6.1): the shop's Result URL. */
function wayToShop(shop: Shop | undefined, event: PostbackEvent) {
  if (!shop)
    throw new Defect('POSTBACK_SHOP_MISSING', `Postback ${event.id} belongs to a shop that does not exist.`);
  const { id, resultUrl = '', postbackFormat, webhookSecrets } = shop;
  const webhook = { secrets: webhookSecrets, context: shopWebhookContext(id) };
  return { url: resultUrl, format: postbackFormat, webhook };
}

const sealedTokenOf = (merchant: Merchant): Sealed => ({
  sealed: merchant.sealedToken,
  context: apiTokenContext(merchant),
});

const healthyEndpoint = (id: EndpointId): EndpointHealth => ({
  id,
  failuresInARow: 0,
  failingSince: undefined,
  failedTries: 0,
  openUntil: undefined,
  openings: 0,
  nextProbeAt: undefined,
  paused: false,
  slowUntil: undefined,
  waits: 0,
});
