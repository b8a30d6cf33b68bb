import {
  type Bill,
  isHeld,
  type NormalBill,
  type NotPayable,
  paymentUnderWay,
  whyNotPayable,
} from '../bill/bill.ts';
import type { Bills } from '../bill/ports.ts';
import type { BillId } from '../ids.ts';
import { isFinalPayment, type Payment } from './payment.ts';
import { resolvePayment } from './resolve-payment.ts';
import type { ResolvePorts } from './resolve-step.ts';

export type AvailabilityPorts = ResolvePorts & { readonly bills: Pick<Bills, 'find'> };

/** Whether a bill can be paid now, and if not, why. */
export type BillAvailability =
  | { readonly kind: 'available'; readonly bill: Bill }
  /** A payer is on the acquirer's card page. */
  | { readonly kind: 'in_progress'; readonly bill: NormalBill; readonly payment: Payment }
  /** The outcome is awaited: the capture was requested, or the payment's acquirer is not deployed. */
  | { readonly kind: 'pending'; readonly bill: NormalBill; readonly payment: Payment }
  | { readonly kind: NotPayable; readonly bill: Bill }
  | { readonly kind: 'not_found' };

/** Reads the bill. A payment in progress is first checked with the acquirer: its payer may not have come back. */
export async function availabilityOf(ports: AvailabilityPorts, billId: BillId): Promise<BillAvailability> {
  const bill = await ports.bills.find(billId);
  if (!bill) return { kind: 'not_found' };
  const current = paymentUnderWay(bill);
  if (current === undefined) return unlessNotPayable(bill, ports);
  const found = await resolvePayment(ports, current, { throttled: true }).catch(() =>
    ports.payments.findWithBill(current),
  );
  if (found?.bill.type !== 'NORMAL') return unlessNotPayable(bill, ports);
  // Another payment took the bill over in the meantime: that one decides.
  return found.bill.current === current
    ? availabilityBeside(found.payment, found.bill, ports)
    : availabilityOf(ports, billId);
}

function unlessNotPayable(bill: Bill, { now }: AvailabilityPorts): BillAvailability {
  const why = whyNotPayable(bill, now());
  return { kind: why ?? 'available', bill };
}

/** Returns whether others may pay, given the bill's current payment. */
function availabilityBeside(payment: Payment, bill: NormalBill, ports: AvailabilityPorts): BillAvailability {
  if (isFinalPayment(payment) || !isHeld(bill, ports.now())) return unlessNotPayable(bill, ports);
  const isPending =
    bill.fenced || payment.phase !== 'AUTHORIZING' || !ports.acquirers.named(payment.acquirer);
  return { kind: isPending ? 'pending' : 'in_progress', bill, payment };
}
