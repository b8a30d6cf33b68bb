/** Amounts are integer minor units of roubles: the emulated accounts have one currency. */
export const currency = 'RUB';

/** The amount on the wire: a decimal with two places. */
export type WireAmount = { readonly value: string; readonly currency: string };

/** `123456` is `1234.56`. */
export function decimal(minor: number): string {
  const digits = String(Math.abs(minor)).padStart(3, '0');
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export const wireAmount = (minor: number): WireAmount => ({ value: decimal(minor), currency });

/** The inverse of `decimal` for an amount that passed its schema. */
export const minorUnits = (value: string): number => Number(value.replace('.', ''));

/** The provider's fee of 3.5 %, rounded half up to a kopeck. */
export const feeOf = (minor: number): number => Math.floor((minor * 35 + 500) / 1000);
