import type { ShopId } from '../ids.ts';
import type { Shops } from './ports.ts';
import type { Shop } from './shop.ts';
import { fail, type Result } from '../result.ts';
import { badShopUrl, type ShopSettings, sinceWhen, type UrlPolicy } from './shop-settings.ts';

/** `shopId` is undefined when the text is not a shop id. */
type Command = { readonly shopId: ShopId | undefined } & ShopSettings;
type Ports = { readonly now: () => Date; readonly shops: Shops } & UrlPolicy;

/** Changes the settings in the command and leaves the rest of the shop unchanged. */
export async function setShop(
  ports: Ports,
  { shopId, ...settings }: Command,
): Promise<Result<Shop, 'shop_not_found' | { readonly badUrl: string }>> {
  const badUrl = badShopUrl(ports, settings);
  if (badUrl) return fail({ badUrl });
  if (shopId === undefined) return fail('shop_not_found');
  if (!('resultUrl' in settings) && !('refundUrl' in settings)) return ports.shops.set(shopId, settings);

  const [shop, now] = [await ports.shops.find(shopId), ports.now()];
  return ports.shops.set(shopId, {
    ...settings,
    ...('resultUrl' in settings && {
      resultUrlSince: sinceWhen(settings.resultUrl, shop?.resultUrlSince, now),
    }),
    ...('refundUrl' in settings && {
      refundUrlSince: sinceWhen(settings.refundUrl, shop?.refundUrlSince, now),
    }),
  });
}
