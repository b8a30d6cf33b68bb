import { composeReceipt, customerOf, soldWith } from './compose-receipt.ts';
import { type ContactOwner, contactOf } from './contact.ts';
import type { Receipt } from './receipt.ts';
import type { ResolvePorts } from './resolve-step.ts';

/**
 * Returns the receipt of what is captured or refunded of a charge, in minor units; undefined: none is sent. `left_to_check`: this function
 * may not decrypt the payer's contact. It is equal for every call under a key: its values are stored with the payment, the items with the
 * bill, the amount with the call. After the contact has been erased none is sent; the acquirer makes that of a whole refund itself, and
 * may refuse a part, which a person then settles.
 */
export async function partReceipt(
  { payerContacts }: Pick<ResolvePorts, 'payerContacts'>,
  owner: ContactOwner,
  amountMinor: bigint,
): Promise<Receipt | undefined | 'left_to_check'> {
  const { payment, bill } = owner;
  const { receiptTerms } = payment;
  if (!receiptTerms) return undefined;
  if (!payerContacts) return 'left_to_check';
  const customer = customerOf(receiptTerms, await contactOf(payerContacts, owner));
  return customer && composeReceipt(receiptTerms, customer, soldWith(bill, payment), amountMinor);
}
