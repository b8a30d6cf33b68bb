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

/** The current target of an event. URL and secrets are read at each attempt, so a change takes effect at once. */
export type Recipient = {
  /** Empty when it was removed after the event was written. */
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

/** Returns URL, format, keys and health of an event's endpoint. Throws when the merchant or shop is missing. */
export async function findRecipient(ports: RecipientPorts, event: PostbackEvent): Promise<Recipient> {
  const endpointId = endpointIdOf(event);
  const [merchant, shop, health = healthyEndpoint(endpointId)] = await Promise.all([
    ports.merchants.find(event.merchantId),
    event.shopId === undefined ? undefined : ports.shops.find(event.shopId),
    ports.endpoints.find(endpointId),
  ]);
  return { ...targetOf(event, { merchant, shop }), health };
}

/** Where an event is sent, and what signs it. */
export type Target = Omit<Recipient, 'health'>;

/** Returns URL, format and keys of an event's endpoint. Throws when the merchant or shop is missing. */
export function targetOf(
  event: Pick<PostbackEvent, 'id' | 'kind'>,
  { merchant, shop }: { readonly merchant: Merchant | undefined; readonly shop: Shop | undefined },
): Target {
  if (!merchant)
    throw new Defect(
      'POSTBACK_MERCHANT_MISSING',
      `Postback ${event.id} belongs to a merchant that does not exist.`,
    );
  const target = event.kind === 'payout' ? merchantEndpoint(merchant) : shopEndpoint(shop, event);
  return { ...target, token: sealedTokenOf(merchant) };
}

/** Payout postbacks (contract 6.2): the merchant's webhook settings, in the contract's own encoding. */
const merchantEndpoint = ({ id, payoutWebhookUrl = '', webhookSecrets }: Merchant) => ({
  url: payoutWebhookUrl,
  format: 'form' as const,
  webhook: { secrets: webhookSecrets, context: merchantWebhookContext(id) },
});

/** Payment postbacks (contract 6.1): the shop's Result URL. Refunds and chargebacks: its refund URL. */
function shopEndpoint(shop: Shop | undefined, event: Pick<PostbackEvent, 'id' | 'kind'>) {
  if (!shop)
    throw new Defect('POSTBACK_SHOP_MISSING', `Postback ${event.id} belongs to a shop that does not exist.`);
  const { id, resultUrl = '', refundUrl = '', postbackFormat, webhookSecrets } = shop;
  const webhook = { secrets: webhookSecrets, context: shopWebhookContext(id) };
  return { url: event.kind === 'payment' ? resultUrl : refundUrl, format: postbackFormat, webhook };
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
