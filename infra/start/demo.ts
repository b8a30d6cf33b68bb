import { createMerchant } from '../../lib/merchant/create-merchant.ts';
import { createShop } from '../../lib/merchant/create-shop.ts';
import type { IssuingPorts } from '../../lib/merchant/issuing.ts';
import { setMerchant } from '../../lib/merchant/set-merchant.ts';
import { setShop } from '../../lib/merchant/set-shop.ts';
import type { ShopSettings, UrlPolicy } from '../../lib/merchant/shop-settings.ts';
import { unwrap } from '../../lib/cli/refusals.ts';
import type { Demo } from '../../lib/installation/data-folder.ts';

/** What the operator's use cases need to make a merchant: a part of the operator's context. */
type MerchantPorts = IssuingPorts & UrlPolicy;

/**
 * Makes a merchant who may do everything, with zero balances and one shop. One secret signs the postbacks of both, so
 * that the `webhookSecret` of demo.json checks every one until the operator rotates it.
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

/** Where the demo merchant wants to hear of things; what is not named stays as it is. */
export type DemoUrls = Pick<ShopSettings, 'resultUrl' | 'successUrl' | 'failUrl'> & {
  readonly payoutWebhookUrl?: string | undefined;
};

/** Sets the URLs that are given, under the same rules as the operator's own command. */
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
