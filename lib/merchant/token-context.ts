import type { Merchant } from './merchant.ts';

/** What a sealed API token is bound to: a token that was replaced can not be passed off as the current one. */
export const apiTokenContext = ({ id, tokenVersion }: Pick<Merchant, 'id' | 'tokenVersion'>) => ({
  use: 'api-token',
  merchant: id,
  version: String(tokenVersion),
});
