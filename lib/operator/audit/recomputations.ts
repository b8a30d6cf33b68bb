import { newPayoutId, type PayoutId, readGroupId } from '../../ids.ts';
import { adjustmentAgain } from '../../ledger/adjustment.ts';
import type { Chargeback } from '../../ledger/chargeback.ts';
import { collectionAgain, writeOffAgain } from '../../ledger/claim.ts';
import { entryId, type EntryKind, entryKinds } from '../../ledger/entry.ts';
import type { Recomputation } from '../../ledger/recomputation.ts';
import { chargebackAgain, surplusAgain } from '../../payment/chargeback-postings.ts';
import type { Payment } from '../../payment/payment.ts';
import {
  captureAgain,
  duplicateCaptureAgain,
  providerFeeAgain,
  refundAgain,
  reserveReleaseAgain,
} from '../../payment/payment-postings.ts';
import type { Payout } from '../../payout/payout.ts';
import type { Refund } from '../../refund/refund.ts';
import { refundReleaseAgain, refundReserveAgain, refundSettleAgain } from '../../refund/refund-postings.ts';
import { releaseAgain, reserveAgain, returnAgain, settleAgain } from '../../payout/payout-postings.ts';
import { type Accounted, entryRulesOf } from './entry-rules-of.ts';
import type { Invariant } from './records.ts';
import type { AnyRule } from './rule.ts';

type RulesOf = (kind: EntryKind) => readonly AnyRule[];

const nothing = () => [];

/** The entry that is recomputed from its subject alone, when the subject's state has one. */
function fromSubject<S>(recompute: Recomputation<S>, subject: S): readonly Accounted[] {
  const entry = recompute(subject, undefined);
  return entry ? [{ id: entryId(entry), recompute: (_found, posted) => recompute(subject, posted) }] : [];
}

const ofPayment = (invariant: Invariant, recompute: Recomputation<Payment>): RulesOf =>
  entryRulesOf({
    invariant,
    of: 'payment',
    ownerOf: ({ about }) => about,
    beside: nothing,
    accounts: ({ payment }) => fromSubject(recompute, payment),
  });

const ofRefund = (recompute: Recomputation<Refund>): RulesOf =>
  entryRulesOf({
    invariant: 'refunds_match_entries',
    of: 'refund',
    ownerOf: ({ about }) => about,
    beside: nothing,
    accounts: ({ refund }) => fromSubject(recompute, refund),
  });

const ofPayout = (recompute: Recomputation<Payout>): RulesOf =>
  entryRulesOf({
    invariant: 'reserves_match_payouts',
    of: 'payout',
    ownerOf: ({ about }) => about,
    beside: nothing,
    accounts: ({ payout }) => fromSubject(recompute, payout),
  });

const firstOfGroup = (about: string): PayoutId | undefined => {
  const groupId = readGroupId(about);
  return groupId && newPayoutId(groupId, 1);
};

/** All payouts of a group account for its entry together. */
const ofGroup = (recompute: Recomputation<readonly Payout[]>): RulesOf =>
  entryRulesOf({
    invariant: 'reserves_match_payouts',
    of: 'payout',
    ownerOf: ({ about }) => firstOfGroup(about),
    beside: (firstId) => [{ kind: 'payouts_of', id: firstId.slice(0, -2) }],
    accounts: ({ payout: { groupId } }) => [
      {
        id: entryId({ about: groupId, kind: 'RESERVE', adjustment: undefined }),
        recompute: (found, posted) =>
          recompute(
            found.all('payouts_of', groupId).map(({ payout }) => payout),
            posted,
          ),
      },
    ],
  });

const hasEntry = (kind: EntryKind, { status, direction }: Chargeback): boolean =>
  status === 'CONFIRMED' && kind === (direction === 'loss' ? 'CHARGEBACK' : 'SURPLUS');

const ofChargeback = (recompute: typeof chargebackAgain): RulesOf =>
  entryRulesOf({
    invariant: 'chargebacks_match_entries',
    of: 'chargeback',
    ownerOf: ({ adjustment }) => adjustment?.id,
    beside: (id) => [
      { kind: 'payment', id: id.split('.')[0] ?? '' },
      { kind: 'claim', id },
    ],
    accounts: ({ chargeback }, kind) =>
      hasEntry(kind, chargeback)
        ? [
            {
              id: `${chargeback.paymentId} ${kind}#${chargeback.id}`,
              recompute: (found, posted) => {
                const payment = found.one('payment', chargeback.paymentId)?.payment;
                const claimedMinor = found.one('claim', chargeback.id)?.claim.amount.minor ?? 0n;
                return payment && recompute({ chargeback, payment, claimedMinor }, posted);
              },
            },
          ]
        : [],
  });

const ofClaim = (recompute: typeof collectionAgain): RulesOf =>
  entryRulesOf({
    invariant: 'claims_match_entries',
    of: 'claim',
    // The authorization's id is that of the claim, and the number of the move.
    ownerOf: ({ adjustment }) => adjustment?.id.slice(0, adjustment.id.lastIndexOf('.')),
    beside: nothing,
    accounts: ({ claim }) => claim.moves.flatMap((_, number) => fromSubject(recompute, { claim, number })),
  });

const ofAdjustment = entryRulesOf({
  invariant: 'adjustments_match_entries',
  of: 'adjustment',
  ownerOf: ({ adjustment }) => adjustment?.id,
  beside: nothing,
  accounts: ({ adjustment }) => fromSubject(adjustmentAgain, adjustment),
});

/** How each kind of entry is recomputed. A new kind without its recomputation does not compile. */
const recomputations = {
  CAPTURE: ofPayment('captures_match_payments', captureAgain),
  DUPLICATE_CAPTURE: ofPayment('captures_match_payments', duplicateCaptureAgain),
  REFUND: ofPayment('captures_match_payments', refundAgain),
  REFUND_RESERVE: ofRefund(refundReserveAgain),
  REFUND_SETTLE: ofRefund(refundSettleAgain),
  REFUND_RELEASE: ofRefund(refundReleaseAgain),
  RESERVE_RELEASE: ofPayment('reserve_matches_payments', reserveReleaseAgain),
  PROVIDER_FEE: ofPayment('provider_fees_match_payments', providerFeeAgain),
  RESERVE: ofGroup(reserveAgain),
  SETTLE: ofPayout(settleAgain),
  RELEASE: ofPayout(releaseAgain),
  RETURN: ofPayout(returnAgain),
  ADJUST: ofAdjustment,
  CHARGEBACK: ofChargeback(chargebackAgain),
  SURPLUS: ofChargeback(surplusAgain),
  COLLECT: ofClaim(collectionAgain),
  WRITE_OFF: ofClaim(writeOffAgain),
} satisfies Readonly<Record<EntryKind, RulesOf>>;

/** Each entry is the one that its subject accounts for, and each subject has its entries: both are compared whole. */
export const recomputedEntryRules: readonly AnyRule[] = entryKinds.flatMap((kind) =>
  recomputations[kind](kind),
);
