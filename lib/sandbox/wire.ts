import * as z from 'zod/mini';

/** Names that clients choose: they stand in paths and keys, so only characters that mean nothing there. */
export const clientId = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/));

/** `<payment>:capture`, or a payout's id. */
export const idempotencyKey = z.string().check(z.regex(/^[A-Za-z0-9_:-]{1,128}$/));

/** A signed link or a page of the merchant. */
export const webUrl = z.url({ protocol: /^https?$/ });
