import { Defect } from '../defect.ts';
import type { Bill } from '../bill/bill.ts';
import type { PaymentId } from '../ids.ts';
import { apiTokenContext } from '../merchant/encryption-context.ts';
import type { Merchants, Opener, Shops } from '../merchant/ports.ts';
import type { Shop } from '../merchant/shop.ts';
import { redirectFields } from './redirect-fields.ts';
import { isFinalPayment, isPaid, isToBeRefunded, type Payment } from './payment.ts';
import type { Payments, PaymentWithBill } from './ports.ts';
import type { PageSecrets } from './page-secrets.ts';
import { ownUrl, type PayerView, viewOf } from './payer-view.ts';
import { resolvePayment } from './resolve-payment.ts';
import type { ResolvePorts } from './resolve-step.ts';
import { isReturnKey } from './return-key.ts';
import { type Unpaid, unpaidOf } from './unpaid.ts';

export type ReturnOfPayerPorts = ResolvePorts & {
  readonly merchants: Pick<Merchants, 'find'>;
  readonly shops: Pick<Shops, 'find'>;
  readonly opener: Opener;
  readonly pageSecrets: () => Promise<PageSecrets>;
};

export type ReturnOfPayer = { readonly kind: 'not_found' } | (Returned & { readonly view: PayerView });

type Returned =
  | { readonly kind: 'waiting' }
  /** Not paid yet as far as is known, and its page can still be paid. */
  | ({ readonly kind: 'unpaid' } & Unpaid)
  /** Another payment took the bill over. `holds`: what is still paid on this one's page is never captured. */
  | { readonly kind: 'displaced'; readonly holds: boolean }
  /** Another payment of this or another payer paid the bill. */
  | { readonly kind: 'paid' }
  | {
      readonly kind: 'hand_off';
      readonly outcome: 'success' | 'fail';
      readonly payment: Payment;
      /** Undefined when Paylink's own page is shown instead: no URL is set, or the payment is refunded. */
      readonly shopPage: ShopPage | undefined;
    };

/** A shop's Success or Fail URL, and what the payer's browser posts there (contract 6.3). */
export type ShopPage = { readonly url: string; readonly fields: Readonly<Record<string, string>> };

/**
 * Handles the payer's return from the acquirer: checks the payment with the acquirer and hands the browser to the shop
 * (contract 6.3). Without the key of the return URL the payment is `not_found`.
 */
export async function returnOfPayer(
  ports: ReturnOfPayerPorts,
  { paymentId, key }: { readonly paymentId: PaymentId | undefined; readonly key: string | undefined },
): Promise<ReturnOfPayer> {
  if (paymentId === undefined) return { kind: 'not_found' };
  const secrets = await ports.pageSecrets();
  if (!secrets.some((each) => isReturnKey(each, paymentId, key))) return { kind: 'not_found' };
  const resolved = await resolvePayment(ports, paymentId, { throttled: true }).catch(() => undefined);
  // When the acquirer cannot be reached, the stored state is shown.
  const found = resolved ?? (await ports.payments.findWithBill(paymentId));
  if (!found) return { kind: 'not_found' };
  const shown = await whatToShow(ports, found, resolved);
  return { ...shown, view: await viewOf(ports, found.bill) };
}

/** `resolved`: the same, when the acquirer could be queried. */
async function whatToShow(
  ports: ReturnOfPayerPorts,
  found: PaymentWithBill,
  resolved: PaymentWithBill | undefined,
): Promise<Returned> {
  const { payment, bill } = found;
  if (!isFinalPayment(payment)) {
    if (isDisplaced(found)) return { kind: 'displaced', holds: payment.holds };
    // The payer may have paid where the acquirer cannot be asked: then nothing says that they have not.
    const unpaid = resolved && (await unpaidOf(ports, resolved));
    return unpaid ? { kind: 'unpaid', ...unpaid } : { kind: 'waiting' };
  }
  const isPaidByAnother = bill.type === 'NORMAL' && bill.paidBy !== undefined && bill.paidBy !== payment.id;
  return isPaidByAnother && !isToBeRefunded(payment) ? { kind: 'paid' } : handOff(ports, found);
}

/** Whether another payment holds the bill or has paid it, so that this one is not captured any more. */
const isDisplaced = ({ payment, bill }: PaymentWithBill): boolean =>
  bill.type === 'NORMAL' && bill.current !== payment.id && payment.phase !== 'CAPTURING';

async function handOff(ports: ReturnOfPayerPorts, found: PaymentWithBill): Promise<Returned> {
  const { payment } = found;
  const outcome = isPaid(payment) ? 'success' : 'fail';
  const url = await shopUrl(ports, found);
  // The token is decrypted only when there is a shop page to sign for.
  const shopPage = url === undefined ? undefined : { url, fields: await signedFields(ports, payment) };
  return { kind: 'hand_off', outcome, payment, shopPage };
}

/** The bill's own URL while its host is the shop's, else the shop's. */
async function shopUrl(
  { shops }: ReturnOfPayerPorts,
  { payment, bill }: PaymentWithBill,
): Promise<string | undefined> {
  const shop = await shops.find(payment.shopId);
  if (isPaid(payment)) return ownUrl(shop, bill.options?.successUrl) ?? shop?.successUrl;
  return isToBeRefunded(payment) ? undefined : (ownUrl(shop, bill.options?.failUrl) ?? shop?.failUrl);
}

async function signedFields({ merchants, opener }: ReturnOfPayerPorts, payment: Payment) {
  const merchant = await merchants.find(payment.merchantId);
  if (!merchant) throw new Defect('PAYMENT_MERCHANT_MISSING', 'A payment without a merchant');
  return redirectFields(payment, await opener.open(merchant.sealedToken, apiTokenContext(merchant)));
}

export type ShowOutcomePorts = { readonly payments: Payments; readonly shops: Pick<Shops, 'find'> };

/** Returns the outcome of a payment for Paylink's own Success and Fail pages. */
export async function showOutcome(
  { payments, shops }: ShowOutcomePorts,
  { paymentId }: { readonly paymentId: PaymentId | undefined },
): Promise<{ readonly payment: Payment; readonly bill: Bill; readonly shop: Shop } | undefined> {
  const found = paymentId && (await payments.findWithBill(paymentId));
  const shop = found && (await shops.find(found.payment.shopId));
  return shop && { ...found, shop };
}
