/** Interface specification 2.4. */
export const payoutStatuses = [
  'NEW',
  'MODERATING',
  'PROCESS',
  'SUCCESS',
  'FAIL',
  'ERROR',
  'DECLINED',
] as const;
export type PayoutStatus = (typeof payoutStatuses)[number];

/** QUEUED: nobody has asked the rail yet (or it was empty). SENT: the rail may have it. */
export const payoutPhases = ['QUEUED', 'SENT'] as const;
export type PayoutPhase = (typeof payoutPhases)[number];

/** The moves of a payout. ERROR waits for a person; money that comes back after SUCCESS changes no status. */
export const payoutMoves: Readonly<Record<PayoutStatus, readonly PayoutStatus[]>> = {
  NEW: ['PROCESS'],
  MODERATING: ['PROCESS', 'DECLINED'],
  PROCESS: ['PROCESS', 'SUCCESS', 'FAIL', 'ERROR'],
  ERROR: ['PROCESS', 'SUCCESS', 'FAIL'],
  SUCCESS: [],
  FAIL: [],
  DECLINED: [],
};

export type FinalStatus = 'SUCCESS' | 'FAIL' | 'DECLINED';

export const isFinalPayoutStatus = (status: PayoutStatus): status is FinalStatus =>
  payoutMoves[status].length === 0;

export const mayMove = (from: PayoutStatus, to: PayoutStatus): boolean => payoutMoves[from].includes(to);

/** Those under way from the least advanced on, then the final ones from the worst on. */
const leastAdvancedFirst: readonly PayoutStatus[] = [
  'NEW',
  'MODERATING',
  'PROCESS',
  'ERROR',
  'FAIL',
  'DECLINED',
  'SUCCESS',
];

/** One status for a split: the least advanced part's, else the worst final one (core, section 6). */
export function wholeStatus(parts: readonly PayoutStatus[]): PayoutStatus {
  const whole = leastAdvancedFirst.find((status) => parts.includes(status));
  if (whole === undefined) throw new Error('A payout has at least one part');
  return whole;
}
