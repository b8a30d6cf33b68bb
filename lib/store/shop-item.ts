import * as z from 'zod/mini';
import { postbackFormats, type Shop } from '../merchant/shop.ts';
import { billCurrencies } from '../money/money.ts';
import { moment } from './moment.ts';
import { webhookSecrets, webhookSecretsItem } from './webhook-secrets.ts';

/** Shop: read by id; a reference under its merchant makes the list. */
export const shopKey = (id: string) => ({ PK: `S#${id}`, SK: 'S' }) as const;
export const shopReferencePrefix = 'SHOP#';
export const shopReferenceKey = (merchantId: string, id: string) =>
  ({ PK: `M#${merchantId}`, SK: `${shopReferencePrefix}${id}` }) as const;

const item = z.object({
  id: z.string(),
  merchantId: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  createdAt: moment,
  defaultCurrency: z.optional(z.enum(billCurrencies)),
  resultUrl: z.optional(z.string()),
  resultUrlSince: z.optional(moment),
  successUrl: z.optional(z.string()),
  failUrl: z.optional(z.string()),
  postbackFormat: z.enum(postbackFormats),
  billLifetimeMinutes: z.optional(z.number()),
  webhookSecrets,
});

export const shopItem = (shop: Shop) => ({
  ...shopKey(shop.id),
  ...shop,
  createdAt: shop.createdAt.toISOString(),
  resultUrlSince: shop.resultUrlSince?.toISOString(),
  webhookSecrets: webhookSecretsItem(shop.webhookSecrets),
});

export const toShop = (raw: unknown): Shop => item.parse(raw);
