import type { Caller } from './merchant.ts';
import type { Merchants } from './ports.ts';
import { hasValidChecksum, isOurs, tokenHash } from './token.ts';

export type Authenticating = { readonly merchants: Pick<Merchants, 'findByTokenHash'> };

/** The scheme in any case; a token that could be one of ours or of the service that a merchant moved from. */
const bearer = /^Bearer[ \t]+([A-Za-z0-9_|.-]{20,200})$/i;

/**
 * The merchant whose current token an `Authorization` header carries; read strongly, so a replaced one is unknown.
 * A mistyped or invented token of ours costs no read.
 */
export async function authenticate(
  { merchants }: Authenticating,
  authorization: string | undefined,
): Promise<Caller | undefined> {
  const [, token] = bearer.exec(authorization?.trim() ?? '') ?? [];
  if (token === undefined || (isOurs(token) && !hasValidChecksum(token))) return undefined;
  return merchants.findByTokenHash(tokenHash(token));
}
