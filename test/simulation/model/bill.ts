import type { NormalBill } from '../../../lib/bill/bill.ts';
import {
  type BillStep,
  type Precondition,
  fenceStep,
  finishStep,
  holdStep,
  releaseStep,
} from '../../../lib/bill/bill-steps.ts';
import { type PaymentId, toPaymentId } from '../../../lib/ids.ts';
import type { Manners, Mutant } from './manners.ts';

/** Whether the bill meets the preconditions, evaluated as the store does. */
export const meets = (bill: NormalBill, preconditions: readonly Precondition[]): boolean =>
  preconditions.every((precondition) => {
    if ('anyOf' in precondition) return precondition.anyOf.some((way) => meets(bill, way));
    const is = bill[precondition.attribute];
    if (precondition.operator === 'absent') return is === undefined;
    if (is === undefined) return precondition.operator === '<>';
    if (precondition.operator === 'in') return precondition.values.some((value) => value === is);
    const { value } = precondition;
    switch (precondition.operator) {
      case '=':
        return is === value;
      case '<>':
        return is !== value;
      case '<':
        return is < value;
      case '<=':
        return is <= value;
      case '>':
        return is > value;
    }
  });

/** Returns the bill after the step; undefined when the store would refuse it. */
export function taken(
  bill: NormalBill,
  { to, set, clears, countsFailure, preconditions }: BillStep,
): NormalBill | undefined {
  if (!meets(bill, preconditions)) return undefined;
  const cleared = Object.fromEntries(clears.map((each) => [each, undefined]));
  return { ...bill, ...set, ...cleared, status: to, failures: bill.failures + (countsFailure ? 1 : 0) };
}

export const paymentName = (at: number): PaymentId => toPaymentId(`BillBillBillBill00Payment${at}`);

const without = (step: BillStep, ...attributes: readonly string[]): BillStep => {
  const keep = (preconditions: readonly Precondition[]): readonly Precondition[] =>
    preconditions.flatMap((precondition): readonly Precondition[] => {
      if ('anyOf' in precondition) return [{ anyOf: precondition.anyOf.map(keep) }];
      return attributes.includes(precondition.attribute) ? [] : [precondition];
    });
  return { ...step, preconditions: keep(step.preconditions) };
};

/** The bill's steps of one payment. */
export type StepsOfPayment = Readonly<
  Record<'hold' | 'fence' | 'finish' | 'finishWithLess' | 'release' | 'releaseGivenUp', BillStep>
> & {
  /** Takes the bill over from another payment of the same payer before its lock expires. */
  readonly switchFrom: (displaces: PaymentId) => BillStep;
};

const lockExpires = new Date(900_000);
const duringTheLock = new Date(60_000);
const afterTheLock = new Date(3600_000);

/** Returns the bill's steps of one payment, without the guard that the mutant removes. */
export function stepsOf(
  at: number,
  { holds, endsOpenOrders }: Manners,
  mutant: Mutant | undefined,
): StepsOfPayment {
  const id = paymentName(at);
  const isLocked = holds || endsOpenOrders || mutant === 'takeover_without_lock';
  const lockUntil = isLocked ? lockExpires : undefined;
  // Late enough that the lock never prevents a takeover, which may then come at any time.
  const hold = holdStep(id, { now: afterTheLock, lockUntil });
  const fence = fenceStep(id);
  const release = releaseStep(id, true);
  const releaseGivenUp = releaseStep(id, mutant === 'cancel_counts');
  const finish = (to: 'SUCCESS' | 'UNDERPAID') => {
    const step = finishStep(id, to);
    return mutant === 'settle_unconditional' ? without(step, 'status', 'paidBy') : step;
  };
  return {
    hold: mutant === 'takeover_fenced' ? without(hold, 'fenced') : hold,
    switchFrom: (displaces) => {
      const step = holdStep(id, { now: duringTheLock, lockUntil, displaces });
      if (mutant === 'switch_without_lock') return without(step, 'lockUntil');
      return mutant === 'switch_fenced' ? without(step, 'fenced') : step;
    },
    fence: mutant === 'no_fence_condition' ? without(fence, 'current') : fence,
    finish: finish('SUCCESS'),
    finishWithLess: finish('UNDERPAID'),
    release: mutant === 'release_unchecked' ? without(release, 'current') : release,
    releaseGivenUp: mutant === 'release_unchecked' ? without(releaseGivenUp, 'current') : releaseGivenUp,
  };
}
