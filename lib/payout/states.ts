import { Defect } from '../defect.ts';

/** The payout statuses of contract 2.4. */
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

/** QUEUED: not sent to the rail yet (or its account was empty). SENT: the rail may have it. */
const payoutPhases = ['QUEUED', 'SENT'] as const;
export type PayoutPhase = (typeof payoutPhases)[number];

/**
 * The moves of a payout. One released for sending is stopped or declined only while nothing of it can be at the rail.
 * ERROR waits for a person. A return after SUCCESS does not change the status.
 */
const payoutMoves = {
  NEW: ['PROCESS', 'MODERATING', 'DECLINED', 'ERROR'],
  MODERATING: ['PROCESS', 'DECLINED'],
  PROCESS: ['PROCESS', 'MODERATING', 'DECLINED', 'SUCCESS', 'FAIL', 'ERROR'],
  ERROR: ['PROCESS', 'SUCCESS', 'FAIL'],
  SUCCESS: [],
  FAIL: [],
  DECLINED: [],
} as const satisfies Record<PayoutStatus, readonly PayoutStatus[]>;

type Moves = typeof payoutMoves;
/** The statuses from which the table allows to move to `To`. */
export type StatusBefore<To extends PayoutStatus> = {
  [From in PayoutStatus]: [To] extends [Moves[From][number]] ? From : never;
}[PayoutStatus];

export type FinalStatus = 'SUCCESS' | 'FAIL' | 'DECLINED';

/** Whether the status is final. */
export const isFinalPayoutStatus = (status: PayoutStatus): status is FinalStatus =>
  payoutMoves[status].length === 0;

/** Whether the table of moves has this one. */
export const mayMove = (from: PayoutStatus, to: PayoutStatus): boolean => statusesAfter(from).includes(to);

const statusesAfter = (status: PayoutStatus): readonly PayoutStatus[] => payoutMoves[status];

/** The open statuses, least advanced first, then the final ones. */
const leastAdvancedFirst: readonly PayoutStatus[] = [
  'NEW',
  'MODERATING',
  'PROCESS',
  'ERROR',
  'FAIL',
  'DECLINED',
  'SUCCESS',
];

/**
 * Returns one status for a split (contract 4.9): the least advanced one while any part is open. When all are final and
 * only some were paid it is ERROR, never FAIL or DECLINED: for the whole sum these would invite paying all of it again.
 */
export function wholeStatus(parts: readonly PayoutStatus[]): PayoutStatus {
  const whole = leastAdvancedFirst.find((status) => parts.includes(status));
  if (whole === undefined) throw new Defect('PAYOUT_GROUP_EMPTY', 'A payout has at least one part');
  return isFinalPayoutStatus(whole) && whole !== 'SUCCESS' && parts.includes('SUCCESS') ? 'ERROR' : whole;
}
