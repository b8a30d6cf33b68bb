/** A secret that tests send everywhere, and the patterns that detect it. */
export type Canary = { readonly name: string; readonly marks: readonly RegExp[] };

/** Matches the digits between the first six and the last four, which may be shown, in any grouping. */
export const cardCanary = (name: string, number: string): Canary => ({
  name,
  marks: [spaced(number.slice(5, 13))],
});
/** Matches the code only as a separate word: three or four digits occur within longer numbers by chance. */
export const codeCanary = (name: string, code: string): Canary => ({
  name,
  marks: [new RegExp(`(?<![0-9A-Za-z.:/+_-])${code}(?![0-9A-Za-z.:/+_-])`)],
});
export const phoneCanary = (name: string, phone: string): Canary => ({
  name,
  marks: [spaced(phone.slice(-9))],
});
export const textCanary = (name: string, secret: string): Canary => ({
  name,
  marks: [new RegExp(secret.slice(8, 28).replaceAll(/[^\w]/g, String.raw`\$&`))],
});

const spaced = (digits: string): RegExp => new RegExp(Array.from(digits).join('[ ()\\u00a0-]{0,3}'));

/** Returns the names of the canaries in this text, in the clear or in Base64. */
export function canariesIn(text: string, canaries: readonly Canary[]): readonly string[] {
  const readings = [
    text,
    ...[...text.matchAll(/[A-Za-z0-9+/_-]{16,}={0,2}/g)].map(([coded]) => decoded(coded)),
  ];
  const isIn = ({ marks }: Canary) => marks.some((mark) => readings.some((reading) => mark.test(reading)));
  return canaries.filter(isIn).map(({ name }) => name);
}

const decoded = (coded: string): string => Buffer.from(coded, 'base64').toString('latin1');

/** Appends the Luhn check digit. */
export function withCheckDigit(digits: string): string {
  const weights = Array.from(digits)
    .toReversed()
    .map((digit, place) => Number(digit) * (place % 2 === 0 ? 2 : 1));
  const sum = weights.reduce((total, weight) => total + (weight > 9 ? weight - 9 : weight), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
