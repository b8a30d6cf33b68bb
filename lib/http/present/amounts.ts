import { toDecimal } from '../../money/money.ts';

/** decimal(10,2) as a JSON number: a double prints ten digits back unchanged. */
export const amountNumber = (minor: bigint): number => Number(toDecimal(minor));

/** A balance as text with eight decimals. */
export const balanceText = (minor: bigint): string => `${toDecimal(minor)}000000`;
