import * as z from 'zod/mini';

/** Client-chosen ids. They appear in paths and keys, so characters with a meaning there are not allowed. */
export const clientId = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/));

/** `<payment>:capture`, or a payout's id. */
export const idempotencyKey = z.string().check(z.regex(/^[A-Za-z0-9_:-]{1,128}$/));

/** The URL of a signed link or of a merchant's page. */
export const webUrl = z.url({ protocol: /^https?$/ });
