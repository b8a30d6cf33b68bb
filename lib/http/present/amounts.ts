import { toDecimal } from '../../money/money.ts';

/** decimal(10,2) as a JSON number: ten digits fit a double exactly enough to print the same decimal back. */
export const amountNumber = (minor: bigint): number => Number(toDecimal(minor));

/** A balance: eight decimals, as text. */
export const balanceText = (minor: bigint): string => `${toDecimal(minor)}000000`;
