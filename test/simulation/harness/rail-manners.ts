import { kindManners, type SandboxManners } from '../../../lib/sandbox/manners.ts';

const withoutTombstones = { ...kindManners, tombstones: false };
/** A search that shows a transfer after two hours is slower than any retry of the first day's checks but the hourly ones. */
const lagging = { ...withoutTombstones, keyLifeHours: 24, searchLagSeconds: 2 * 3600 };

/** How the payout rail treats the service, from kind to unkind. */
const manners: readonly SandboxManners[] = [
  kindManners,
  withoutTombstones,
  { ...withoutTombstones, keyLifeHours: 24 },
  lagging,
];

/** The manners of a seed. Every second seed has the same, so that each meets acquirers of one step and of two. */
export const mannersOf = (seed: number): SandboxManners =>
  manners[Math.floor(seed / 2) % manners.length] ?? kindManners;

/** The manners of the scenarios that name them. */
export const unkindRail: SandboxManners = lagging;
