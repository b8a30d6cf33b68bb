const shortest = 12;
const longest = 19;

/** Reads a card number, with spaces or dashes between its digits; undefined when it cannot be one. */
export function parseCardNumber(text: string): string | undefined {
  const digits = text.replace(/[\s\u2010-\u2015-]/g, '');
  const isLongEnough = digits.length >= shortest && digits.length <= longest;
  return isLongEnough && /^\d+$/.test(digits) && passesLuhn(digits) ? digits : undefined;
}

/** What a number in running text must be as long as to be a payer's card: shorter ones are mostly something else. */
const shortestInText = 13;

/** Whether a card number stands in the text, its digits together or in groups. */
export function holdsCardNumber(text: string): boolean {
  const runs = text.normalize('NFKC').match(/\d+(?:[\s._/\u2010-\u2015-]+\d+)*/g) ?? [];
  return runs.some((run) => neighbours(run.match(/\d+/g) ?? []).some(isCardLike));
}

/** Digits together, or in fours as on a card, that nothing makes longer. */
const cardLikeRun = /(?<!\d)(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{1,7})(?!\d)/g;

/**
 * The text with every number that may be a card's left with its first six and last four digits. For what the operator
 * reads: an order_id may be anything, and one in ten numbers of 13 digits only looks like a card.
 */
export const maskCardNumbers = (text: string): string =>
  text.replace(cardLikeRun, (run) => {
    const digits = run.replace(/\D/g, '');
    if (!isCardLike(digits)) return run;
    return `${digits.slice(0, 6)}${'*'.repeat(digits.length - 10)}${digits.slice(-4)}`;
  });

/** Every group of digits, alone and together with those that follow it. */
const neighbours = (groups: readonly string[]): readonly string[] =>
  groups.flatMap((_, from) =>
    groups.slice(from, from + longest).map((_group, more) => groups.slice(from, from + more + 1).join('')),
  );

const isCardLike = (digits: string): boolean =>
  digits.length >= shortestInText && digits.length <= longest && passesLuhn(digits);

/** ISO/IEC 7812: every second digit from the right doubled, the digits summed, a multiple of ten. */
function passesLuhn(digits: string): boolean {
  const sum = Array.from(digits, Number)
    .toReversed()
    .reduce((total, digit, place) => {
      const value = place % 2 === 1 ? digit * 2 : digit;
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0 && sum > 0;
}

/** A name as it is embossed on a card: Latin or Cyrillic letters, with what joins the words of a name. */
const holderName =
  /^(?=.{2,100}$)[\p{Script=Latin}\p{Script=Cyrillic}](?:[\p{Script=Latin}\p{Script=Cyrillic}\p{M} .'’-]*)$/u;

/** Reads a card holder's name, spaces put in order; undefined when it is no name. */
export function parseHolder(text: string): string | undefined {
  const name = text.trim().replace(/\s+/g, ' ');
  return holderName.test(name) ? name : undefined;
}
