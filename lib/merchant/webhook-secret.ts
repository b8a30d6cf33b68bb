import type { Random } from './token.ts';

/** A Standard Webhooks signing secret: `whsec_` and the base64 of 32 random bytes. */
export const newWebhookSecret = (random: Random): string =>
  `whsec_${Buffer.from(random(32)).toString('base64')}`;
