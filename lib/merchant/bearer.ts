/**
 * An `Authorization` header that may carry a token: the scheme in any case, blanks around, and a token of ours or of the
 * service that a merchant moved from (they keep their old ones). The gateway asks the same before it calls the authorizer;
 * its expressions have no flags, so the cases of the scheme are spelled out.
 */
export const bearerHeader = String.raw`^[ \t]*[Bb][Ee][Aa][Rr][Ee][Rr][ \t]+([A-Za-z0-9_|.-]{20,200})[ \t]*$`;

const bearer = new RegExp(bearerHeader);

/** The token in such a header. */
export const tokenIn = (authorization: string | undefined): string | undefined =>
  bearer.exec(authorization ?? '')?.[1];
