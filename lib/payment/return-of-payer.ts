import { Defect } from '../defect.ts';
import type { Bill } from '../bill/bill.ts';
import type { PaymentId } from '../ids.ts';
import { apiTokenContext } from '../merchant/encryption-context.ts';
import type { Merchants, Opener, Shops } from '../merchant/ports.ts';
import type { Shop } from '../merchant/shop.ts';
import { redirectFields } from './redirect-fields.ts';
import { goesBack, isFinalPayment, isPaid, type Payment } from './payment.ts';
import type { Payments } from './ports.ts';
import type { PageSecrets } from './page-secrets.ts';
import { resolvePayment } from './resolve-payment.ts';
import type { ResolvePorts } from './resolve-step.ts';
import { isReturnKey } from './return-key.ts';

export type ReturnOfPayerPorts = ResolvePorts & {
  readonly merchants: Pick<Merchants, 'find'>;
  readonly shops: Pick<Shops, 'find'>;
  readonly opener: Opener;
  readonly pageSecrets: () => Promise<PageSecrets>;
};

export type ReturnOfPayer =
  | { readonly kind: 'not_found' }
  | { readonly kind: 'waiting' }
  /** The bill was paid by another try of this payer's, or by somebody else. */
  | { readonly kind: 'paid' }
  | {
      readonly kind: 'hand_off';
      readonly outcome: 'success' | 'fail';
      readonly payment: Payment;
      /** Absent where the service's own page takes its place, as it does for money that goes back. */
      readonly shopPage: ShopPage | undefined;
    };

/** A shop's Success or Fail URL, and what the payer's browser posts there (contract 6.3). */
export type ShopPage = { readonly url: string; readonly fields: Readonly<Record<string, string>> };

/**
 * The payer comes back from the acquirer: its word is asked for, and the browser is handed to the shop (contract 6.3).
 * Only by the address that the acquirer was given: without its key the payment is not found.
 */
export async function returnOfPayer(
  ports: ReturnOfPayerPorts,
  { paymentId, key }: { readonly paymentId: PaymentId | undefined; readonly key: string | undefined },
): Promise<ReturnOfPayer> {
  if (paymentId === undefined) return { kind: 'not_found' };
  const secrets = await ports.pageSecrets();
  if (!secrets.some((each) => isReturnKey(each, paymentId, key))) return { kind: 'not_found' };
  // An acquirer that cannot be reached leaves the payment as it is known here.
  const found = await resolvePayment(ports, paymentId, { sparingly: true }).catch(() =>
    ports.payments.findWithBill(paymentId),
  );
  if (!found) return { kind: 'not_found' };
  const { payment, bill } = found;
  if (!isFinalPayment(payment)) return { kind: 'waiting' };
  const isPaidByAnother = bill.type === 'NORMAL' && bill.paidBy !== undefined && bill.paidBy !== payment.id;
  return isPaidByAnother && !goesBack(payment) ? { kind: 'paid' } : handOff(ports, payment);
}

async function handOff(ports: ReturnOfPayerPorts, payment: Payment): Promise<ReturnOfPayer> {
  const outcome = isPaid(payment) ? 'success' : 'fail';
  const url = await shopUrl(ports, payment);
  // The token is opened for a shop alone: nothing else is signed with it.
  const shopPage = url === undefined ? undefined : { url, fields: await signedFields(ports, payment) };
  return { kind: 'hand_off', outcome, payment, shopPage };
}

async function shopUrl({ shops }: ReturnOfPayerPorts, payment: Payment): Promise<string | undefined> {
  const shop = await shops.find(payment.shopId);
  if (isPaid(payment)) return shop?.successUrl;
  return goesBack(payment) ? undefined : shop?.failUrl;
}

async function signedFields({ merchants, opener }: ReturnOfPayerPorts, payment: Payment) {
  const merchant = await merchants.find(payment.merchantId);
  if (!merchant) throw new Defect('PAYMENT_MERCHANT_MISSING', 'A payment without a merchant');
  return redirectFields(payment, await opener.open(merchant.sealedToken, apiTokenContext(merchant)));
}

export type ShowOutcomePorts = { readonly payments: Payments; readonly shops: Pick<Shops, 'find'> };

/** The true outcome of a payment, for the service's own Success and Fail pages. */
export async function showOutcome(
  { payments, shops }: ShowOutcomePorts,
  { paymentId }: { readonly paymentId: PaymentId | undefined },
): Promise<{ readonly payment: Payment; readonly bill: Bill; readonly shop: Shop } | undefined> {
  const found = paymentId && (await payments.findWithBill(paymentId));
  const shop = found && (await shops.find(found.payment.shopId));
  return shop && { ...found, shop };
}
