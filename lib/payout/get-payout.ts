import { readPayoutId } from '../ids.ts';
import { type Caller, whyRefused } from '../merchant/merchant.ts';
import { fail, ok, type Result } from '../result.ts';
import type { Payout } from './payout.ts';
import { groupOfOrder } from './payout-group.ts';
import type { Payouts } from './ports.ts';

export type GetPayoutPorts = { readonly payouts: Pick<Payouts, 'find' | 'findGroup'> };
type Found = GetPayoutPorts['payouts'];
export type PayoutQuery = {
  readonly caller: Caller;
  /** One of the two is given; the id takes precedence. */
  readonly id: string | undefined;
  readonly orderId: string | undefined;
};

const merchantRefusals = [
  'merchant_not_found',
  'merchant_banned',
  'merchant_subscription_inactive',
  'merchant_subscription_not_found',
] as const;

export type GetPayoutRefusal = (typeof merchantRefusals)[number] | 'payout_not_found';

/** Returns one payout by its id, or all parts of an order (contract 4.9). */
export async function getPayout(
  { payouts }: GetPayoutPorts,
  { caller, id, orderId }: PayoutQuery,
): Promise<Result<readonly [Payout, ...Payout[]], GetPayoutRefusal>> {
  const refusal = whyRefused(caller, merchantRefusals);
  if (refusal) return fail(refusal);

  const found = id === undefined ? await ofOrder(payouts, caller, orderId ?? '') : await byId(payouts, id);
  // Another merchant's payout is indistinguishable from a missing one.
  const [first, ...others] = found.filter(({ merchantId }) => merchantId === caller.merchantId);
  return first ? ok([first, ...others]) : fail('payout_not_found');
}

async function byId(payouts: Found, id: string): Promise<readonly Payout[]> {
  const payoutId = readPayoutId(id);
  const payout = payoutId && (await payouts.find(payoutId));
  return payout ? [payout] : [];
}

const ofOrder = (payouts: Found, { merchantId }: Caller, orderId: string): Promise<readonly Payout[]> =>
  payouts.findGroup(groupOfOrder(merchantId, orderId));
