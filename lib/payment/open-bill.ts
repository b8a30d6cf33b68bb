import { type Bill, type NormalBill, type NotPayable, whyNotPayable } from '../bill/bill.ts';
import type { Askable } from '../bill/options.ts';
import type { Contacts } from '../bill/ports.ts';
import type { BillId, PaymentId } from '../ids.ts';
import type { Shop } from '../merchant/shop.ts';
import type { Money } from '../money/money.ts';
import type { PaymentMethod } from './acquirer.ts';
import { availabilityOf, type AvailabilityPorts, type BillAvailability } from './bill-availability.ts';
import { hashBrowser, isBegunBy } from './browser.ts';
import { type CardPagePorts, cardPageOf } from './card-page.ts';
import { formToken } from './form-token.ts';
import { chargeMinor, type Payment } from './payment.ts';
import type { PaymentWithBill } from './ports.ts';
import { type AskedContact, askedContact, askedFields, isCoveredBy } from './payer-contact.ts';
import { type PayerView, viewOf, viewWith } from './payer-view.ts';
import { type Price, priceOf, type PricePorts } from './price.ts';
import { resultUrl, type ReturnAddress } from './start-order.ts';

export type OpenBillPorts = AvailabilityPorts &
  PricePorts &
  CardPagePorts & {
    readonly contacts: Contacts;
    readonly newId: (length: number) => string;
  };

/** What a payer sees of a bill. */
type ShownBill = {
  readonly bill: Bill;
  readonly shop: Shop;
  readonly amount: Money;
  readonly surchargeMinor: bigint;
  readonly chargeMinor: bigint;
};

/** A way to pay with its form's token, and what the payer is asked for to send a receipt to. */
export type MethodForm = {
  readonly method: PaymentMethod;
  readonly token: string;
  readonly asks?: AskedContact;
};

export type PayableBill = ShownBill & {
  readonly kind: 'payable';
  /** The methods that take the charge, in the order of the page; none when no acquirer does. */
  readonly forms: readonly MethodForm[];
  /** What the bill has the payer asked, in every form. */
  readonly fields: readonly Askable[];
  readonly failedBefore: boolean;
};

/**
 * The acquirer of this browser's own payment does not respond. `maySwitch`: another way to pay may be started, because this
 * payment does not keep the bill, or can be displaced without a charge.
 */
export type NotResponding = {
  readonly kind: 'not_responding';
  readonly method: PaymentMethod;
  readonly maySwitch: boolean;
  readonly bill: Bill;
};

export type OpenBill =
  | PayableBill
  /** Redirect to the card page of the payment that this browser started. */
  | { readonly kind: 'in_progress'; readonly pageUrl: string; readonly paymentId: PaymentId }
  /** Redirect to the outcome of the payment that this browser started. */
  | { readonly kind: 'pending'; readonly resultUrl: string; readonly paymentId: PaymentId }
  /** Another payer is paying. `until`: when their lock or their page expires; undefined when unknown. */
  | (ShownBill & { readonly kind: 'being_paid'; readonly until: Date | undefined })
  | NotResponding
  | { readonly kind: NotPayable; readonly view: PayerView }
  | { readonly kind: 'not_found' };

type Visit = ReturnAddress & {
  readonly billId: BillId;
  /** The random number of this browser: from its cookie, or new with this response. */
  readonly browser: string;
  /**
   * Asks for the payer's contact although the bill came with one: it could not be decrypted, or the acquirer refused the order, perhaps
   * because of it.
   */
  readonly asksAnyway?: boolean;
};

/** Returns what a visitor of a payment link sees: the bill, their payment in progress, or why they cannot pay. */
export async function openBill(
  ports: OpenBillPorts,
  { billId, browser, asksAnyway = false, ...address }: Visit,
): Promise<OpenBill> {
  const availability = await availabilityOf(ports, billId);
  if (availability.kind !== 'available')
    return unavailableView(ports, availability, {
      ...address,
      isTheirs: (payment) => isBegunBy(payment, browser),
    });
  const { bill } = availability;
  const [price, [secret]] = await Promise.all([priceOf(ports, bill), ports.pageSecrets()]);
  return price
    ? payable(ports, { bill, price, secret, browser, asksAnyway })
    : { kind: 'switched_off', view: await viewOf(ports, bill) };
}

/**
 * Returns the bill as payable although this browser's own payment holds it: for another way to pay, where that payment can be
 * displaced.
 */
export async function otherWaysToPay(
  ports: OpenBillPorts,
  { billId, browser }: Pick<Visit, 'billId' | 'browser'>,
): Promise<PayableBill | undefined> {
  const bill = await ports.bills.find(billId);
  const [price, [secret]] = await Promise.all([bill && priceOf(ports, bill), ports.pageSecrets()]);
  const isPayable = bill && maySwitch(bill) && !whyNotPayable(bill, ports.now());
  return isPayable && price ? payable(ports, { bill, price, secret, browser }) : undefined;
}

export type Visitor = ReturnAddress & {
  /** Whether the payment in progress is this visitor's. */
  readonly isTheirs: (payment: Payment) => boolean;
};

/** Redirects the browser that started the payment to its card page or outcome, and shows other visitors neither. */
export async function unavailableView(
  ports: CardPagePorts & Pick<PricePorts, 'shops'>,
  availability: Exclude<BillAvailability, { kind: 'available' }>,
  { isTheirs, ...address }: Visitor,
): Promise<OpenBill> {
  if (availability.kind === 'not_found') return availability;
  if (!('payment' in availability))
    return { kind: availability.kind, view: await viewOf(ports, availability.bill) };
  const { kind, payment, bill } = availability;
  if (!isTheirs(payment)) return beingPaid(ports, availability);
  const page = kind === 'pending' ? undefined : await cardPageOf(ports, payment);
  if (page?.kind === 'open') return { kind: 'in_progress', pageUrl: page.pageUrl, paymentId: payment.id };
  if (page?.kind === 'unavailable') return notResponding({ payment, bill });
  return {
    kind: 'pending',
    paymentId: payment.id,
    resultUrl: resultUrl(await ports.pageSecrets(), payment.id, address),
  };
}

export const notResponding = ({ payment, bill }: PaymentWithBill): NotResponding => ({
  kind: 'not_responding',
  method: payment.method,
  maySwitch: maySwitch(bill),
  bill,
});

/** Whether its holder may be displaced by another way to pay of the same browser. */
export const maySwitch = (bill: Bill): boolean =>
  bill.type === 'MULTI' || (bill.lockUntil !== undefined && !bill.fenced);

type UnderWay = { readonly bill: NormalBill; readonly payment: Payment };

/**
 * A fenced bill stays held until the outcome of the capture is known; without a lock until the payment has ended, which its page
 * decides.
 */
async function beingPaid(
  { shops }: Pick<PricePorts, 'shops'>,
  { bill, payment }: UnderWay,
): Promise<OpenBill> {
  const shop = await shops.find(bill.shopId);
  if (!shop) return { kind: 'switched_off', view: viewWith(bill, shop) };
  const { amount, surchargeMinor } = payment;
  const until = bill.fenced ? undefined : (bill.lockUntil ?? payment.payableUntil);
  return { kind: 'being_paid', bill, shop, amount, surchargeMinor, chargeMinor: chargeMinor(payment), until };
}

type Shown = {
  readonly bill: Bill;
  readonly price: Price;
  readonly secret: string;
  readonly browser: string;
  readonly asksAnyway?: boolean;
};

async function payable(
  ports: OpenBillPorts,
  { bill, price, secret, browser, asksAnyway = false }: Shown,
): Promise<PayableBill> {
  const { acquirers, contacts, newId, now } = ports;
  const { shop, chargeMinor: charge, surchargeMinor } = price;
  const { currency } = bill.amount;
  const tokenFor = (method: PaymentMethod): string =>
    formToken(
      secret,
      bill.id,
      { nonce: newId(8), method, chargeMinor: charge, browserHash: hashBrowser(browser) },
      now(),
    );
  const methods = acquirers.methodsFor({ minor: charge, currency }).map((method) => ({
    method,
    receipts: acquirers.forNew({ minor: charge, currency }, method)?.receipts,
  }));
  const isAsked = !asksAnyway && methods.some(({ receipts }) => receipts !== undefined);
  const isRead = bill.hasContact && (isAsked || bill.options?.asks !== undefined);
  const known = isRead ? (await contacts.find(bill.id))?.masks : undefined;
  const fields = askedFields(bill, known);
  const forms = methods.map(({ method, receipts }) => {
    const asked = askedContact(receipts, asksAnyway ? undefined : known);
    const asks = asked && isCoveredBy(asked, fields) ? undefined : asked;
    return { method, token: tokenFor(method), ...(asks && { asks }) };
  });
  return {
    kind: 'payable',
    bill,
    shop,
    amount: bill.amount,
    surchargeMinor,
    chargeMinor: charge,
    forms,
    fields,
    failedBefore: bill.type === 'NORMAL' && bill.failures > 0,
  };
}
