import type { Account, Entry, EntryKind, Line } from '../ledger/entry.ts';
import type { Recomputation } from '../ledger/recomputation.ts';
import { grossMinor, type Refund } from './refund.ts';

type Posted = Pick<Refund, 'id' | 'merchantId' | 'amount' | 'debit' | 'feeReturnedMinor'>;

/** Returns the REFUND_RESERVE entry: the debit is locked until the refund has ended. A refund that debits nothing has none. */
export const refundReserveEntry = (refund: Posted, at: Date): Entry | undefined =>
  between('REFUND_RESERVE', refund, { from: 'available', to: 'locked', at });

/** Returns the REFUND_RELEASE entry: the refund failed, and its debit is available again. */
export const refundReleaseEntry = (refund: Posted, at: Date): Entry | undefined =>
  between('REFUND_RELEASE', refund, { from: 'locked', to: 'available', at });

/** Returns the REFUND_SETTLE entry: the acquirer owes less by what it returned, and the merchant and the fees bear it. */
export function refundSettleEntry(refund: Posted, at: Date): Entry {
  const { amount, debit, feeReturnedMinor } = refund;
  const exchanged: readonly Line[] =
    amount.currency === debit.currency
      ? []
      : [
          line('exchange', amount.currency, -amount.minor),
          line('exchange', debit.currency, grossMinor(refund)),
        ];
  return entryOf('REFUND_SETTLE', refund, at, [
    line('acquirer', amount.currency, amount.minor),
    ...exchanged,
    line('locked', debit.currency, -debit.minor),
    line('fees', debit.currency, -feeReturnedMinor),
  ]);
}

/** Every refund was reserved when it was created. */
export const refundReserveAgain: Recomputation<Refund> = (refund) =>
  refundReserveEntry(refund, refund.createdAt);

export const refundSettleAgain: Recomputation<Refund> = (refund) =>
  refund.status === 'SUCCESS' && refund.endedAt ? refundSettleEntry(refund, refund.endedAt) : undefined;

export const refundReleaseAgain: Recomputation<Refund> = (refund) =>
  refund.status === 'FAIL' && refund.endedAt ? refundReleaseEntry(refund, refund.endedAt) : undefined;

type Transfer = { readonly from: Account; readonly to: Account; readonly at: Date };

const between = (kind: EntryKind, refund: Posted, { from, to, at }: Transfer): Entry | undefined =>
  refund.debit.minor === 0n
    ? undefined
    : entryOf(kind, refund, at, [
        line(from, refund.debit.currency, -refund.debit.minor),
        line(to, refund.debit.currency, refund.debit.minor),
      ]);

const entryOf = (kind: EntryKind, { id, merchantId }: Posted, at: Date, lines: readonly Line[]): Entry => ({
  about: id,
  kind,
  merchantId,
  lines: lines.filter(({ minor }) => minor !== 0n),
  at,
  adjustment: undefined,
});

const line = (account: Account, currency: Line['currency'], minor: bigint): Line => ({
  account,
  currency,
  minor,
});
