import { type Bill, isHeld, type NotPayable, whyNotPayable } from '../bill/bill.ts';
import type { Bills } from '../bill/ports.ts';
import { isFinal, type Payment } from './payment.ts';
import type { PaymentWithBill } from './ports.ts';
import { resolvePayment } from './resolve-payment.ts';
import type { ResolvePorts } from './resolve-step.ts';

export type StandingPorts = ResolvePorts & { readonly bills: Pick<Bills, 'find'> };

/** Where a bill stands for somebody who wants to pay it. */
export type Standing =
  | { readonly kind: 'free'; readonly bill: Bill }
  /** Somebody is on the acquirer's card page. */
  | { readonly kind: 'held'; readonly bill: Bill; readonly payment: Payment }
  /** The capture was asked for, or the acquirer can not be reached: the outcome is to be waited for. */
  | { readonly kind: 'being_checked'; readonly bill: Bill; readonly paymentId: string }
  | { readonly kind: NotPayable; readonly bill: Bill }
  | { readonly kind: 'not_found' };

/** Asks the acquirer about a payment that is under way first, for its payer may not have come back. */
export async function standingOf(ports: StandingPorts, billId: string): Promise<Standing> {
  const bill = await ports.bills.find(billId);
  if (!bill) return { kind: 'not_found' };
  if (bill.type === 'MULTI' || bill.status !== 'PROCESS' || bill.current === undefined)
    return ended(bill, ports);
  const found = await resolvePayment(ports, bill.current).catch(() =>
    ports.payments.findWithBill(bill.current ?? ''),
  );
  if (!found) return ended(bill, ports);
  // Taken over while the acquirer was asked: the bill stands where its new payment does.
  return found.bill.current === bill.current ? underWay(found, ports) : standingOf(ports, billId);
}

function ended(bill: Bill, { now }: StandingPorts): Standing {
  const why = whyNotPayable(bill, now());
  return why ? { kind: why, bill } : { kind: 'free', bill };
}

function underWay({ payment, bill }: PaymentWithBill, ports: StandingPorts): Standing {
  if (isFinal(payment) || !isHeld(bill, ports.now())) return ended(bill, ports);
  if (bill.fenced || payment.phase !== 'AUTHORIZING')
    return { kind: 'being_checked', bill, paymentId: payment.id };
  return { kind: 'held', bill, payment };
}
