/** Tax systems of Russia, as fiscal receipts number them: 1 is the general one, 6 the patent one. */
type TaxSystem = 1 | 2 | 3 | 4 | 5 | 6;

/** One line of a fiscal receipt. */
export type ReceiptLine = {
  readonly name: string;
  /** A decimal with at most three places, such as `1` or `0.250`. */
  readonly quantity: string;
  /** The price of one, in minor units. */
  readonly priceMinor: bigint;
  /** The number of the VAT rate. */
  readonly vatCode: number;
  /** What is sold, and how it is paid: the values of 54-FZ as the provider spells them. */
  readonly subject: string;
  readonly mode: string;
};

/**
 * A fiscal receipt (54-FZ). The sum of price and quantity over its lines is the amount, to the minor unit. YooKassa's own receipts
 * take at most 80 lines and need an e-mail address; registers of other makers take 100 and either contact.
 */
export type Receipt = {
  /** Where the payer gets it. `phone`: eleven digits, such as `79123456789`. */
  readonly customer: { readonly email: string } | { readonly phone: string };
  /** Undefined: the provider uses the only one of the shop. */
  readonly taxSystem: TaxSystem | undefined;
  readonly lines: readonly ReceiptLine[];
};

/** What the environment's record says about a provider's receipts: the same on every line. Stored with each payment at its start. */
export type ReceiptTerms = Pick<Receipt, 'taxSystem'> &
  Pick<ReceiptLine, 'vatCode' | 'subject' | 'mode'> & {
    /** The provider sends receipts by email only. */
    readonly emailOnly: boolean;
  };
