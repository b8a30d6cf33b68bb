import type { Entry } from '../ledger/entry.ts';
import type { Acquirers } from './acquirer.ts';
import { afterCapture, stillDue } from './after-capture.ts';
import { receiptIn, receiptTask } from './follow-receipts.ts';
import type { OrderView } from './next-step.ts';
import type { Payment } from './payment.ts';
import { providerFeeEntry } from './payment-postings.ts';

/**
 * Returns the acquirer's fee, in minor units of the charge's currency. Undefined: it was not told, or told as more than was captured or
 * less than nothing. Such a fee is never posted, because an entry is for ever: the reconciliation tells people.
 */
export function feeIn(view: OrderView): bigint | undefined {
  const fee = view.state === 'captured' ? view.feeMinor : undefined;
  return fee !== undefined && fee >= 0n && fee <= capturedIn(view) ? fee : undefined;
}

const capturedIn = (view: OrderView): bigint => (view.state === 'captured' ? view.amountMinor : 0n);

/** The entry of a fee that `after` has and `before` had not; none when the acquirer took nothing. */
export const feeEntries = (before: Payment, after: Payment, at: Date): readonly Entry[] =>
  before.providerFeeMinor === undefined && after.providerFeeMinor
    ? [providerFeeEntry(after, after.providerFeeMinor, at)]
    : [];

type Captured = Pick<Payment, 'providerFeeMinor' | 'receipt' | 'afterCapture' | 'lateQuery'>;
type Ports = { readonly acquirers: Pick<Acquirers, 'named'>; readonly now: () => Date };

/**
 * What a captured view makes of the payment besides its money: the fee that the acquirer tells, once, the registration of the receipt,
 * and the tasks that remain. Also of a view that was refunded before the capture was seen: the acquirer keeps its fee.
 */
export function withCapture(ports: Ports, payment: Payment, view: OrderView): Captured {
  const providerFeeMinor = payment.providerFeeMinor ?? feeIn(view);
  const fee = providerFeeMinor === undefined && mayTellFee(ports, payment) ? 'due' : undefined;
  const receipt = payment.receipt ?? receiptIn(payment, view);
  const tasks = { fee, receipt: receiptTask(receipt) } as const;
  const { afterCapture: known } = payment;
  return {
    providerFeeMinor,
    receipt,
    afterCapture: known
      ? stillDue({ ...known, ...tasks })
      : afterCapture({ ...tasks, refundReceipt: undefined }, ports.now()),
    // What the late query was for has come.
    lateQuery: undefined,
  };
}

/** Of an acquirer or a method that is not deployed nothing is known, so it is queried when it is back. */
const mayTellFee = ({ acquirers }: Pick<Ports, 'acquirers'>, { acquirer, method }: Payment): boolean =>
  acquirers.named(acquirer)?.methods[method]?.reportsFee ?? true;
