import type { Money } from '../money/money.ts';
import type { Language } from './language.ts';

/** `1 250,00 ₽` or `₽1,250.00`. Whole and fraction are formatted separately, so no amount becomes a float. */
export function shownAmount({ minor, currency }: Money, language: Language): string {
  const format = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  });
  const fraction = (minor % 100n).toString().padStart(2, '0');
  const parts = format.formatToParts(minor / 100n);
  return parts.map(({ type, value }) => (type === 'fraction' ? fraction : value)).join('');
}
