import { type LineItem, lineTotal } from '../bill/line-items.ts';
import type { BillCurrency } from '../money/money.ts';
import { shownAmount } from './amount.ts';
import { html, type Html } from './html.ts';
import type { Language } from './language.ts';
import { messagesIn } from './messages.ts';

/** With more lines the button would be below the first screen of a phone, so the list is folded. */
const mostUnfolded = 4;

/** What the bill is for, each line with its total; a long list is folded, which needs no script. */
export function lineItems(items: readonly LineItem[], currency: BillCurrency, language: Language): Html {
  const list = html`<dl class="items">
${items.map((item) => line(item, currency, language))}</dl>`;
  if (items.length <= mostUnfolded) return list;
  return html`<details><summary>${messagesIn(language).payment.items(String(items.length))}</summary>
${list}
</details>`;
}

const line = (item: LineItem, currency: BillCurrency, language: Language): Html =>
  html`<dt><bdi>${item.name}</bdi>${item.quantity !== '1' && html` × ${shownNumber(item.quantity, language)}`}</dt><dd>${shownAmount({ minor: lineTotal(item), currency }, language)}</dd>
`;

/** A decimal as text, with the language's decimal separator. */
const shownNumber = (decimal: string, language: Language): string =>
  language === 'ru' ? decimal.replace('.', ',') : decimal;
