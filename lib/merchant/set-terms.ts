import type { MerchantId } from '../ids.ts';
import type { Merchants, TermsOf } from './ports.ts';
import type { Terms, TermsOverrides } from './terms.ts';
import type { FeeSchedule } from '../money/fee.ts';
import type { BillCurrency } from '../money/money.ts';
import { fail, ok, type Result } from '../result.ts';

type Ports = { readonly merchants: Merchants; readonly terms: TermsOf };

/** Parts of a fee that are not given stay unchanged. */
export type TermsChanges = Omit<TermsOverrides, 'paymentFee' | 'payoutFee'> & {
  readonly paymentFee?: Partial<FeeSchedule>;
  readonly payoutFee?: Partial<FeeSchedule>;
};
type Command = {
  readonly merchantId: MerchantId;
  readonly currency: BillCurrency;
  readonly changes: TermsChanges;
};
type TermsRefusal =
  | 'merchant_not_found'
  | 'smallest_above_largest'
  | 'fee_above_everything'
  | 'reserve_without_days';

/** 100 percent in basis points. */
const everything = 10_000;

/** Changes the terms in the command. They apply from the merchant's next payment or payout. */
export async function setTerms(
  { merchants, terms }: Ports,
  { merchantId, currency, changes }: Command,
): Promise<Result<Terms, TermsRefusal>> {
  if (!(await merchants.find(merchantId))) return fail('merchant_not_found');
  const before = await terms.find(merchantId, currency);
  const overrides = withWholeFees(before, changes);
  const refusal = whyNotAgreed({ ...before, ...overrides });
  return refusal ? fail(refusal) : ok(await terms.set(merchantId, currency, overrides));
}

const withWholeFees = (before: Terms, { paymentFee, payoutFee, ...rest }: TermsChanges): TermsOverrides => ({
  ...rest,
  ...(paymentFee && { paymentFee: { ...before.paymentFee, ...paymentFee } }),
  ...(payoutFee && { payoutFee: { ...before.payoutFee, ...payoutFee } }),
});

function whyNotAgreed(terms: Terms): TermsRefusal | undefined {
  if (terms.payoutMinMinor > terms.payoutMaxMinor) return 'smallest_above_largest';
  if (terms.reserveBasisPoints > 0 && terms.reserveDays === 0) return 'reserve_without_days';
  return Math.max(terms.paymentFee.bps, terms.payoutFee.bps) > everything
    ? 'fee_above_everything'
    : undefined;
}
