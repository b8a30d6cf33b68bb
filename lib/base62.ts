/** The digits of base 62, in order. Every id and token is written in them. */
export const base62Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns the last `length` base 62 digits of the number. */
export function base62(number: bigint, length: number): string {
  let rest = number;
  let text = '';
  for (; text.length < length; rest /= 62n) text = base62Digits.charAt(Number(rest % 62n)) + text;
  return text;
}
