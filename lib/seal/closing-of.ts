import type { MerchantId } from '../ids.ts';
import type { BillCurrency } from '../money/money.ts';
import type { Seals } from './ports.ts';
import type { Sums } from './seal.ts';

/** What all entries before `to` posted. */
export type Closing = { readonly to: Date; readonly sums: Sums };

/**
 * Returns up to where the merchant's journal in this currency is sealed, and what its accounts held then: a balance is that and the entries
 * from `to` on. Undefined when nothing is sealed, or the last seal cannot be read.
 */
export async function closingOf(
  { seals }: { readonly seals: Pick<Seals, 'lastOf'> },
  merchantId: MerchantId,
  currency: BillCurrency,
): Promise<Closing | undefined> {
  const seal = (await seals.lastOf({ merchantId, currency }))?.seal;
  return seal && { to: seal.to, sums: seal.closing };
}
