import { toDecimal } from '../../money/money.ts';

/** An amount as the API takes it: a decimal with two places, as text. */
export const amountOf = (minor: bigint, currency: string) => ({ value: toDecimal(minor), currency });
