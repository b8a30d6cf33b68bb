import { tokenIn } from './bearer.ts';
import type { Caller } from './merchant.ts';
import type { Merchants } from './ports.ts';
import { hasValidChecksum, isOurs, tokenHash } from './token.ts';

export type Authenticating = { readonly merchants: Pick<Merchants, 'findByTokenHash'> };

/**
 * Returns the merchant whose current token the `Authorization` header carries. The read is strongly consistent, so a
 * replaced token is refused at once. A Paylink token with a wrong checksum (mistyped or invented) costs no read.
 */
export async function authenticate(
  { merchants }: Authenticating,
  authorization: string | undefined,
): Promise<Caller | undefined> {
  const token = tokenIn(authorization);
  if (token === undefined || (isOurs(token) && !hasValidChecksum(token))) return undefined;
  return merchants.findByTokenHash(tokenHash(token));
}
