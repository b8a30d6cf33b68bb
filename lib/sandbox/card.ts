/** First six and last four digits: all of a card number that is ever stored. */
export const maskOf = (number: string): string =>
  `${number.slice(0, 6)}${'*'.repeat(Math.max(0, number.length - 10))}${number.slice(-4)}`;

/** Whether the check digit is right (Luhn): every second digit from the right counts double. */
export function passesLuhn(digits: string): boolean {
  const weights = Array.from(digits)
    .toReversed()
    .map((digit, place) => Number(digit) * (place % 2 === 0 ? 1 : 2));
  const total = weights.reduce((sum, weight) => sum + (weight > 9 ? weight - 9 : weight), 0);
  return total % 10 === 0;
}

export type CardField = 'number' | 'expiry' | 'cvc';
export type CardTrouble = 'missing' | 'digits' | 'length' | 'luhn' | 'expiry' | 'expired' | 'cvc';
export type CardErrors = Partial<Readonly<Record<CardField, CardTrouble>>>;

/** Removes the spaces and dashes that people write in a card number. */
export const digitsOf = (text: string): string => text.replaceAll(/[\s\u00a0-]/g, '');

/** Validates the card as typed. Has a key for each invalid field, none when the card is valid. */
export function cardErrors(form: Readonly<Record<CardField, string>>, now: Date): CardErrors {
  const number = numberTrouble(digitsOf(form.number));
  const expiry = expiryTrouble(form.expiry, now);
  const cvc = cvcTrouble(form.cvc.trim());
  return { ...(number && { number }), ...(expiry && { expiry }), ...(cvc && { cvc }) };
}

function numberTrouble(digits: string): CardTrouble | undefined {
  if (digits === '') return 'missing';
  if (!/^\d+$/.test(digits)) return 'digits';
  if (digits.length < 12 || digits.length > 19) return 'length';
  return passesLuhn(digits) ? undefined : 'luhn';
}

/** `12/34`, `12 / 2034`, `1234`: valid until the end of its month in every time zone. */
function expiryTrouble(text: string, now: Date): CardTrouble | undefined {
  if (text.trim() === '') return 'missing';
  const [, month, year] = /^\s*(0?[1-9]|1[0-2])\s*[/.\s-]?\s*(?:20)?(\d{2})\s*$/.exec(text) ?? [];
  if (month === undefined || year === undefined) return 'expiry';
  const halfADay = 12 * 60 * 60 * 1000;
  return Date.UTC(2000 + Number(year), Number(month)) + halfADay > now.getTime() ? undefined : 'expired';
}

const cvcTrouble = (text: string): CardTrouble | undefined => {
  if (text === '') return 'missing';
  return /^\d{3,4}$/.test(text) ? undefined : 'cvc';
};
