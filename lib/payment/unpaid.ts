import { type Bill, whyNotPayable } from '../bill/bill.ts';
import type { BillId } from '../ids.ts';
import type { PaymentMethod } from './acquirer.ts';
import { holdsBill } from './next-step.ts';
import { maySwitch } from './open-bill.ts';
import type { PageSecrets } from './page-secrets.ts';
import { chargeMinor } from './payment.ts';
import type { PaymentWithBill } from './ports.ts';
import type { ResolvePorts } from './resolve-step.ts';
import { storedPage } from './start-order.ts';

/** A payment that nobody has paid as far as is known, and whose page at the acquirer can still be paid. */
export type Unpaid = {
  readonly billId: BillId;
  readonly method: PaymentMethod;
  /** The acquirer's page: the same order, so that paying there twice is not possible. */
  readonly pageUrl: string;
  /** Until when that page can be paid. */
  readonly until: Date;
  /** From when the bill can be paid by another payment; undefined on a MULTI bill, where it always can, and when it no longer can. */
  readonly againFrom: Date | undefined;
  /** Whether the payer's browser may choose another way to pay now, which displaces this payment. */
  readonly hasOtherWay: boolean;
};

type UnpaidPorts = Pick<ResolvePorts, 'acquirers' | 'now'> & {
  readonly pageSecrets: () => Promise<PageSecrets>;
};

/** Returns how a payment that is under way can still be paid; undefined when its page is over or unknown. */
export async function unpaidOf(
  { acquirers, now, pageSecrets }: UnpaidPorts,
  { payment, bill }: PaymentWithBill,
): Promise<Unpaid | undefined> {
  const { phase, billId, method, payableUntil: until, amount } = payment;
  if (phase !== 'AUTHORIZING' || !holdsBill({ payment, bill }) || now() >= until) return undefined;
  const pageUrl = storedPage(payment, await pageSecrets());
  if (pageUrl === undefined) return undefined;
  const methods = acquirers.methodsFor({ minor: chargeMinor(payment), currency: amount.currency });
  const others = methods.filter((each) => each !== method);
  return {
    billId,
    method,
    pageUrl,
    until,
    againFrom: againFrom(bill, until),
    hasOtherWay: others.length > 0 && maySwitch(bill) && !whyNotPayable(bill, now()),
  };
}

/** The end of the lock, or of the page where the bill has none; undefined when the bill cannot be paid any more by then. */
function againFrom(bill: Bill, pageEnds: Date): Date | undefined {
  if (bill.type === 'MULTI') return undefined;
  const from = bill.lockUntil ?? pageEnds;
  return whyNotPayable(bill, from) ? undefined : from;
}
