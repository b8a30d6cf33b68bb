import type { Random } from './token.ts';

/** Returns a new Standard Webhooks signing secret: `whsec_` and the base64 of 32 random bytes. */
export const newWebhookSecret = (random: Random): string =>
  `whsec_${Buffer.from(random(32)).toString('base64')}`;

/** The sealed secrets that sign the postbacks of a shop or a merchant. */
export type WebhookSecrets = {
  readonly current: string;
  /** The replaced secret, which signs as well until `until`. */
  readonly previous: { readonly sealed: string; readonly until: Date } | undefined;
  /** Counts replacements. Writes are conditional on the count that was read (optimistic locking). */
  readonly rotations: number;
};

export const firstSecret = (sealed: string): WebhookSecrets => ({
  current: sealed,
  previous: undefined,
  rotations: 0,
});

/** A day to roll out the new secret to receivers, as Svix allows. */
const overlapMs = 24 * 60 * 60_000;

type Next = { readonly sealed: string; readonly now: Date; readonly atOnce: boolean };

/** Replaces the current secret, which signs for another day, or with `atOnce`, for a leaked secret, no longer. */
export function rotated(
  { current, rotations }: WebhookSecrets,
  { sealed, now, atOnce }: Next,
): WebhookSecrets {
  const previous = { sealed: current, until: new Date(now.getTime() + overlapMs) };
  return { current: sealed, previous: atOnce ? undefined : previous, rotations: rotations + 1 };
}

/** Returns the replaced secret while it still signs. */
export const livePrevious = ({ previous }: WebhookSecrets, now: Date) =>
  previous !== undefined && previous.until > now ? previous : undefined;

/** Returns the secrets that sign at this time, newest first: at most two (Standard Webhooks, secret rotation). */
export function liveSecrets(secrets: WebhookSecrets, now: Date): readonly string[] {
  const previous = livePrevious(secrets, now);
  return previous ? [secrets.current, previous.sealed] : [secrets.current];
}
