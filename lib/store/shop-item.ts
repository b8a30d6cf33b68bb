import * as z from 'zod/mini';
import type { MerchantId, ShopId } from '../ids.ts';
import { postbackFormats, type Shop } from '../merchant/shop.ts';
import { billCurrencies } from '../money/money.ts';
import { type AttributeOf, orAbsent } from './attributes.ts';
import { moment } from './moment.ts';
import { storedId } from './stored-id.ts';
import { webhookSecrets, webhookSecretsItem } from './webhook-secrets.ts';

/** Shop: read by id; references in its merchant's partition list a merchant's shops. */
export const shopKey = (id: ShopId) => ({ PK: `S#${id}`, SK: 'S' }) as const;
export const shopReferencePrefix = 'SHOP#';
export const shopReferenceKey = (merchantId: MerchantId, id: ShopId) =>
  ({ PK: `M#${merchantId}`, SK: `${shopReferencePrefix}${id}` }) as const;

const item = z.object({
  id: storedId<ShopId>(),
  merchantId: storedId<MerchantId>(),
  name: z.string(),
  enabled: z.boolean(),
  createdAt: moment,
  defaultCurrency: orAbsent(z.enum(billCurrencies)),
  resultUrl: orAbsent(z.string()),
  resultUrlSince: orAbsent(moment),
  refundUrl: orAbsent(z.string()),
  refundUrlSince: orAbsent(moment),
  successUrl: orAbsent(z.string()),
  failUrl: orAbsent(z.string()),
  hosts: orAbsent(z.array(z.string())),
  postbackFormat: z.enum(postbackFormats),
  extendedPostbacks: orAbsent(z.boolean()),
  billLifetimeMinutes: orAbsent(z.number()),
  webhookSecrets,
} satisfies Record<AttributeOf<Shop>, z.ZodMiniType>);

export const shopItem = (shop: Shop): z.input<typeof item> & ReturnType<typeof shopKey> => ({
  ...shopKey(shop.id),
  ...shop,
  createdAt: shop.createdAt.toISOString(),
  resultUrlSince: shop.resultUrlSince?.toISOString(),
  hosts: shop.hosts && [...shop.hosts],
  refundUrlSince: shop.refundUrlSince?.toISOString(),
  webhookSecrets: webhookSecretsItem(shop.webhookSecrets),
});

export const toShop = (raw: unknown): Shop => item.parse(raw);

const referenceName = z.tuple([storedId<MerchantId>(), storedId<ShopId>()]);
/** Parses a reference: its key is all that it has. */
export function toShopReference({ PK, SK }: { readonly PK: string; readonly SK: string }) {
  const [merchantId, shopId] = referenceName.parse([
    PK.slice('M#'.length),
    SK.slice(shopReferencePrefix.length),
  ]);
  return { merchantId, shopId };
}
