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
import { isAtOtherAcquirer } from './other-acquirer.ts';
import { isFinalPayment, type Payment } from './payment.ts';
import { resolvePayment } from './resolve-payment.ts';
import type { ResolvePorts } from './resolve-step.ts';

export type AvailabilityPorts = ResolvePorts & { readonly bills: Pick<Bills, 'find'> };

/** Where a bill stands for somebody who wants to pay it. */
export type BillAvailability =
  | { readonly kind: 'available'; readonly bill: Bill }
  /** Somebody is on the acquirer's card page. */
  | { readonly kind: 'in_progress'; readonly bill: NormalBill; readonly payment: Payment }
  /** The capture was asked for, or the card page is at an acquirer that is not ours any more: to be waited for. */
  | { readonly kind: 'pending'; readonly bill: NormalBill; readonly payment: Payment }
  | { readonly kind: NotPayable | 'not_found' };

/** Asks the acquirer about a payment that is under way first, for its payer may not have come back. */
export async function availabilityOf(ports: AvailabilityPorts, billId: BillId): Promise<BillAvailability> {
  const bill = await ports.bills.find(billId);
  if (!bill) return { kind: 'not_found' };
  const current = paymentUnderWay(bill);
  if (current === undefined) return unlessNotPayable(bill, ports);
  const found = await resolvePayment(ports, current, { sparingly: true }).catch(() =>
    ports.payments.findWithBill(current),
  );
  if (found?.bill.type !== 'NORMAL') return unlessNotPayable(bill, ports);
  // Taken over while the acquirer was asked: the bill stands where its new payment does.
  return found.bill.current === current
    ? availabilityBeside(found.payment, found.bill, ports)
    : availabilityOf(ports, billId);
}

function unlessNotPayable(bill: Bill, { now }: AvailabilityPorts): BillAvailability {
  const why = whyNotPayable(bill, now());
  return why ? { kind: why } : { kind: 'available', bill };
}

/** What the payment that was the bill's current one leaves to others. */
function availabilityBeside(payment: Payment, bill: NormalBill, ports: AvailabilityPorts): BillAvailability {
  if (isFinalPayment(payment) || !isHeld(bill, ports.now())) return unlessNotPayable(bill, ports);
  const isWaitedFor =
    bill.fenced || payment.phase !== 'AUTHORIZING' || isAtOtherAcquirer(payment, ports.acquirer);
  return { kind: isWaitedFor ? 'pending' : 'in_progress', bill, payment };
}
