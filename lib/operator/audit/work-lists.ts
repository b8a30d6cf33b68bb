import { isFinalAdjustment } from '../../ledger/adjustment.ts';
import { isDecidedChargeback } from '../../ledger/chargeback.ts';
import { isClosedClaim } from '../../ledger/claim.ts';
import { nextCheckOfDone } from '../../payment/after-capture.ts';
import { awaitsAcquirer, type Payment } from '../../payment/payment.ts';
import { isFinalPayoutStatus } from '../../payout/states.ts';
import type { AuditRecord, Difference } from './records.ts';

const isChecked = (payment: Payment): boolean =>
  awaitsAcquirer(payment) || nextCheckOfDone(payment) !== undefined;

/** Checks that everything unfinished is on a work list, where a sweep or the operator finds it. */
export class WorkListCheck {
  readonly #missing: Difference[] = [];

  see(record: AuditRecord): void {
    if (record.kind === 'unreadable') {
      const text = `item ${record.key} cannot be read: ${record.why}`;
      this.#missing.push({ invariant: 'items', about: record.key, text });
    }
    if (record.kind === 'payment' && isChecked(record.payment)) {
      this.#expect(
        record.listed,
        `payment ${record.payment.id}`,
        `${record.payment.status}/${record.payment.phase}`,
      );
    }
    if (record.kind === 'payout' && !isFinalPayoutStatus(record.payout.status)) {
      this.#expect(record.listed, `payout ${record.payout.id}`, record.payout.status);
    }
    if (record.kind === 'adjustment' && !isFinalAdjustment(record.adjustment)) {
      this.#expect(record.listed, `adjustment ${record.adjustment.id}`, record.adjustment.status);
    }
    if (record.kind === 'chargeback' && !isDecidedChargeback(record.chargeback)) {
      this.#expect(record.listed, `chargeback ${record.chargeback.id}`, record.chargeback.status);
    }
    if (record.kind === 'claim' && !isClosedClaim(record.claim)) {
      this.#expect(record.listed, `claim ${record.claim.id}`, 'open');
    }
    if (record.kind === 'event' && !['DELIVERED', 'SUPERSEDED'].includes(record.event.state)) {
      this.#expect(record.listed, `postback ${record.event.id}`, record.event.state);
    }
  }

  differences(): readonly Difference[] {
    return this.#missing;
  }

  #expect(listed: boolean, about: string, state: string): void {
    const text = `${about} is ${state}, but is on no work list`;
    if (!listed) this.#missing.push({ invariant: 'work_lists_complete', about, text });
  }
}
