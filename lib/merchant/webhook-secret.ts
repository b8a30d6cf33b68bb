import type { Random } from './token.ts';

/** A Standard Webhooks signing secret: `whsec_` and the base64 of 32 random bytes. */
export const newWebhookSecret = (random: Random): string =>
  `whsec_${Buffer.from(random(32)).toString('base64')}`;

/** The sealed secrets under which the postbacks of a shop or a merchant are signed. */
export type WebhookSecrets = {
  readonly current: string;
  /** The one before, which signs too until then. */
  readonly previous?: { readonly sealed: string; readonly until: Date } | undefined;
  /** Counts replacements: a write under the count that was read overwrites nobody's secret. */
  readonly rotations: number;
};

export const firstSecret = (sealed: string): WebhookSecrets => ({ current: sealed, rotations: 0 });

/** A day to bring the new secret to the receivers, as Svix gives it. */
const overlapMs = 24 * 60 * 60_000;

type Next = { readonly sealed: string; readonly now: Date; readonly atOnce: boolean };

/** A new secret in place of the current one, which signs for another day; `atOnce`, for a leaked one, not any more. */
export function rotated(
  { current, rotations }: WebhookSecrets,
  { sealed, now, atOnce }: Next,
): WebhookSecrets {
  const previous = { sealed: current, until: new Date(now.getTime() + overlapMs) };
  return { current: sealed, ...(!atOnce && { previous }), rotations: rotations + 1 };
}

/** The one before the current one, while it signs. */
export const livePrevious = ({ previous }: WebhookSecrets, now: Date) =>
  previous !== undefined && previous.until > now ? previous : undefined;

/** What signs at this time, the newest first: at most two (Standard Webhooks, secret rotation). */
export function liveSecrets(secrets: WebhookSecrets, now: Date): readonly string[] {
  const previous = livePrevious(secrets, now);
  return previous ? [secrets.current, previous.sealed] : [secrets.current];
}
