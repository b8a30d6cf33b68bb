import * as z from 'zod/mini';

/** Client-chosen ids. They appear in paths and keys, so characters with a meaning there are not allowed. */
export const clientId = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/));

/** `<payment>:capture`, or a payout's id. */
export const idempotencyKey = z.string().check(z.regex(/^[A-Za-z0-9_.:-]{1,128}$/));

/** The idempotency key of an order or a refund, and the merchant's id of a refund: as strict as a real provider. */
export const orderKey = z.string().check(z.regex(/^[A-Za-z0-9_.+-]{1,64}$/));

/** The URL of a signed link or of a merchant's page. */
export const webUrl = z.url({ protocol: /^https?$/ });

export const instant = z.pipe(
  z.iso.datetime(),
  z.transform((text: string) => new Date(text)),
);
