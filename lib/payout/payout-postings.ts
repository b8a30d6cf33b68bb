import type { MerchantId } from '../ids.ts';
import type { BalanceCurrency } from '../money/money.ts';
import type { Account, Entry, EntryKind, Line } from '../ledger/entry.ts';

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

type Share = readonly [Account, bigint];
type Amounts = { readonly a: bigint; readonly c: bigint };

/** Create: the money is reserved for the payout. */
export const reserveEntry = (posting: PayoutPosting): Entry =>
  entryOf('RESERVE', posting, ({ a, c }) => [
    ['available', -(a + c)],
    ['locked', a],
    ['held', c],
  ]);

/** Settle: the rail paid. */
export const settleEntry = (posting: PayoutPosting): Entry =>
  entryOf('SETTLE', posting, ({ a, c }) => [
    ['locked', -a],
    ['held', -c],
    ['clearing', a],
    ['fees', c],
  ]);

/** Decline or fail: nothing was sent, the reserve is released. */
export const releaseEntry = (posting: PayoutPosting): Entry =>
  entryOf('RELEASE', posting, ({ a, c }) => [
    ['available', a + c],
    ['locked', -a],
    ['held', -c],
  ]);

/** Return: the amount paid came back; the fee is not refunded. */
export const returnEntry = (posting: PayoutPosting): Entry =>
  entryOf('RETURN', posting, ({ a }) => [
    ['available', a],
    ['clearing', -a],
  ]);

function entryOf(
  kind: EntryKind,
  { about, merchantId, currency, sentMinor, commissionMinor, at }: PayoutPosting,
  shares: (amounts: Amounts) => readonly Share[],
): Entry {
  const lines = shares({ a: sentMinor, c: commissionMinor })
    .filter(([, minor]) => minor !== 0n)
    .map(([account, minor]): Line => ({ account, currency, minor }));
  return { about, kind, merchantId, lines, at, adjustment: undefined };
}
