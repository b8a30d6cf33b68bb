/** The emulator's time in milliseconds since the epoch: the machine's, moved forward by the control endpoint. */
export type Clock = {
  readonly now: () => number;
  /** How far this clock is ahead of the machine's, in milliseconds. */
  readonly offset: () => number;
  /** Moves the clock forward. Time never goes back. */
  readonly advance: (milliseconds: number) => void;
};

export function startClock(offsetMs: number, machine: () => number = Date.now): Clock {
  let offset = offsetMs;
  return {
    now: () => machine() + offset,
    offset: () => offset,
    advance: (milliseconds) => {
      offset += Math.max(0, milliseconds);
    },
  };
}

const second = 1000;
const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** The times that the vendor documents or that were observed. */
export const lives = {
  /** An order that nobody paid is canceled with `expired_on_confirmation`. */
  confirmation: hour,
  /** A hold that nobody captured is canceled with `expired_on_capture`. */
  hold: 7 * day,
  idempotenceKey: day,
  /** Lists return the objects of three years, the search of payouts those of three months. */
  listed: 3 * 365 * day,
  searched: 90 * day,
  /** A transfer through SBP is answered `pending` and ends shortly after. */
  sbpTransfer: 3 * second,
} as const;

export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();
