import { isDecidedChargeback } from '../../../lib/ledger/chargeback.ts';
import { isClosedClaim } from '../../../lib/ledger/claim.ts';
import { isFinalPayment } from '../../../lib/payment/payment.ts';
import { isEndedRefund } from '../../../lib/refund/refund.ts';
import { isFinalPayoutStatus } from '../../../lib/payout/states.ts';
import type { Violation, World } from '../harness/world.ts';
import type { Snapshot } from './records.ts';

/** Final states never change. */
export function changedAfterFinal({ ended }: World, snapshot: Snapshot): readonly Violation[] {
  const now = [
    ...snapshot
      .of('payment')
      .flatMap(({ payment }) => (isFinalPayment(payment) ? [[payment.id, payment.status]] : [])),
    ...snapshot
      .of('refund')
      .flatMap(({ refund }) => (isEndedRefund(refund) ? [[refund.id, refund.status]] : [])),
    ...snapshot
      .of('payout')
      .flatMap(({ payout }) => (isFinalPayoutStatus(payout.status) ? [[payout.id, payout.status]] : [])),
    ...snapshot
      .of('bill')
      .flatMap(({ bill }) =>
        bill.type === 'NORMAL' && bill.paidBy ? [[bill.id, `${bill.status} by ${bill.paidBy}`]] : [],
      ),
    ...snapshot
      .of('chargeback')
      .flatMap(({ chargeback }) =>
        isDecidedChargeback(chargeback) ? [[chargeback.id, chargeback.status]] : [],
      ),
    ...snapshot
      .of('claim')
      .flatMap(({ claim }) => (isClosedClaim(claim) ? [[`claim ${claim.id}`, 'closed']] : [])),
  ] as const;
  const seen = new Map(now.map(([id = '', state = '']) => [id, state]));
  const changed = [...ended].filter(([id, state]) => seen.get(id) !== state);
  for (const [id, state] of seen) ended.set(id, state);
  return changed.map(([id, state]) => ({
    invariant: 'final',
    text: `${id} was ${state} and is ${seen.get(id) ?? 'under way'}`,
  }));
}
