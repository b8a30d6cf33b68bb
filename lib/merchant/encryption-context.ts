import type { MerchantId, ShopId } from '../ids.ts';
import type { Merchant } from './merchant.ts';

/*
 * The KMS encryption context that a sealed secret is bound to: decrypting under another context fails. The roles in the
 * template name the uses, so that each function can decrypt only what it needs.
 */

/** Includes the version, so that a replaced token cannot be passed off as the current one. */
export const apiTokenContext = ({ id, tokenVersion }: Pick<Merchant, 'id' | 'tokenVersion'>) => ({
  use: 'api-token',
  merchant: id,
  version: String(tokenVersion),
});

/** The context of the secret that signs a shop's payment postbacks. */
export const shopWebhookContext = (shopId: ShopId) => ({ use: 'webhook-secret', shop: shopId });

/** The context of the secret that signs a merchant's payout postbacks. */
export const merchantWebhookContext = (merchantId: MerchantId) => ({
  use: 'webhook-secret',
  merchant: merchantId,
});
