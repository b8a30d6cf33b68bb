import { type MerchantId, newShopId } from '../ids.ts';
import { shopWebhookContext } from './encryption-context.ts';
import type { Shop } from './shop.ts';
import { firstSecret, newWebhookSecret } from './webhook-secret.ts';
import { fail, ok, type Result } from '../result.ts';
import type { IssuingPorts } from './issuing.ts';
import { badShopUrl, type ShopSettings, sinceWhen, type UrlPolicy } from './shop-settings.ts';

type Ports = Pick<IssuingPorts, 'now' | 'newId' | 'random' | 'merchants' | 'shops' | 'sealer'> & UrlPolicy;
type Command = {
  readonly merchantId: MerchantId;
  /** Generated unless given; a given one may be in use by another shop, which then signs with the same secret. */
  readonly webhookSecret?: string;
} & ShopSettings;

/** The secret in plaintext: it cannot be read again. */
type NewShop = { readonly shop: Shop; readonly webhookSecret: string };

/** Creates a shop of the merchant. Unless the command says otherwise it is enabled and has the merchant's name. */
export async function createShop(
  ports: Ports,
  { merchantId, webhookSecret = newWebhookSecret(ports.random), ...settings }: Command,
): Promise<Result<NewShop, 'merchant_not_found' | { readonly badUrl: string }>> {
  const merchant = await ports.merchants.find(merchantId);
  if (!merchant) return fail('merchant_not_found');
  const badUrl = badShopUrl(ports, settings);
  if (badUrl) return fail({ badUrl });

  const now = ports.now();
  const id = newShopId(ports.newId);
  const shop: Shop = {
    id,
    merchantId,
    name: settings.name ?? merchant.name,
    enabled: settings.enabled ?? true,
    createdAt: now,
    defaultCurrency: settings.defaultCurrency,
    resultUrl: settings.resultUrl,
    resultUrlSince: sinceWhen(settings.resultUrl, undefined, now),
    refundUrl: settings.refundUrl,
    refundUrlSince: sinceWhen(settings.refundUrl, undefined, now),
    successUrl: settings.successUrl,
    failUrl: settings.failUrl,
    hosts: settings.hosts,
    postbackFormat: settings.postbackFormat ?? 'form',
    extendedPostbacks: settings.extendedPostbacks,
    billLifetimeMinutes: settings.billLifetimeMinutes,
    webhookSecrets: firstSecret(await ports.sealer.seal(webhookSecret, shopWebhookContext(id))),
  };
  await ports.shops.create(shop);
  return ok({ shop, webhookSecret });
}
