import { type MerchantId, readMerchantId, readShopId, type ShopId } from '../ids.ts';
import { merchantWebhookContext, shopWebhookContext } from './encryption-context.ts';
import type { Merchants, Shops } from './ports.ts';
import { livePrevious, newWebhookSecret, rotated, type WebhookSecrets } from './webhook-secret.ts';
import { ok, type Result } from '../result.ts';
import type { IssuingPorts } from './issuing.ts';

/** A shop's secret signs payment postbacks, a merchant's signs payout postbacks (contract 6.1, 6.2). */
export type WebhookOwnerId = { readonly shopId: ShopId } | { readonly merchantId: MerchantId };
export type WebhookOwner = {
  readonly id: WebhookOwnerId;
  readonly name: string;
  readonly webhookSecrets: WebhookSecrets;
};

/** Finds the shop or merchant with this id: an id does not tell which of the two it names. */
export async function findWebhookOwner(
  { shops, merchants }: { readonly shops: Pick<Shops, 'find'>; readonly merchants: Pick<Merchants, 'find'> },
  id: string,
): Promise<WebhookOwner | undefined> {
  const [shopId, merchantId] = [readShopId(id), readMerchantId(id)];
  const [shop, merchant] = await Promise.all([
    shopId && shops.find(shopId),
    merchantId && merchants.find(merchantId),
  ]);
  if (shop) return { id: { shopId: shop.id }, name: shop.name, webhookSecrets: shop.webhookSecrets };
  return (
    merchant && {
      id: { merchantId: merchant.id },
      name: merchant.name,
      webhookSecrets: merchant.webhookSecrets,
    }
  );
}

type Ports = Pick<IssuingPorts, 'now' | 'random' | 'merchants' | 'shops' | 'sealer'>;
type Command = { readonly owner: WebhookOwner; readonly atOnce?: boolean };

/** The secret in plaintext: it cannot be read again. */
type NewSecret = { readonly webhookSecret: string; readonly previousUntil: Date | undefined };

/**
 * Replaces the webhook secret that `owner` was read with. The old secret also signs for another day, unless `atOnce`;
 * an older one that was still signing stops now (Standard Webhooks, secret rotation).
 */
export async function rotateWebhookSecret(
  ports: Ports,
  { owner: { id, webhookSecrets: seen }, atOnce = false }: Command,
): Promise<Result<NewSecret, 'webhook_secret_replaced_meanwhile'>> {
  const now = ports.now();
  const webhookSecret = newWebhookSecret(ports.random);
  const sealed = await ports.sealer.seal(webhookSecret, contextOf(id));
  const next = rotated(seen, { sealed, now, atOnce });
  const replaced = await replace(ports, id, { seen, next }).catch(async (error: unknown) => {
    // The outcome is unknown, and a second rotation would end the secret that receivers know: read what is stored.
    const owner = await findWebhookOwner(ports, 'shopId' in id ? id.shopId : id.merchantId);
    if (owner?.webhookSecrets.current !== next.current) throw error;
    return ok(undefined);
  });
  return replaced.ok ? ok({ webhookSecret, previousUntil: livePrevious(next, now)?.until }) : replaced;
}

const contextOf = (id: WebhookOwnerId) =>
  'shopId' in id ? shopWebhookContext(id.shopId) : merchantWebhookContext(id.merchantId);

const replace = (
  { shops, merchants }: Ports,
  id: WebhookOwnerId,
  replacement: Parameters<Shops['replaceWebhookSecrets']>[1],
) =>
  'shopId' in id
    ? shops.replaceWebhookSecrets(id.shopId, replacement)
    : merchants.replaceWebhookSecrets(id.merchantId, replacement);
