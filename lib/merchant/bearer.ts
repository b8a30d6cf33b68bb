/**
 * Matches an `Authorization` header that may carry a token: the scheme in any case, surrounding blanks, and a token of
 * Paylink or of the service that a merchant migrated from (they keep their old tokens). The gateway checks the same
 * pattern before it calls the authorizer; its patterns have no flags, so both cases of the scheme are spelled out.
 */
export const bearerHeader = String.raw`^[ \t]*[Bb][Ee][Aa][Rr][Ee][Rr][ \t]+([A-Za-z0-9_|.-]{20,200})[ \t]*$`;

const bearer = new RegExp(bearerHeader);

/** Returns the token in an `Authorization` header; undefined when there is none. */
export const tokenIn = (authorization: string | undefined): string | undefined =>
  bearer.exec(authorization ?? '')?.[1];
