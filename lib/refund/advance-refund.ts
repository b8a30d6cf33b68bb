import type { AlarmName } from '../alarms.ts';
import { Defect } from '../defect.ts';
import type { Chargebacks } from '../ledger/chargeback.ts';
import type { Log } from '../log.ts';
import type { Shops } from '../merchant/ports.ts';
import type { Acquirer, Acquirers, RefundView } from '../payment/acquirer.ts';
import { type Call, nextCall } from '../payment/call.ts';
import type { ContactPorts } from '../payment/contact.ts';
import { PaymentAtOtherAcquirer } from '../payment/other-acquirer.ts';
import { partReceipt } from '../payment/part-receipt.ts';
import type { Payments, PaymentWithBill } from '../payment/ports.ts';
import { knownOrderOf } from '../payment/start-order.ts';
import type { PostbackQueue } from '../postback/ports.ts';
import { ProviderBusy } from '../provider-port.ts';
import { endRefund } from './end-refund.ts';
import { absenceDecides, nextRefundStep } from './next-refund-step.ts';
import type { Refunds } from './ports.ts';
import { type Refund, refundCallKey } from './refund.ts';

type RefundAlarm = Extract<
  AlarmName,
  'refund_waits' | 'refund_stuck' | 'receipt_not_registered' | 'capture_undone'
>;

export type RefundPorts = {
  readonly refunds: Refunds;
  readonly payments: Pick<Payments, 'find' | 'findWithBill'>;
  readonly shops: Pick<Shops, 'find'>;
  readonly acquirers: Pick<Acquirers, 'named'>;
  readonly chargebacks: Pick<Chargebacks, 'ofPayment' | 'create'>;
  readonly postbackQueue: PostbackQueue;
  /** Decrypts payers' contacts, for receipts. Absent in functions that may not: they send no refund. */
  readonly payerContacts?: ContactPorts;
  readonly now: () => Date;
  readonly log: Log;
  readonly alarm: (alarm: RefundAlarm, about: { readonly payment: string; readonly refund?: string }) => void;
};

/** A refund with what its steps take. */
export type OpenRefund = {
  readonly refund: Refund;
  readonly found: PaymentWithBill;
  readonly acquirer: Acquirer;
};

/**
 * Takes the next step of an open refund, and returns the refund afterwards. Any number of callers may do so at once: a call repeats the
 * last one under its key, and only one of them ends the refund. Throws when the acquirer or the store cannot be reached; the next call
 * continues. Throws PaymentAtOtherAcquirer when the payment's acquirer is not deployed.
 */
export async function advanceRefund(ports: RefundPorts, refund: Refund): Promise<Refund> {
  const open = await opened(ports, refund);
  switch (nextRefundStep(refund, ports.now())) {
    case 'wait':
      return refund;
    case 'fail':
      return endRefund(ports, open, { status: 'FAIL', outcome: refund.call?.outcome });
    case 'look':
      return lookAtRefund(ports, open);
    case 'send':
      return sendRefund(ports, open);
  }
}

export async function opened(ports: RefundPorts, refund: Refund): Promise<OpenRefund> {
  const found = await ports.payments.findWithBill(refund.paymentId);
  if (!found) throw new Defect('REFUND_PAYMENT_MISSING', `The payment of refund ${refund.id} does not exist`);
  const acquirer = ports.acquirers.named(refund.acquirer);
  if (!acquirer) throw new PaymentAtOtherAcquirer();
  return { refund, found, acquirer };
}

async function sendRefund(ports: RefundPorts, open: OpenRefund): Promise<Refund> {
  const { refund, found, acquirer } = open;
  const amountMinor = refund.amount.minor;
  const receipt = await partReceipt(ports, { ...found, refund }, amountMinor);
  if (receipt === 'left_to_check') return refund;
  const call = nextCall(refund.call, { now: ports.now(), amountMinor });
  if (!(await ports.refunds.beginCall(refund, call))) return refund;
  const called: Refund = { ...refund, status: 'PROCESS', call };
  const key = refundCallKey(refund.id, call);
  const view = await acquirer
    .refund(knownOrderOf(found.payment), { key, refundId: key, amountMinor, receipt })
    .catch((error: unknown) => notCarriedOut(ports, called, call, error));
  return answered(ports, { ...open, refund: called }, view, { isOwnAnswer: true });
}

/** A call that the acquirer was too busy for is not an unanswered one. */
async function notCarriedOut(
  { refunds }: RefundPorts,
  refund: Refund,
  { attempt }: Call,
  error: unknown,
): Promise<never> {
  if (error instanceof ProviderBusy)
    await refunds.callAnswered(refund, { attempt, answer: undefined, outcome: undefined });
  throw error;
}

/** Reads the refund at the acquirer without creating one. */
export async function lookAtRefund(ports: RefundPorts, open: OpenRefund): Promise<Refund> {
  const { refund } = open;
  const view = await viewOf(open);
  if (view) return answered(ports, open, view, { isOwnAnswer: false });
  if (!absenceDecides(refund, ports.now())) return refund;
  return endRefund(ports, open, { status: 'FAIL', outcome: refund.call?.outcome ?? 'absent' });
}

async function viewOf({ refund, found, acquirer }: OpenRefund): Promise<RefundView | undefined> {
  const { call } = refund;
  return call && acquirer.findRefund(knownOrderOf(found.payment), refundCallKey(refund.id, call));
}

/** `isOwnAnswer`: to the call that was made, not read from the refund itself. */
async function answered(
  ports: RefundPorts,
  open: OpenRefund,
  view: RefundView,
  { isOwnAnswer }: { readonly isOwnAnswer: boolean },
): Promise<Refund> {
  const { refund } = open;
  const { call } = refund;
  if (view.state === 'succeeded') return endRefund(ports, open, { status: 'SUCCESS', receipt: view.receipt });
  if (!call) return refund;
  const { attempt } = call;
  if (view.state === 'pending') {
    if (call.answer !== 'pending')
      await ports.refunds.callAnswered(refund, { attempt, answer: 'pending', outcome: undefined });
    return refund;
  }
  const { outcome } = view;
  if (view.providerEmpty) {
    // Before the write: a crash cannot suppress it.
    ports.alarm('refund_waits', { payment: refund.paymentId, refund: refund.id });
    await ports.refunds.callAnswered(refund, { attempt, answer: 'empty', outcome });
    return { ...refund, call: { ...call, answer: 'empty' } };
  }
  // A refusal may be of this call alone, while an earlier one under the key, whose answer was lost, is carried out.
  if (isOwnAnswer && call.unanswered > 1) return afterRefusal(ports, open, outcome);
  return endRefund(ports, open, { status: 'FAIL', outcome });
}

/** The refund itself tells what became of it. While the acquirer has none, one call fewer is unanswered. */
async function afterRefusal(ports: RefundPorts, open: OpenRefund, outcome: string): Promise<Refund> {
  const view = await viewOf(open);
  if (view) return answered(ports, open, view, { isOwnAnswer: false });
  const { refund } = open;
  const attempt = refund.call?.attempt ?? 0;
  await ports.refunds.callAnswered(refund, { attempt, answer: 'refused', outcome });
  return refund;
}
