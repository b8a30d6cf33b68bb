import type { Random } from './token.ts';

/** A Standard Webhooks signing secret: `whsec_` and the base64 of 32 random bytes (design, section 4, "Signatures"). */
export const newWebhookSecret = (random: Random): string =>
  `whsec_${Buffer.from(random(32)).toString('base64')}`;
