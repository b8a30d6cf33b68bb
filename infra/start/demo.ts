import { createMerchant } from '../../lib/merchant/create-merchant.ts';
import { createShop } from '../../lib/merchant/create-shop.ts';
import type { IssuingPorts } from '../../lib/merchant/issuing.ts';
import { setMerchant } from '../../lib/merchant/set-merchant.ts';
import { setShop } from '../../lib/merchant/set-shop.ts';
import type { ShopSettings, UrlPolicy } from '../../lib/merchant/shop-settings.ts';
import { unwrap } from '../../lib/cli/refusals.ts';
import type { Demo } from '../../lib/installation/data-folder.ts';

/** The part of the operator's context that creating a merchant needs. */
type MerchantPorts = IssuingPorts & UrlPolicy;

/**
 * Creates a merchant with all permissions, zero balances and one shop. The shop and the merchant share a webhook secret, so
 * `webhookSecret` in demo.json verifies every postback until the operator rotates one of the two.
 */
export async function makeDemo(ports: MerchantPorts, baseUrl: string): Promise<Demo> {
  const { merchant, apiToken, payoutWebhookSecret } = await createMerchant(ports, { name: 'Demo merchant' });
  const merchantId = merchant.id;
  const flags = { verified: true, regularPayouts: true, subscription: 'active' } as const;
  unwrap(await setMerchant(ports, { merchantId, flags }));
  const { shop, webhookSecret } = unwrap(
    await createShop(ports, { merchantId, name: 'Demo shop', webhookSecret: payoutWebhookSecret }),
  );
  return { baseUrl, merchantId, apiToken, shopId: shop.id, webhookSecret };
}

/** The demo merchant's postback and redirect URLs. An absent field stays unchanged. */
export type DemoUrls = Pick<ShopSettings, 'resultUrl' | 'successUrl' | 'failUrl'> & {
  readonly payoutWebhookUrl?: string;
};

/** Sets the given URLs, with the same validation as the operator's commands. */
export async function setDemoUrls(ports: MerchantPorts, demo: Demo, urls: DemoUrls): Promise<void> {
  const { resultUrl, successUrl, failUrl, payoutWebhookUrl } = urls;
  const ofShop = {
    ...(resultUrl !== undefined && { resultUrl }),
    ...(successUrl !== undefined && { successUrl }),
    ...(failUrl !== undefined && { failUrl }),
  };
  if (Object.keys(ofShop).length > 0) unwrap(await setShop(ports, { shopId: demo.shopId, ...ofShop }));
  if (payoutWebhookUrl === undefined) return;
  unwrap(await setMerchant(ports, { merchantId: demo.merchantId, settings: { payoutWebhookUrl } }));
}
