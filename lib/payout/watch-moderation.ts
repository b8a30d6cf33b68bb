import type { Payouts, RaiseAlarm } from './ports.ts';

export type WatchModerationPorts = {
  readonly payouts: Pick<Payouts, 'moderatingSince'>;
  readonly now: () => Date;
  readonly alarm: RaiseAlarm;
};

/** A payout should be moderated within a day. */
const patienceMs = 24 * 3600_000;

/** Raises an alarm about the payout that has waited longest for a moderator, when that is more than a day. */
export async function watchModeration({ payouts, now, alarm }: WatchModerationPorts): Promise<void> {
  const oldest = await payouts.moderatingSince(new Date(now().getTime() - patienceMs));
  if (oldest) alarm('moderation_waiting', { payout: oldest.id });
}
