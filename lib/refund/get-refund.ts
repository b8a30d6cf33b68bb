import type { RefundId } from '../ids.ts';
import { type Caller, whyRefused } from '../merchant/merchant.ts';
import { fail, ok, type Result } from '../result.ts';
import type { Refunds } from './ports.ts';
import type { Refund } from './refund.ts';

export type GetRefundPorts = { readonly refunds: Pick<Refunds, 'find'> };
type Query = {
  readonly caller: Caller;
  /** Undefined when the text is not a refund id. */
  readonly id: RefundId | undefined;
};
export type GetRefundRefusal = 'merchant_banned' | 'refund_not_found';

/** Returns one refund. */
export async function getRefund(
  { refunds }: GetRefundPorts,
  { caller, id }: Query,
): Promise<Result<Refund, GetRefundRefusal>> {
  const refusal = whyRefused(caller, ['merchant_banned']);
  if (refusal) return fail(refusal);

  const refund = id && (await refunds.find(id));
  // Another merchant's refund is indistinguishable from a missing one.
  return refund?.merchantId === caller.merchantId ? ok(refund) : fail('refund_not_found');
}
