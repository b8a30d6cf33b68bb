import type { Bill } from '../bill/bill.ts';
import type { PaymentId } from '../ids.ts';
import { plainLine } from '../plain-line.ts';
import { type PageSecrets, readUnderAny } from './page-secrets.ts';
import { chargeMinor, type Payment } from './payment.ts';
import type { Acquirer, Payments } from './ports.ts';
import { returnKey } from './return-key.ts';
import { openCardPage, sealCardPage } from './sealed-card-page.ts';

/** Where the payer returns to from the card page. */
export type ReturnAddress = {
  readonly publicUrl: string;
  /** The query string of the payer's language, including the question mark. */
  readonly returnQuery?: string;
};

export type CardPagePorts = {
  readonly acquirer: Acquirer;
  readonly payments: Pick<Payments, 'storeCardPage'>;
  /** The secrets that sign payment forms, browser cookies and return URLs. */
  readonly pageSecrets: () => Promise<PageSecrets>;
};

/**
 * Returns the URL of a payment's card page: the stored one, otherwise the acquirer's; undefined when the acquirer
 * cannot be reached. The acquirer returns the same page for the same payment, so a crash or a second click is harmless.
 */
export async function cardPageOf(
  ports: CardPagePorts,
  { payment, bill }: { readonly payment: Payment; readonly bill: Bill },
  address: ReturnAddress,
): Promise<string | undefined> {
  const secrets = await ports.pageSecrets();
  const [secret] = secrets;
  const { cardPage: sealed } = payment;
  const stored = sealed && readUnderAny(secrets, (each) => openCardPage(each, payment.id, sealed));
  if (stored) return stored;
  const opened = await ports.acquirer
    .start({
      paymentId: payment.id,
      amountMinor: chargeMinor(payment),
      currency: payment.amount.currency,
      description: descriptionOf(bill),
      returnUrl: resultUrl(secrets, payment.id, address),
      notifyUrl: `${address.publicUrl}/acquirer/notification`,
    })
    .catch(() => undefined);
  // A URL that could not be stored is requested again on the next visit.
  if (opened)
    await ports.payments
      .storeCardPage(payment, sealCardPage(secret, payment.id, opened.pageUrl))
      .catch(() => undefined);
  return opened?.pageUrl;
}

/** Returns the URL to which the acquirer redirects the payer, which shows the outcome of the payment. */
export const resultUrl = (
  [secret]: PageSecrets,
  paymentId: PaymentId,
  { publicUrl, returnQuery = '' }: ReturnAddress,
): string =>
  `${publicUrl}/result/${paymentId}?key=${returnKey(secret, paymentId)}${returnQuery.replace('?', '&')}`;

/** Returns the description for the acquirer's page, without bidirectional controls: that page may not isolate it. */
const descriptionOf = ({ name, description, orderId, id }: Bill): string =>
  [name, description, orderId].map((text) => plainLine(text ?? '')).find(Boolean) ?? id;
