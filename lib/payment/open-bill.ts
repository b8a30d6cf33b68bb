import type { Bill, NormalBill, NotPayable } from '../bill/bill.ts';
import type { BillId, PaymentId } from '../ids.ts';
import type { Shop } from '../merchant/shop.ts';
import type { Money } from '../money/money.ts';
import { availabilityOf, type AvailabilityPorts, type BillAvailability } from './bill-availability.ts';
import { hashBrowser, isBegunBy } from './browser.ts';
import { type CardPagePorts, cardPageOf, resultUrl, type ReturnAddress } from './card-page.ts';
import { formToken } from './form-token.ts';
import { chargeMinor, type Payment } from './payment.ts';
import { type Price, priceOf, type PricePorts } from './price.ts';

export type OpenBillPorts = AvailabilityPorts &
  PricePorts &
  CardPagePorts & {
    readonly newId: (length: number) => string;
  };

/** What a payer is told of a bill. */
type ShownBill = {
  readonly bill: Bill;
  readonly shop: Shop;
  readonly amount: Money;
  readonly surchargeMinor: bigint;
  readonly chargeMinor: bigint;
};

type PayableBill = ShownBill & {
  readonly kind: 'payable';
  readonly token: string;
  readonly failedBefore: boolean;
};

export type OpenBill =
  | PayableBill
  /** To the card page of the payment that this browser began. */
  | { readonly kind: 'in_progress'; readonly pageUrl: string; readonly paymentId: PaymentId }
  /** To the outcome of the payment that this browser began. */
  | { readonly kind: 'pending'; readonly resultUrl: string; readonly paymentId: PaymentId }
  /** Somebody else is paying; until when they keep the bill to themselves at most, where that is known. */
  | (ShownBill & { readonly kind: 'being_paid'; readonly until: Date | undefined })
  | { readonly kind: 'not_found' | 'unavailable' | NotPayable };

type Visit = ReturnAddress & {
  readonly billId: BillId;
  /** The random number of this browser: as it was sent, or as it is given with this answer. */
  readonly browser: string;
};

/** What somebody who opens a payment link is shown: the bill to pay, their payment under way, or why not. */
export async function openBill(
  ports: OpenBillPorts,
  { billId, browser, ...address }: Visit,
): Promise<OpenBill> {
  const availability = await availabilityOf(ports, billId);
  if (availability.kind !== 'available')
    return unavailableView(ports, availability, {
      ...address,
      isTheirs: (payment) => isBegunBy(payment, browser),
    });
  const { bill } = availability;
  const [price, [secret]] = await Promise.all([priceOf(ports, bill), ports.pageSecrets()]);
  return price ? payable(ports, { bill, price, secret, browser }) : { kind: 'switched_off' };
}

export type Visitor = ReturnAddress & {
  /** Whether the payment under way is this visitor's. */
  readonly isTheirs: (payment: Payment) => boolean;
};

/** Who began the payment under way is led on to it, and nobody else: neither to its card page nor to its outcome. */
export async function unavailableView(
  ports: CardPagePorts & Pick<PricePorts, 'shops'>,
  availability: Exclude<BillAvailability, { kind: 'available' }>,
  { isTheirs, ...address }: Visitor,
): Promise<OpenBill> {
  if (!('payment' in availability)) return availability;
  const { kind, bill, payment } = availability;
  if (!isTheirs(payment)) return beingPaid(ports, availability);
  if (kind === 'pending')
    return {
      kind,
      paymentId: payment.id,
      resultUrl: resultUrl(await ports.pageSecrets(), payment.id, address),
    };
  const pageUrl = await cardPageOf(ports, { payment, bill }, address);
  return pageUrl === undefined ? { kind: 'unavailable' } : { kind, pageUrl, paymentId: payment.id };
}

type UnderWay = { readonly bill: NormalBill; readonly payment: Payment };

/** A fenced bill is kept until its capture is known. */
async function beingPaid(
  { shops }: Pick<PricePorts, 'shops'>,
  { bill, payment }: UnderWay,
): Promise<OpenBill> {
  const shop = await shops.find(bill.shopId);
  if (!shop) return { kind: 'switched_off' };
  const { amount, surchargeMinor } = payment;
  const until = bill.fenced ? undefined : bill.lockUntil;
  return { kind: 'being_paid', bill, shop, amount, surchargeMinor, chargeMinor: chargeMinor(payment), until };
}

type Shown = {
  readonly bill: Bill;
  readonly price: Price;
  readonly secret: string;
  readonly browser: string;
};

function payable({ newId, now }: OpenBillPorts, { bill, price, secret, browser }: Shown): PayableBill {
  const { shop, chargeMinor: charge, surchargeMinor } = price;
  const form = { nonce: newId(8), chargeMinor: charge, browserHash: hashBrowser(browser) };
  return {
    kind: 'payable',
    bill,
    shop,
    amount: bill.amount,
    surchargeMinor,
    chargeMinor: charge,
    token: formToken(secret, bill.id, form, now()),
    failedBefore: bill.type === 'NORMAL' && bill.failures > 0,
  };
}
