import type { Payouts, RaiseAlarm } from './ports.ts';

export type WatchModerationPorts = {
  readonly payouts: Pick<Payouts, 'moderatingSince'>;
  readonly now: () => Date;
  readonly alarm: RaiseAlarm;
};

/** A merchant who asks for money in the evening has it moderated by the next. */
const patienceMs = 24 * 3600_000;

/** Tells of the payout that waits for a moderator longest, when that is more than a day. */
export async function watchModeration({ payouts, now, alarm }: WatchModerationPorts): Promise<void> {
  const oldest = await payouts.moderatingSince(new Date(now().getTime() - patienceMs));
  if (oldest) alarm('moderation_waiting', { payout: oldest.id });
}
