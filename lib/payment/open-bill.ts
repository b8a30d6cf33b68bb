import type { Bill, NotPayable } from '../bill/bill.ts';
import type { Shop } from '../merchant/shop.ts';
import type { Money } from '../money/money.ts';
import { unsteered } from '../unsteered.ts';
import { availabilityOf, type AvailabilityPorts, type BillAvailability } from './bill-availability.ts';
import { cardPageOf, type ReturnAddress } from './card-page.ts';
import { formToken } from './form-token.ts';
import { type Price, priceOf, type PricePorts } from './price.ts';

export type OpenBillPorts = AvailabilityPorts &
  PricePorts & {
    readonly newId: (length: number) => string;
    /** The HMAC secret of the payment forms. */
    readonly pageSecret: () => Promise<string>;
  };

type PayableBill = {
  readonly kind: 'payable';
  readonly bill: Bill;
  readonly shop: Shop;
  readonly amount: Money;
  readonly surchargeMinor: bigint;
  readonly chargeMinor: bigint;
  readonly token: string;
  readonly failedBefore: boolean;
};

export type OpenBill =
  | PayableBill
  | { readonly kind: 'in_progress'; readonly pageUrl: string; readonly paymentId: string }
  | { readonly kind: 'pending'; readonly paymentId: string }
  | { readonly kind: 'not_found' | 'unavailable' | NotPayable };

type Visit = ReturnAddress & { readonly billId: string };

/** What somebody who opens a payment link is shown: the bill to pay, the payment under way, or why not. */
export async function openBill(ports: OpenBillPorts, { billId, ...address }: Visit): Promise<OpenBill> {
  const availability = await availabilityOf(ports, billId);
  if (availability.kind !== 'available') return unavailableView(ports, availability, address);
  const { bill } = availability;
  const [price, secret] = await Promise.all([priceOf(ports, bill), ports.pageSecret()]);
  return price ? payable(ports, { bill, price, secret }) : { kind: 'switched_off' };
}

/** Who comes to a bill that somebody is paying is led to the same card page. */
export async function unavailableView(
  { acquirer }: Pick<OpenBillPorts, 'acquirer'>,
  availability: Exclude<BillAvailability, { kind: 'available' }>,
  address: ReturnAddress,
): Promise<OpenBill> {
  if (availability.kind !== 'in_progress') return availability;
  const { bill, payment } = availability;
  const pageUrl = await cardPageOf(acquirer, payment, { description: descriptionOf(bill), ...address });
  if (pageUrl === undefined) return { kind: 'unavailable' };
  return { kind: 'in_progress', pageUrl, paymentId: payment.id };
}

type Shown = { readonly bill: Bill; readonly price: Price; readonly secret: string };

function payable({ newId, now }: OpenBillPorts, { bill, price, secret }: Shown): PayableBill {
  const { shop, chargeMinor, surchargeMinor } = price;
  const token = formToken(secret, bill.id, { nonce: newId(8), chargeMinor }, now());
  const failedBefore = bill.type === 'NORMAL' && bill.failures > 0;
  return {
    kind: 'payable',
    bill,
    shop,
    amount: bill.amount,
    surchargeMinor,
    chargeMinor,
    token,
    failedBefore,
  };
}

/** What the acquirer's page says that is being paid for: it may not hold the merchant's text in as our pages do. */
export const descriptionOf = ({ name, description, orderId, id }: Bill): string =>
  [name, description, orderId].map((text) => unsteered(text ?? '')).find(Boolean) ?? id;
