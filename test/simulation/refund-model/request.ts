import type { RefundFee } from '../../../lib/merchant/terms.ts';
import { totalsOf } from '../../../lib/payment/refund-totals.ts';
import { costOf, refundableMinor, withRefund } from '../../../lib/refund/refund-amounts.ts';
import { expectedMinor, type Chargeback } from '../../../lib/ledger/chargeback.ts';
import {
  type Books,
  isSameTotals,
  type Mutant,
  payment,
  receivedMinor,
  type RefundLane,
  type Request,
} from './state.ts';

/*
 * A request that creates a refund: the product's createRefund, split wherever others may interleave. What may be refunded and what it
 * costs are the product's.
 */

type RequestMove = { readonly name: string; readonly shared: Books; readonly lane: RefundLane };
type Rules = { readonly refundFee: RefundFee; readonly mutant: Mutant | undefined };

export function requests(books: Books, lane: RefundLane, rules: Rules): readonly RequestMove[] {
  if (lane.stored) return [];
  const { request } = lane;
  const go = (name: string, next: Request): RequestMove => ({
    name,
    shared: books,
    lane: { ...lane, request: next },
  });
  const none = { kind: 'none' } as const;
  switch (request.kind) {
    case 'none':
      return [go('request', { kind: 'reading', known: books.chargebacks })];
    case 'reading': {
      const next = decided(books, lane.asks, request.known, rules);
      return [go(next.kind === 'none' ? 'request refused' : 'request read', next)];
    }
    case 'creating': {
      const { totals, known, cost } = request;
      const isAsRead =
        (rules.mutant === 'reserve_unconditional' || isSameTotals(books.totals, totals)) &&
        (rules.mutant === 'reserve_beside_chargeback' || books.chargebacks.length === known);
      const isCovered = rules.mutant === 'reserve_beyond_balance' || books.available >= cost.debit.minor;
      if (!isAsRead || !isCovered) return [go('creation refused', none)];
      return [
        {
          name: 'create',
          shared: {
            ...books,
            totals: withRefund(totalsOf({ refunds: totals }), cost),
            available: books.available - cost.debit.minor,
            locked: books.locked + cost.debit.minor,
          },
          lane: { ...lane, request: none, cost, stored: { status: 'NEW', call: undefined } },
        },
        go('crash', none),
      ];
    }
  }
}

function decided(
  { totals }: Books,
  asks: bigint | 'full',
  known: readonly Chargeback[],
  { refundFee, mutant }: Rules,
): Request {
  const paid = { ...payment, refunds: totals };
  const most =
    mutant === 'unconfirmed_surplus_counts'
      ? expectedMinor(receivedMinor, known) - totalsOf(paid).reservedMinor
      : refundableMinor(paid, known);
  const minor = asks === 'full' ? most : asks;
  if (minor <= 0n || minor > most) return { kind: 'none' };
  const cost = { amount: { minor, currency: payment.amount.currency }, ...costOf(paid, minor, refundFee) };
  return { kind: 'creating', known: known.length, totals, cost };
}
