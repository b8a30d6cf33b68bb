const shortest = 12;
const longest = 19;

/** Parses a card number, with spaces or dashes between its digits; returns undefined when the text is not one. */
export function parseCardNumber(text: string): string | undefined {
  const digits = text.replace(/[\s\u2010-\u2015-]/g, '');
  const isLongEnough = digits.length >= shortest && digits.length <= longest;
  return isLongEnough && /^\d+$/.test(digits) && passesLuhn(digits) ? digits : undefined;
}

/** The shortest number in running text that counts as a card number: most shorter ones are something else. */
const shortestInText = 13;

/** Whether the text contains a card number, its digits together or in groups. */
export function holdsCardNumber(text: string): boolean {
  const runs = text.normalize('NFKC').match(/\d+(?:[\s._/\u2010-\u2015-]+\d+)*/g) ?? [];
  return runs.some((run) => neighbours(run.match(/\d+/g) ?? []).some(isCardLike));
}

/** A run of digits, or groups of four as on a card, not part of a longer run. */
const cardLikeRun = /(?<!\d)(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{1,7})(?!\d)/g;

/**
 * Masks every possible card number in the text except its first six and last four digits. For texts that the operator reads: an
 * order_id may be any text, and one in ten 13-digit numbers passes as a card number.
 */
export const maskCardNumbers = (text: string): string =>
  text.replace(cardLikeRun, (run) => {
    const digits = run.replace(/\D/g, '');
    if (!isCardLike(digits)) return run;
    return `${digits.slice(0, 6)}${'*'.repeat(digits.length - 10)}${digits.slice(-4)}`;
  });

/**
 * Returns the text without card numbers, for texts that are stored: each is masked, and where one is written in a way that cannot be
 * masked in its place, every digit of the text is.
 */
export function withoutCardNumbers(text: string): string {
  const masked = maskCardNumbers(text);
  return holdsCardNumber(masked) ? masked.replace(/\p{N}/gu, '*') : masked;
}

/** Returns every group of digits, alone and joined with the groups that follow it. */
const neighbours = (groups: readonly string[]): readonly string[] =>
  groups.flatMap((_, from) =>
    groups.slice(from, from + longest).map((_group, more) => groups.slice(from, from + more + 1).join('')),
  );

const isCardLike = (digits: string): boolean =>
  digits.length >= shortestInText && digits.length <= longest && passesLuhn(digits);

/** The Luhn check (ISO/IEC 7812): with every second digit from the right doubled, the digits sum to a multiple of ten. */
function passesLuhn(digits: string): boolean {
  const sum = Array.from(digits, Number)
    .toReversed()
    .reduce((total, digit, place) => {
      const value = place % 2 === 1 ? digit * 2 : digit;
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0 && sum > 0;
}

/** A name as embossed on a card: Latin or Cyrillic letters, with spaces, dots, hyphens and apostrophes. */
const holderName =
  /^(?=.{2,100}$)[\p{Script=Latin}\p{Script=Cyrillic}](?:[\p{Script=Latin}\p{Script=Cyrillic}\p{M} .'’-]*)$/u;

/** Parses a card holder's name and collapses its spaces; returns undefined when it is not a name. */
export function parseHolder(text: string): string | undefined {
  const name = text.trim().replace(/\s+/g, ' ');
  return holderName.test(name) ? name : undefined;
}
