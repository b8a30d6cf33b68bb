import type { Bill } from '../bill/bill.ts';
import type { PaymentId } from '../ids.ts';
import { unsteered } from '../unsteered.ts';
import { type PageSecrets, readUnderAny } from './page-secrets.ts';
import { chargeMinor, type Payment } from './payment.ts';
import type { Acquirer, Payments } from './ports.ts';
import { returnKey } from './return-key.ts';
import { openCardPage, sealCardPage } from './sealed-card-page.ts';

/** Where the payer comes back to from the card page. */
export type ReturnAddress = {
  readonly publicUrl: string;
  /** With its question mark: the payer's choice of language. */
  readonly returnQuery?: string;
};

export type CardPagePorts = {
  readonly acquirer: Acquirer;
  readonly payments: Pick<Payments, 'keepCardPage'>;
  /** The secrets of the payment forms, of browsers and of the ways back. */
  readonly pageSecrets: () => Promise<PageSecrets>;
};

/**
 * The card page of a payment: as it was kept, else as the acquirer tells it; undefined when the acquirer cannot be
 * reached. The same payment again has the same page, so a crash in between and a second click are harmless.
 */
export async function cardPageOf(
  ports: CardPagePorts,
  { payment, bill }: { readonly payment: Payment; readonly bill: Bill },
  address: ReturnAddress,
): Promise<string | undefined> {
  const secrets = await ports.pageSecrets();
  const [secret] = secrets;
  const { cardPage: sealed } = payment;
  const kept = sealed && readUnderAny(secrets, (each) => openCardPage(each, payment.id, sealed));
  if (kept) return kept;
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
  // One that is not kept is asked for again.
  if (opened)
    await ports.payments
      .keepCardPage(payment, sealCardPage(secret, payment.id, opened.pageUrl))
      .catch(() => undefined);
  return opened?.pageUrl;
}

/** The way back from the acquirer, and to the outcome for the browser that began the payment. */
export const resultUrl = (
  [secret]: PageSecrets,
  paymentId: PaymentId,
  { publicUrl, returnQuery = '' }: ReturnAddress,
): string =>
  `${publicUrl}/result/${paymentId}?key=${returnKey(secret, paymentId)}${returnQuery.replace('?', '&')}`;

/** What the acquirer's page says that is being paid for: it may not hold the merchant's text in as our pages do. */
const descriptionOf = ({ name, description, orderId, id }: Bill): string =>
  [name, description, orderId].map((text) => unsteered(text ?? '')).find(Boolean) ?? id;
