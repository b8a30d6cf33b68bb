import type { PayoutId } from '../ids.ts';
import type { TermsOf } from '../merchant/ports.ts';
import type { Terms } from '../merchant/terms.ts';
import { sum } from '../money/money.ts';
import type { Payout } from './payout.ts';
import type { Payouts } from './ports.ts';

type Ports = { readonly payouts: Pick<Payouts, 'findGroup'>; readonly terms: Pick<TermsOf, 'find'> };

/** Whether an order of this sum requires two people; minor units, without fees. */
export const takesTwoPeople = (
  { secondPersonAboveMinor }: Pick<Terms, 'secondPersonAboveMinor'>,
  orderMinor: bigint,
): boolean => secondPersonAboveMinor > 0n && orderMinor > secondPersonAboveMinor;

/**
 * Returns the ids of the payouts whose order requires two people by the current terms. All parts of an order count,
 * whatever their status, so that approving part by part cannot evade the threshold.
 */
export async function takingTwoPeople(
  ports: Ports,
  payouts: readonly Payout[],
): Promise<ReadonlySet<PayoutId>> {
  const merchants = Map.groupBy(payouts, ({ merchantId, amount }) => `${merchantId} ${amount.currency}`);
  const found = await Promise.all([...merchants.values()].map((some) => ofOneMerchant(ports, some)));
  return new Set(found.flat());
}

async function ofOneMerchant(ports: Ports, payouts: readonly Payout[]): Promise<readonly PayoutId[]> {
  const [first] = payouts;
  if (!first) return [];
  const terms = await ports.terms.find(first.merchantId, first.amount.currency);
  if (terms.secondPersonAboveMinor === 0n) return [];
  const orders = [...Map.groupBy(payouts, ({ groupId }) => groupId)];
  const taking = await Promise.all(
    orders.map(async ([groupId, parts]) => {
      const isAbove =
        takesTwoPeople(terms, sumOf(parts)) ||
        takesTwoPeople(terms, sumOf(await ports.payouts.findGroup(groupId)));
      return isAbove ? parts.map(({ id }) => id) : [];
    }),
  );
  return taking.flat();
}

const sumOf = (parts: readonly Payout[]): bigint => sum(parts.map(({ amount }) => amount.minor));
