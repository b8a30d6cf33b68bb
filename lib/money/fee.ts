import { divideHalfUp, largest, smallest } from './money.ts';

/** A fee of `bps` basis points (1/100 of a percent) plus a fixed part, at least `minimumMinor`. Minor units. */
export type FeeSchedule = {
  readonly bps: number;
  readonly fixedMinor: bigint;
  readonly minimumMinor: bigint;
};

/** Returns the fee on an amount, in the amount's minor units; half a minor unit rounds up. */
export function feeOn(amountMinor: bigint, { bps, fixedMinor, minimumMinor }: FeeSchedule): bigint {
  return largest(divideHalfUp(amountMinor * BigInt(bps), 10_000n) + fixedMinor, minimumMinor);
}

/** Returns the fee deducted from a received amount: never more than was received. */
export const feeOutOf = (receivedMinor: bigint, schedule: FeeSchedule): bigint =>
  smallest(feeOn(receivedMinor, schedule), receivedMinor);
