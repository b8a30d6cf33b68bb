import type { Bill, NotPayable } from '../bill/bill.ts';
import type { Shop } from '../merchant/shop.ts';
import type { Money } from '../money/money.ts';
import { cardPageOf } from './card-page.ts';
import { formToken } from './form-token.ts';
import { type Price, priceOf, type PricePorts } from './price.ts';
import { type Standing, standingOf, type StandingPorts } from './standing.ts';

export type OpenBillPorts = StandingPorts &
  PricePorts & {
    readonly newId: (length: number) => string;
    /** The HMAC secret of the payment forms. */
    readonly pageSecret: () => Promise<string>;
  };

export type PayableBill = {
  readonly kind: 'payable';
  readonly bill: Bill;
  readonly shop: Shop;
  readonly amount: Money;
  readonly surchargeMinor: bigint;
  readonly askedMinor: bigint;
  readonly token: string;
  readonly failedBefore: boolean;
};

export type OpenBill =
  | PayableBill
  | { readonly kind: 'under_way'; readonly pageUrl: string; readonly paymentId: string }
  | { readonly kind: 'being_checked'; readonly paymentId: string }
  | { readonly kind: 'not_found' | 'unavailable' | NotPayable; readonly bill?: Bill };

type Visit = { readonly billId: string; readonly publicUrl: string };

/** What somebody who opens a payment link is shown: the bill to pay, the payment under way, or why not. */
export async function openBill(ports: OpenBillPorts, { billId, publicUrl }: Visit): Promise<OpenBill> {
  const standing = await standingOf(ports, billId);
  if (standing.kind !== 'free') return notFree(ports, standing, publicUrl);
  const { bill } = standing;
  const [price, secret] = await Promise.all([priceOf(ports, bill), ports.pageSecret()]);
  return price ? payable(ports, { bill, price, secret }) : { kind: 'switched_off', bill };
}

/** Who comes to a bill that somebody is paying is led to the same card page. */
export async function notFree(
  { acquirer }: Pick<OpenBillPorts, 'acquirer'>,
  standing: Exclude<Standing, { kind: 'free' }>,
  publicUrl: string,
): Promise<OpenBill> {
  if (standing.kind !== 'held') return standing;
  const { bill, payment } = standing;
  const pageUrl = await cardPageOf(acquirer, payment, { description: descriptionOf(bill), publicUrl });
  if (pageUrl === undefined) return { kind: 'unavailable', bill };
  return { kind: 'under_way', pageUrl, paymentId: payment.id };
}

type Shown = { readonly bill: Bill; readonly price: Price; readonly secret: string };

function payable({ newId, now }: OpenBillPorts, { bill, price, secret }: Shown): PayableBill {
  const { shop, askedMinor, surchargeMinor } = price;
  const token = formToken(secret, bill.id, { nonce: newId(8), askedMinor }, now());
  const failedBefore = bill.type === 'NORMAL' && bill.failures > 0;
  return {
    kind: 'payable',
    bill,
    shop,
    amount: bill.amount,
    surchargeMinor,
    askedMinor,
    token,
    failedBefore,
  };
}

/** What the acquirer's page says that is being paid for. */
export const descriptionOf = ({ name, description, orderId, id }: Bill): string =>
  name ?? description ?? orderId ?? id;
