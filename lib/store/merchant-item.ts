import * as z from 'zod/mini';
import type { MerchantId } from '../ids.ts';
import {
  type Caller,
  flagsOf,
  type Merchant,
  type MerchantFlags,
  subscriptions,
} from '../merchant/merchant.ts';
import { balanceCurrencies } from '../money/money.ts';
import { type AttributeOf, orAbsent } from './attributes.ts';
import { listedMerchant } from './list-index.ts';
import { moment } from './moment.ts';
import { storedId } from './stored-id.ts';
import { webhookSecrets, webhookSecretsItem } from './webhook-secrets.ts';

/** Merchant: read by id. Its token item has a copy of the flags for the authorizer. */
export const merchantKey = (id: MerchantId) => ({ PK: `M#${id}`, SK: 'M' }) as const;
export const tokenKey = (tokenHash: string) => ({ PK: `T#${tokenHash}`, SK: 'T' }) as const;

const flags = {
  enabled: z.boolean(),
  banned: z.boolean(),
  verified: z.boolean(),
  regularPayouts: z.boolean(),
  subscription: z.enum(subscriptions),
  apiAddresses: orAbsent(z.readonly(z.array(z.string()))),
  shards: orAbsent(z.number()),
} satisfies Record<AttributeOf<MerchantFlags>, z.ZodMiniType>;

const merchant = z.object({
  ...flags,
  id: storedId<MerchantId>(),
  name: z.string(),
  createdAt: moment,
  tokenHash: z.string(),
  tokenVersion: z.number(),
  sealedToken: z.string(),
  payoutWebhookUrl: orAbsent(z.string()),
  payoutWebhookSince: orAbsent(moment),
  webhookSecrets,
  settlesKztIn: z.enum(balanceCurrencies),
} satisfies Record<AttributeOf<Merchant>, z.ZodMiniType>);

export const merchantItem = (
  given: Merchant,
): z.input<typeof merchant> & ReturnType<typeof merchantKey> & ReturnType<typeof listedMerchant> => ({
  ...merchantKey(given.id),
  ...given,
  createdAt: given.createdAt.toISOString(),
  payoutWebhookSince: given.payoutWebhookSince?.toISOString(),
  webhookSecrets: webhookSecretsItem(given.webhookSecrets),
  ...listedMerchant(given),
});

export const toMerchant = (raw: unknown): Merchant => merchant.parse(raw);

const token = z.object({
  ...flags,
  merchantId: storedId<MerchantId>(),
} satisfies Record<AttributeOf<Caller>, z.ZodMiniType>);

/** The token item: all that the authorizer needs, in one read of at most 4 KB. */
export const tokenItem = (tokenHash: string, owner: MerchantFlags & { readonly id: MerchantId }) => ({
  ...tokenKey(tokenHash),
  merchantId: owner.id,
  ...flagsOf(owner),
});

export const tokenHashFrom = ({ PK }: { readonly PK: string }): string => PK.slice('T#'.length);
export const toCaller = (raw: unknown): Caller => token.parse(raw);
