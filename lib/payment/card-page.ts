import { chargeMinor, type Payment } from './payment.ts';
import type { Acquirer } from './ports.ts';

/** Where the payer comes back to from the card page. */
export type ReturnAddress = {
  readonly publicUrl: string;
  /** With its question mark: the payer's choice of language. */
  readonly returnQuery?: string | undefined;
};

/**
 * The acquirer's card page for a payment; undefined when the acquirer cannot be reached.
 * The same payment again has the same page, so a crash in between and a second click are harmless.
 */
export const cardPageOf = (
  acquirer: Acquirer,
  payment: Payment,
  { description, publicUrl, returnQuery = '' }: ReturnAddress & { readonly description: string },
): Promise<string | undefined> =>
  acquirer
    .start({
      paymentId: payment.id,
      amountMinor: chargeMinor(payment),
      currency: payment.amount.currency,
      description,
      returnUrl: `${publicUrl}/result/${payment.id}${returnQuery}`,
      notifyUrl: `${publicUrl}/acquirer/notification`,
    })
    .then(
      ({ pageUrl }) => pageUrl,
      () => undefined,
    );
