import type { MerchantId } from '../ids.ts';
import { type BalanceCurrency, sum } from '../money/money.ts';
import type { Account, Entry, EntryKind, Line } from '../ledger/entry.ts';
import { postedSince, type Recomputation } from '../ledger/recomputation.ts';
import { type Payout, sentMinor } from './payout.ts';

/** The amounts of a posting: `A` is sent to the recipient, `C` is the fee (lib/ledger/README.md). Minor units. */
export type PayoutPosting = {
  /** The group for RESERVE, the payout for all other entries. */
  readonly about: string;
  readonly merchantId: MerchantId;
  readonly currency: BalanceCurrency;
  readonly sentMinor: bigint;
  readonly commissionMinor: bigint;
  readonly at: Date;
};

/** Returns the amounts and subject of a journal entry about one payout. */
export const postingOf = (payout: Payout, at: Date): PayoutPosting => ({
  about: payout.id,
  merchantId: payout.merchantId,
  currency: payout.amount.currency,
  sentMinor: sentMinor(payout),
  commissionMinor: payout.commissionMinor,
  at,
});

type Share = readonly [Account, bigint];
type Amounts = { readonly a: bigint; readonly c: bigint };

/** Create: the money is reserved for the payout. */
export const reserveEntry = (posting: PayoutPosting): Entry =>
  entryOf('RESERVE', posting, ({ a, c }) => [
    ['available', -(a + c)],
    ['locked', a],
    ['held', c],
  ]);

/** Of all payouts of a group. */
export const reserveAgain: Recomputation<readonly Payout[]> = (parts) => {
  const [first] = parts;
  return (
    first &&
    reserveEntry({
      ...postingOf(first, first.createdAt),
      about: first.groupId,
      sentMinor: sum(parts.map(sentMinor)),
      commissionMinor: sum(parts.map(({ commissionMinor }) => commissionMinor)),
    })
  );
};

/** Settle: the rail paid. */
export const settleEntry = (posting: PayoutPosting): Entry =>
  entryOf('SETTLE', posting, ({ a, c }) => [
    ['locked', -a],
    ['held', -c],
    ['clearing', a],
    ['fees', c],
  ]);

export const settleAgain: Recomputation<Payout> = (payout, posted) =>
  payout.status === 'SUCCESS'
    ? settleEntry(postingOf(payout, postedSince(posted, payout.createdAt)))
    : undefined;

/** Decline or fail: nothing was sent, the reserve is released. */
export const releaseEntry = (posting: PayoutPosting): Entry =>
  entryOf('RELEASE', posting, ({ a, c }) => [
    ['available', a + c],
    ['locked', -a],
    ['held', -c],
  ]);

export const releaseAgain: Recomputation<Payout> = (payout, posted) =>
  payout.status === 'FAIL' || payout.status === 'DECLINED'
    ? releaseEntry(postingOf(payout, postedSince(posted, payout.createdAt)))
    : undefined;

/** Return: the amount paid came back; the fee is not refunded. */
export const returnEntry = (posting: PayoutPosting): Entry =>
  entryOf('RETURN', posting, ({ a }) => [
    ['available', a],
    ['clearing', -a],
  ]);

export const returnAgain: Recomputation<Payout> = (payout) => {
  const decision = payout.decisions.find(({ verdict }) => verdict === 'returned');
  return decision && returnEntry(postingOf(payout, decision.at));
};

function entryOf(
  kind: EntryKind,
  { about, merchantId, currency, at, ...amounts }: PayoutPosting,
  shares: (amounts: Amounts) => readonly Share[],
): Entry {
  const lines = shares({ a: amounts.sentMinor, c: amounts.commissionMinor })
    .filter(([, minor]) => minor !== 0n)
    .map(([account, minor]): Line => ({ account, currency, minor }));
  return { about, kind, merchantId, lines, at, adjustment: undefined };
}
