import { tokenIn } from './bearer.ts';
import type { Caller } from './merchant.ts';
import type { Merchants } from './ports.ts';
import { hasValidChecksum, isOurs, tokenHash } from './token.ts';

export type Authenticating = { readonly merchants: Pick<Merchants, 'findByTokenHash'> };

/**
 * The merchant whose current token an `Authorization` header carries; read strongly, so a replaced one is unknown.
 * A mistyped or invented token of ours costs no read.
 */
export async function authenticate(
  { merchants }: Authenticating,
  authorization: string | undefined,
): Promise<Caller | undefined> {
  const token = tokenIn(authorization);
  if (token === undefined || (isOurs(token) && !hasValidChecksum(token))) return undefined;
  return merchants.findByTokenHash(tokenHash(token));
}
