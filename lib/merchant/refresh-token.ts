import type { MerchantId } from '../ids.ts';
import { apiTokenContext } from './encryption-context.ts';
import { newToken, tokenHash } from './token.ts';
import { fail, ok, type Result } from '../result.ts';
import type { IssuingPorts } from './issuing.ts';

type Ports = Pick<IssuingPorts, 'random' | 'tokenKind' | 'merchants' | 'sealer'>;
type RefreshRefusal = 'merchant_not_found' | 'token_replaced_meanwhile';

/** Issues a new token for the merchant; the old one is invalid when this returns (contract 5). */
export async function refreshToken(
  { random, tokenKind, merchants, sealer }: Ports,
  { merchantId }: { readonly merchantId: MerchantId },
): Promise<Result<{ readonly merchantId: MerchantId; readonly apiToken: string }, RefreshRefusal>> {
  const merchant = await merchants.find(merchantId);
  if (!merchant) return fail('merchant_not_found');

  const apiToken = newToken(random, tokenKind);
  const tokenVersion = merchant.tokenVersion + 1;
  const sealedToken = await sealer.seal(apiToken, apiTokenContext({ id: merchantId, tokenVersion }));
  const replaced = await merchants.replaceToken(merchant, {
    tokenHash: tokenHash(apiToken),
    sealedToken,
    tokenVersion,
  });
  return replaced.ok ? ok({ merchantId, apiToken }) : replaced;
}
