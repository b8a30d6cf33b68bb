/** The digits of base 62, which every id and token is written in, in their order. */
export const base62Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The number's last `length` digits in base 62. */
export function base62(number: bigint, length: number): string {
  let rest = number;
  let text = '';
  for (; text.length < length; rest /= 62n) text = base62Digits.charAt(Number(rest % 62n)) + text;
  return text;
}
