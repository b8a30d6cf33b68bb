import type { MerchantId } from '../ids.ts';
import type { BalanceCurrency } from '../money/money.ts';
import type { Account, Entry, EntryKind, Line } from '../ledger/entry.ts';

/** What a posting is about: `A` is sent to the recipient, `C` is the fee (lib/ledger/README.md). In minor units. */
export type PayoutPosting = {
  /** The group for RESERVE, the payout for all else. */
  readonly about: string;
  readonly merchantId: MerchantId;
  readonly currency: BalanceCurrency;
  readonly sentMinor: bigint;
  readonly commissionMinor: bigint;
  readonly at: Date;
};

type Share = readonly [Account, bigint];
type Amounts = { readonly a: bigint; readonly c: bigint };

/** U1: the money is promised to the payout. */
export const reserveEntry = (posting: PayoutPosting): Entry =>
  entryOf('RESERVE', posting, ({ a, c }) => [
    ['available', -(a + c)],
    ['locked', a],
    ['held', c],
  ]);

/** U5: the rail paid it. */
export const settleEntry = (posting: PayoutPosting): Entry =>
  entryOf('SETTLE', posting, ({ a, c }) => [
    ['locked', -a],
    ['held', -c],
    ['clearing', a],
    ['fees', c],
  ]);

/** U3, U6: nothing was sent, the promise is taken back. */
export const releaseEntry = (posting: PayoutPosting): Entry =>
  entryOf('RELEASE', posting, ({ a, c }) => [
    ['available', a + c],
    ['locked', -a],
    ['held', -c],
  ]);

/** U9: what was paid came back; the fee was earned. */
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
