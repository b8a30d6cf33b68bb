import type { Bill } from '../bill/bill.ts';
import type { Shop } from '../merchant/shop.ts';
import type { BillCurrency } from '../money/money.ts';
import { shownAmount } from './amount.ts';
import { html, type Html } from './html.ts';
import type { Language } from './language.ts';
import { lineItems } from './line-items.ts';
import { messagesIn } from './messages.ts';

/** What a payer sees of a bill before paying. */
export type BillToPay = {
  readonly bill: Pick<Bill, 'id' | 'name' | 'description' | 'items' | 'options'>;
  readonly shop: Pick<Shop, 'name'>;
  readonly amount: { readonly minor: bigint; readonly currency: BillCurrency };
  readonly surchargeMinor: bigint;
  readonly chargeMinor: bigint;
};

/**
 * Payee, purpose, items and amount, with the surcharge listed separately. The merchant's texts are isolated (`<bdi>`), so they
 * cannot reorder ours.
 */
export function billSummary(bill: BillToPay, language: Language): Html {
  const texts = messagesIn(language).payment;
  return html`<p class="quiet to">${texts.to}: <bdi>${bill.shop.name}</bdi></p>
<h1><bdi>${purposeOf(bill) ?? texts.heading}</bdi></h1>
${detailOf(bill) !== undefined && html`<p class="lines"><bdi>${detailOf(bill)}</bdi></p>`}
${bill.bill.items && lineItems(bill.bill.items, bill.amount.currency, language)}
<p class="amount${charge(bill, language).length > 12 && ' long'}">${charge(bill, language)}</p>
${bill.surchargeMinor > 0n && breakdown(bill, language)}`;
}

/** The amount charged to the payer's card. */
export const charge = ({ chargeMinor, amount }: BillToPay, language: Language): string =>
  shownAmount({ minor: chargeMinor, currency: amount.currency }, language);

const purposeOf = ({ bill }: BillToPay): string | undefined => bill.name ?? bill.description;
const detailOf = ({ bill }: BillToPay): string | undefined =>
  bill.name !== undefined && bill.description !== bill.name ? bill.description : undefined;

function breakdown(bill: BillToPay, language: Language): Html {
  const texts = messagesIn(language).payment;
  const { currency } = bill.amount;
  return html`<dl>
<dt>${texts.amount}</dt><dd>${shownAmount(bill.amount, language)}</dd>
<dt>${texts.surcharge}</dt><dd>${shownAmount({ minor: bill.surchargeMinor, currency }, language)}</dd>
<dt class="total">${texts.total}</dt><dd class="total">${charge(bill, language)}</dd>
</dl>`;
}
