import { kindManners, type SandboxManners, unkindManners } from '../../../lib/sandbox/manners.ts';
import type { CardOutcome } from '../../../lib/sandbox/test-values.ts';
import { keysOf } from './keys.ts';

const hour = 3600;

/** How the providers of a run treat the service, as acquirer and as payout rail. */
export type MannerSet = {
  readonly acquirer: SandboxManners;
  readonly rail: SandboxManners;
  /** Of some payments every call of `start` stays unanswered, also after the faults have ended; some of these calls never arrive. */
  readonly losesStarts: boolean;
  /** Refuses some calls that it could carry out, as with credentials that are replaced: a repeated `start` too. */
  readonly refusesAtRandom: boolean;
  /** How often it changes an order after its end: a weight among those of the operators' actions. */
  readonly changes: number;
  /** A second provider, which takes over the new payments and payouts half-way; the first is not deployed for a while. */
  readonly second: SandboxManners | undefined;
  /** What payers pay with more often than in other runs. */
  readonly cards: Readonly<Partial<Record<CardOutcome, number>>>;
};

const withoutTombstones = { ...kindManners, tombstones: false };
const expiringKeys = { keyLifeHours: 24, repeatsRefusals: true } as const;
/** Slower than any retry of the first day's checks but the hourly ones, and than the margin before the list decides. */
const lagging = {
  ...withoutTombstones,
  ...expiringKeys,
  listLagSeconds: 2 * hour,
  searchLagSeconds: 2 * hour,
};

const kind: MannerSet = {
  acquirer: kindManners,
  rail: kindManners,
  losesStarts: false,
  refusesAtRandom: false,
  changes: 2,
  second: undefined,
  cards: {},
};

const withNotices = (notices: SandboxManners['notices']): MannerSet => ({
  ...kind,
  acquirer: { ...kindManners, notices, failureIsFinal: notices !== 'lost' },
});

/** No kinder than the first real provider, whose page is paid for an hour and whose holds last seven days. */
const likeTheReal: SandboxManners = {
  ...unkindManners,
  listLagSeconds: 2 * hour,
  searchLagSeconds: 2 * hour,
  holdHours: 7 * 24,
  feeAfterMinutes: 90,
};

export const mannerSets = {
  two_steps: kind,
  /** Fees are told with the capture here, and later or not at all in the other sets. */
  one_step: { ...kind, acquirer: { ...kindManners, steps: 'one', feeBasisPoints: 350 } },
  /** What nobody paid ends by itself; two steps, and SBP with neither a hold nor an end. */
  not_ended: {
    ...kind,
    acquirer: { ...kindManners, endsOpenOrders: false, feeBasisPoints: 250, feeAfterMinutes: 30 },
    rail: withoutTombstones,
  },
  not_ended_one_step: {
    ...kind,
    acquirer: { ...kindManners, endsOpenOrders: false, steps: 'one' },
    rail: withoutTombstones,
  },
  keys_expire: {
    ...kind,
    acquirer: { ...kindManners, ...expiringKeys },
    rail: { ...withoutTombstones, ...expiringKeys },
    losesStarts: true,
    refusesAtRandom: true,
  },
  lists_lag: {
    ...kind,
    acquirer: { ...kindManners, ...expiringKeys, listLagSeconds: 2 * hour },
    rail: lagging,
    losesStarts: true,
  },
  notices_lost: withNotices('lost'),
  notices_doubled: withNotices('doubled'),
  notices_early: withNotices('early'),
  notices_forged: withNotices('forged'),
  changes: {
    ...kind,
    acquirer: { ...kindManners, failureIsFinal: false, feeBasisPoints: 350, feeAfterMinutes: 300 },
    changes: 40,
    cards: { captured_after_decline: 14, charged_back: 10, capture_reduced: 10 },
  },
  /** Authorised in part, holds that lapse after two hours, and refunds that are pending or rejected. */
  partial: {
    ...kind,
    acquirer: { ...kindManners, endsOpenOrders: false, holdHours: 2, feeBasisPoints: 10_000 },
    cards: { underpaid: 16, overpaid: 12, refund_pending: 8, refund_account_empty: 8, refund_rejected: 8 },
  },
  two_providers: { ...kind, second: { ...kindManners, steps: 'one' } },
  unkind: {
    acquirer: likeTheReal,
    rail: likeTheReal,
    losesStarts: true,
    refusesAtRandom: true,
    changes: 12,
    second: { ...likeTheReal, notices: 'early', steps: 'one' },
    cards: { captured_after_decline: 6, charged_back: 4, capture_reduced: 4, underpaid: 6 },
  },
} as const satisfies Readonly<Record<string, MannerSet>>;
export type Manners = keyof typeof mannerSets;

const names = keysOf(mannerSets);
export const isManners = (text: string): text is Manners => Object.hasOwn(mannerSets, text);

/** The manners that a seed draws: each in turn, so that as many seeds as there are sets meet them all. */
export const mannersOf = (seed: number): Manners => names[(seed - 1) % names.length] ?? 'two_steps';

/** The rail of the scenarios that name it. */
export const unkindRail: SandboxManners = lagging;
