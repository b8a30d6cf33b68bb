import type { BillCurrency } from '../../money/money.ts';
import type { Receipt, ReceiptLine } from '../../payment/receipt.ts';
import { amountOf } from './amount.ts';

/** The `receipt` of a payment, a capture of less, or a refund (`ReceiptData` of the API); no field without one. */
export function withReceipt(
  receipt: Receipt | undefined,
  currency: BillCurrency,
): { readonly receipt?: object } {
  if (!receipt) return {};
  const { customer, taxSystem, lines } = receipt;
  return {
    receipt: {
      customer,
      items: lines.map((line) => itemOf(line, currency)),
      internet: true,
      ...(taxSystem !== undefined && { tax_system_code: taxSystem }),
    },
  };
}

/** Receipts of YooKassa and sales registers of the format 1.2 need the measure: pieces, where the quantity is whole. */
function itemOf(
  { name, quantity, priceMinor, vatCode, subject, mode }: ReceiptLine,
  currency: BillCurrency,
): object {
  const count = Number(quantity);
  return {
    description: name,
    quantity: count,
    measure: Number.isInteger(count) ? 'piece' : 'another',
    amount: amountOf(priceMinor, currency),
    vat_code: vatCode,
    payment_subject: subject,
    payment_mode: mode,
  };
}
