import * as z from 'zod/mini';
import { createMerchant } from '../../lib/operator/create-merchant.ts';
import { createShop } from '../../lib/operator/create-shop.ts';
import type { Issuing } from '../../lib/operator/ports.ts';
import { setMerchant } from '../../lib/operator/set-merchant.ts';
import { setShop } from '../../lib/operator/set-shop.ts';
import type { ShopSettings, UrlPolicy } from '../../lib/operator/shop-settings.ts';
import { Trouble } from './trouble.ts';

/** What the operator's use cases need to make a merchant. */
export type OperatorDesk = Issuing & UrlPolicy;

/** The merchant to try things with, as `.paylink/demo.json` holds it. */
export const demoSchema = z.object({
  baseUrl: z.string(),
  merchantId: z.string(),
  apiToken: z.string(),
  shopId: z.string(),
  webhookSecret: z.string(),
});
export type Demo = z.infer<typeof demoSchema>;

/** Makes a merchant who may do everything, with zero balances and one shop. */
export async function makeDemo(desk: OperatorDesk, baseUrl: string): Promise<Demo> {
  const { merchant, apiToken } = await createMerchant(desk, { name: 'Demo merchant' });
  const merchantId = merchant.id;
  const flags = { verified: true, regularPayouts: true, subscription: 'active' } as const;
  granted(await setMerchant(desk, { merchantId, flags }));
  const { shop, webhookSecret } = granted(await createShop(desk, { merchantId, name: 'Demo shop' }));
  return { baseUrl, merchantId, apiToken, shopId: shop.id, webhookSecret };
}

/** Where the demo merchant wants to hear of things; what is not named stays as it is. */
export type DemoUrls = Pick<ShopSettings, 'resultUrl' | 'successUrl' | 'failUrl'> & {
  readonly payoutWebhookUrl?: string | undefined;
};

/** Sets the URLs that are given, under the same rules as the operator's own command. */
export async function setDemoUrls(desk: OperatorDesk, demo: Demo, urls: DemoUrls): Promise<void> {
  const { resultUrl, successUrl, failUrl, payoutWebhookUrl } = urls;
  const ofShop = {
    ...(resultUrl !== undefined && { resultUrl }),
    ...(successUrl !== undefined && { successUrl }),
    ...(failUrl !== undefined && { failUrl }),
  };
  if (Object.keys(ofShop).length > 0) granted(await setShop(desk, { shopId: demo.shopId, ...ofShop }));
  if (payoutWebhookUrl === undefined) return;
  granted(await setMerchant(desk, { merchantId: demo.merchantId, settings: { payoutWebhookUrl } }));
}

type Refused = string | { readonly badUrl: string };

function granted<T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Refused },
): T {
  if (result.ok) return result.value;
  const { error } = result;
  throw new Trouble(typeof error === 'string' ? `The demo merchant was refused: ${error}.` : error.badUrl);
}
