declare const kind: unique symbol;

/** Text whose shape was checked, so that the id of one noun cannot be passed where another's is wanted. */
type Id<Kind extends string> = string & { readonly [kind]: Kind };
type Guard<I extends string> = (text: string) => text is I;

export type BillId = Id<'bill'>;
export type PaymentId = Id<'payment'>;
export const billIdLength = 16;

/** Has the shape of a bill id. Other text is `not_found` without a read. */
export const isBillId = (text: string): text is BillId => /^[0-9A-Za-z]{16}$/.test(text);

/** Has the shape of a payment id. Other text is `not_found` without a read. */
export const isPaymentId = (text: string): text is PaymentId => /^[0-9A-Za-z]{26}$/.test(text);

/** For text from outside: undefined unless it has the shape of the id. */
export const readBillId = reader(isBillId);
export const readPaymentId = reader(isPaymentId);

/** For ids that the service makes itself: throws unless the text has the shape of the id. */
export const toBillId = maker('bill', isBillId);

function reader<I extends string>(is: Guard<I>) {
  return (text: string | undefined): I | undefined => (text !== undefined && is(text) ? text : undefined);
}

function maker<I extends string>(noun: string, is: Guard<I>) {
  return (text: string): I => {
    // Without the text: what has another shape may be a secret.
    if (!is(text)) throw new TypeError(`Not the shape of a ${noun} id`);
    return text;
  };
}
