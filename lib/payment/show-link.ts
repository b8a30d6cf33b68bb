import { type Bill, type NotPayable, whyNotPayable } from '../bill/bill.ts';
import type { Bills } from '../bill/ports.ts';
import type { BillId } from '../ids.ts';
import { type PayerView, viewOf } from './payer-view.ts';
import { type Price, priceOf, type PricePorts } from './price.ts';

export type ShowLinkPorts = PricePorts & {
  readonly bills: Pick<Bills, 'find'>;
  readonly now: () => Date;
};

type ShowLink =
  | { readonly kind: 'payable'; readonly bill: Bill; readonly price: Price }
  | { readonly kind: NotPayable; readonly view: PayerView }
  | { readonly kind: 'not_found' };

/**
 * Returns what the QR page of a bill shows (contract 4.1, `link_url`). It only reads the bill: whether a payment is in
 * progress is checked by the payment page that it links to.
 */
export async function showLink(
  ports: ShowLinkPorts,
  { billId }: { readonly billId: BillId },
): Promise<ShowLink> {
  const bill = await ports.bills.find(billId);
  if (!bill) return { kind: 'not_found' };
  const why = whyNotPayable(bill, ports.now());
  const price = why ? undefined : await priceOf(ports, bill);
  return price
    ? { kind: 'payable', bill, price }
    : { kind: why ?? 'switched_off', view: await viewOf(ports, bill) };
}
