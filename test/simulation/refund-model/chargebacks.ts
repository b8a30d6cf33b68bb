import {
  certainMinor,
  type Chargeback,
  decidedChargeback,
  expectedMinor,
  isDecidedChargeback,
  nextChargeback,
} from '../../../lib/ledger/chargeback.ts';
import { smallest } from '../../../lib/money/money.ts';
import { isRefundOpen, totalsOf } from '../../../lib/payment/refund-totals.ts';
import { merchantId, today } from '../../support/builders.ts';
import { heldMinor } from './acquirer.ts';
import {
  type Books,
  type ComparisonLane,
  type DecisionLane,
  isSameTotals,
  type LetterLane,
  type Mutant,
  payment,
  receivedMinor,
} from './state.ts';

/*
 * What becomes known of chargebacks beside refunds: a person's letter (the product's enterChargeback), a notification (alarmIfUndone), and the
 * decision of two people. The amounts and the numbers of items are the product's.
 */

type ChargebackMove<Lane> = { readonly name: string; readonly shared: Books; readonly lane: Lane };

const itemOf = (
  known: readonly Chargeback[],
  { direction, minor, seen }: Pick<Chargeback, 'direction' | 'seen'> & { readonly minor: bigint },
): Chargeback =>
  nextChargeback(known, {
    paymentId: payment.id,
    merchantId,
    direction,
    amount: { minor, currency: payment.amount.currency },
    seen,
    entered: seen ? undefined : { id: 'letter', by: 'olga', reason: 'a letter' },
    at: today,
  });

/** The write of both: the item's number is free, and the payment's refunds are as read. */
const isWritable = (
  books: Books,
  { number }: Chargeback,
  totals: Books['totals'],
  mutant: Mutant | undefined,
): boolean =>
  books.chargebacks.length + 1 === number &&
  (mutant === 'enter_beside_refund' || isSameTotals(books.totals, totals));

export function enters(
  shared: Books,
  lane: LetterLane,
  mutant: Mutant | undefined,
): readonly ChargebackMove<LetterLane>[] {
  const { step, direction, minor } = lane;
  const go = (name: string, next: LetterLane['step'], after = shared) => [
    { name, shared: after, lane: { ...lane, step: next } },
  ];
  switch (step.kind) {
    case 'done':
      return [];
    case 'none':
      return go('letter', { kind: 'reading', totals: shared.totals });
    case 'reading': {
      const { totals } = step;
      const known = shared.chargebacks;
      if (!known.every(isDecidedChargeback)) return go('letter refused: an item is open', { kind: 'none' });
      if (direction === 'loss' && minor > enterableMinor(totals, known))
        return go('letter refused: too much', { kind: 'none' });
      const item = itemOf(known, { direction, minor, seen: undefined });
      return go('letter read', { kind: 'creating', totals, item });
    }
    case 'creating':
      return isWritable(shared, step.item, step.totals, mutant)
        ? go(
            'letter entered',
            { kind: 'done' },
            { ...shared, chargebacks: [...shared.chargebacks, step.item] },
          )
        : go('letter not written', { kind: 'none' });
  }
}

const enterableMinor = (refunds: Books['totals'], known: readonly Chargeback[]): bigint =>
  certainMinor(receivedMinor, known) - totalsOf({ refunds }).reservedMinor;

/** A notification comes, and others take captured money back or return it. */
export function compares(
  shared: Books,
  lane: ComparisonLane,
  takesBack: boolean,
  mutant: Mutant | undefined,
): readonly ChargebackMove<ComparisonLane>[] {
  const { step } = lane;
  const go = (name: string, next: ComparisonLane['step'], after = shared) => [
    { name, shared: after, lane: { ...lane, step: next } },
  ];
  const none = { kind: 'none' } as const;
  switch (step.kind) {
    case 'none':
      return [
        ...(mutant === 'compare_view_first'
          ? go('compare', { kind: 'early', heldMinor: heldMinor(shared) })
          : go('compare', { kind: 'reading', totals: shared.totals })),
        ...(takesBack && !shared.wasTakenBack && heldMinor(shared) > shared.pendingThere
          ? go('others take back', none, { ...shared, takenBack: 1n, wasTakenBack: true })
          : []),
        ...(shared.takenBack > 0n ? go('others return it', none, { ...shared, takenBack: 0n }) : []),
      ];
    case 'early':
      return go('compare read', {
        kind: 'comparing',
        totals: shared.totals,
        known: shared.chargebacks,
        heldMinor: step.heldMinor,
      });
    case 'reading':
      return mutant !== 'compare_open_refund' && isRefundOpen({ refunds: step.totals })
        ? go('compare: a refund is open', none)
        : go('compare read', { kind: 'looking', totals: step.totals, known: shared.chargebacks });
    case 'looking':
      return go('compare looked', { ...step, kind: 'comparing', heldMinor: heldMinor(shared) });
    case 'comparing': {
      const { totals, known } = step;
      if (mutant !== 'compare_open_refund' && isRefundOpen({ refunds: totals }))
        return go('compare: a refund is open', none);
      const { refundedMinor } = totalsOf({ refunds: totals });
      const loss = expectedMinor(receivedMinor, known) - refundedMinor - step.heldMinor;
      if (loss === 0n) return go('compare: equal', none);
      const item = itemOf(known, {
        direction: loss > 0n ? 'loss' : 'surplus',
        minor: loss > 0n ? loss : -loss,
        seen: { state: 'captured', heldMinor: step.heldMinor, refundedMinor },
      });
      return isWritable(shared, item, totals, mutant)
        ? go(`compare: ${item.direction}`, none, { ...shared, chargebacks: [...shared.chargebacks, item] })
        : go('compare: not written', none);
    }
  }
}

/** Two people confirm or dismiss an open item. Of a loss the merchant bears what is available; the rest is a claim. */
export function decides(shared: Books, lane: DecisionLane): readonly ChargebackMove<DecisionLane>[] {
  return shared.chargebacks.flatMap((item, place) => {
    if (isDecidedChargeback(item)) return [];
    return (['CONFIRMED', 'DISMISSED'] as const).map((status) => {
      const bearer = status === 'CONFIRMED' && item.direction === 'loss' ? lane.bearer : undefined;
      const after = decidedChargeback(item, status, {
        id: 'decision',
        proposedBy: 'olga',
        approvedBy: 'pavel',
        reason: 'a letter',
        at: today,
        bearer,
        posted: undefined,
      });
      const debit = bearer === 'merchant' ? smallest(item.amount.minor, shared.available) : 0n;
      return {
        name: `${status} ${item.direction} ${item.number}`,
        shared: {
          ...shared,
          chargebacks: shared.chargebacks.with(place, after),
          available: shared.available - debit,
          borne: shared.borne + debit,
        },
        lane,
      };
    });
  });
}
