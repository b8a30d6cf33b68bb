import type { PayerCard } from '../acts.ts';
import { outcomeOfCard } from '../test-cards.ts';

/** What the payer typed. */
export type CardForm = { readonly number: string; readonly expiry: string; readonly cvc: string };

export type CardField = keyof CardForm;
export type CardTrouble = 'missing' | 'number' | 'not_a_test_card' | 'expiry' | 'expired' | 'cvc';
export type CardErrors = Partial<Readonly<Record<CardField, CardTrouble>>>;

export type ReadCard =
  | { readonly ok: true; readonly card: PayerCard }
  | { readonly ok: false; readonly errors: CardErrors };

/** Validates the form. A number may contain spaces, an expiry date is `09/30`, `09/2030` or `0930`. */
export function readCard({ number, expiry, cvc }: CardForm, now: Date): ReadCard {
  const digits = number.replaceAll(/[\s\u00a0-]/g, '');
  const date = readExpiry(expiry);
  const errors: CardErrors = {
    ...fault('number', numberTrouble(digits)),
    ...fault('expiry', expiryTrouble(expiry, date, now)),
    ...fault('cvc', cvcTrouble(cvc.trim())),
  };
  return Object.keys(errors).length > 0 || !date
    ? { ok: false, errors }
    : { ok: true, card: { number: digits, expiryMonth: date.month, expiryYear: date.year } };
}

const fault = (field: CardField, trouble: CardTrouble | undefined): CardErrors =>
  trouble ? { [field]: trouble } : {};

function numberTrouble(digits: string): CardTrouble | undefined {
  if (digits === '') return 'missing';
  if (!/^\d{16,19}$/.test(digits)) return 'number';
  return outcomeOfCard(digits) ? undefined : 'not_a_test_card';
}

type Expiry = { readonly month: string; readonly year: string };

function readExpiry(text: string): Expiry | undefined {
  const [, month, year] = /^\s*(0[1-9]|1[0-2])\s*\/?\s*(?:20)?(\d{2})\s*$/.exec(text) ?? [];
  return month !== undefined && year !== undefined ? { month, year: `20${year}` } : undefined;
}

/** A card is valid until the end of its month, UTC. */
function expiryTrouble(text: string, date: Expiry | undefined, now: Date): CardTrouble | undefined {
  if (text.trim() === '') return 'missing';
  if (!date) return 'expiry';
  return Date.UTC(Number(date.year), Number(date.month)) > now.getTime() ? undefined : 'expired';
}

const cvcTrouble = (text: string): CardTrouble | undefined => {
  if (text === '') return 'missing';
  return /^\d{3}$/.test(text) ? undefined : 'cvc';
};
