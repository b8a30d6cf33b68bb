import { Defect } from '../defect.ts';
import { type Chargeback } from '../ledger/chargeback.ts';
import type { Claim } from '../ledger/claim.ts';
import type { Account, Entry, EntryKind, Line } from '../ledger/entry.ts';
import type { Recomputation } from '../ledger/recomputation.ts';
import { exchange } from '../money/exchange.ts';
import { largest, smallest } from '../money/money.ts';
import type { Payment } from './payment.ts';

type Posting = { readonly entry: Entry; readonly claim: Claim | undefined };

/**
 * Returns the entry of a confirmed item (lib/ledger/README.md), and the claim for what the merchant's balance does not cover.
 * The amount is exchanged at the payment's own rate. The fee is kept: the merchant gives back what was charged back.
 */
export function chargebackPosting(
  payment: Pick<Payment, 'settlement'>,
  chargeback: Chargeback,
  availableMinor: bigint,
): Posting {
  const { id, paymentId, merchantId, amount, direction, decision } = chargeback;
  if (chargeback.status !== 'CONFIRMED' || !decision)
    throw new Defect('CHARGEBACK_NOT_CONFIRMED', 'Only a confirmed chargeback may be posted');
  const { settlement } = payment;
  const settled = settledMinor(payment, chargeback);
  const toCorrection: Share[] = [['correction', settled]];
  const taken = smallest(settled, availableMinor);
  const rest = settled - taken;
  const isBorneByMerchant = direction === 'loss' && decision.bearer === 'merchant';
  const shares: readonly Share[] = isBorneByMerchant
    ? [
        ['available', taken],
        ['claims', rest],
      ]
    : toCorrection;
  const sign = direction === 'loss' ? 1n : -1n;
  const line = (account: Account, currency: Line['currency'], minor: bigint): Line => ({
    account,
    currency,
    minor: sign * minor,
  });
  const exchanged =
    amount.currency === settlement.currency
      ? []
      : [line('exchange', amount.currency, -amount.minor), line('exchange', settlement.currency, settled)];
  const lines = [
    line('acquirer', amount.currency, amount.minor),
    ...exchanged,
    ...shares.map(([account, minor]) => line(account, settlement.currency, -minor)),
  ];
  const { proposedBy, approvedBy, reason, at } = decision;
  return {
    entry: {
      about: paymentId,
      kind: direction === 'loss' ? 'CHARGEBACK' : 'SURPLUS',
      merchantId,
      lines: lines.filter(({ minor }) => minor !== 0n),
      at,
      adjustment: { id, reason, proposedBy, approvedBy },
    },
    claim:
      isBorneByMerchant && rest > 0n
        ? {
            id,
            paymentId,
            merchantId,
            amount: { minor: rest, currency: settlement.currency },
            openMinor: rest,
            at,
            moves: [],
          }
        : undefined,
  };
}

const settledMinor = (
  { settlement }: Pick<Payment, 'settlement'>,
  { amount }: Pick<Chargeback, 'amount'>,
): bigint => (amount.currency === settlement.currency ? amount.minor : exchange(amount.minor, settlement));

type Share = readonly [Account, bigint];

type Confirmed = {
  readonly chargeback: Chargeback;
  readonly payment: Pick<Payment, 'settlement'>;
  /** What was not available then, and so was claimed. */
  readonly claimedMinor: bigint;
};

/** Returns entry and claim of a confirmed item, posted again from what was available then; undefined while nothing was confirmed. */
export function chargebackPostingAgain({
  chargeback,
  payment,
  claimedMinor,
}: Confirmed): Posting | undefined {
  if (chargeback.status !== 'CONFIRMED' || !chargeback.decision) return undefined;
  const availableMinor = largest(settledMinor(payment, chargeback) - claimedMinor, 0n);
  return chargebackPosting(payment, chargeback, availableMinor);
}

const entryAgain =
  (kind: EntryKind): Recomputation<Confirmed> =>
  (confirmed) => {
    const entry = chargebackPostingAgain(confirmed)?.entry;
    return entry?.kind === kind ? entry : undefined;
  };

export const chargebackAgain = entryAgain('CHARGEBACK');
export const surplusAgain = entryAgain('SURPLUS');
