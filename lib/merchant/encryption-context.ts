import type { MerchantId, ShopId } from '../ids.ts';
import type { Merchant } from './merchant.ts';

/*
 * What a sealed secret is bound to: opened under another context it fails. The roles of the template name the uses,
 * so that each function opens only what it needs.
 */

/** With the version a token that was replaced cannot be passed off as the current one. */
export const apiTokenContext = ({ id, tokenVersion }: Pick<Merchant, 'id' | 'tokenVersion'>) => ({
  use: 'api-token',
  merchant: id,
  version: String(tokenVersion),
});

/** Signs the payment postbacks of a shop. */
export const shopWebhookContext = (shopId: ShopId) => ({ use: 'webhook-secret', shop: shopId });

/** Signs the payout postbacks of a merchant. */
export const merchantWebhookContext = (merchantId: MerchantId) => ({
  use: 'webhook-secret',
  merchant: merchantId,
});
