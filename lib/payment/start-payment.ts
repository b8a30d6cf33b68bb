import { type Bill, lockMinutes } from '../bill/bill.ts';
import { cardPageOf } from './card-page.ts';
import { hasTooManyTries, payerNetwork, type Tries, type TryLimits } from './failed-tries.ts';
import { payerHash, type PaymentForm, readFormToken } from './form-token.ts';
import { descriptionOf, notFree, type OpenBill, type OpenBillPorts } from './open-bill.ts';
import { holdsBill } from './next-step.ts';
import { type Payment, paymentIdFrom } from './payment.ts';
import { type Price, priceOf } from './price.ts';
import { resolvePayment } from './resolve-payment.ts';
import { standingOf } from './standing.ts';

export type StartPaymentPorts = OpenBillPorts & { readonly tries: Tries; readonly tryLimits: TryLimits };

export type StartPayment =
  | { readonly kind: 'started'; readonly pageUrl: string }
  /** The form is too old, not ours, or the price changed: the payer is to see the bill again. */
  | { readonly kind: 'stale_form' }
  | { readonly kind: 'too_many_tries' }
  | Exclude<OpenBill, { kind: 'payable' }>;

type Submission = {
  readonly billId: string;
  readonly token: string;
  readonly sourceIp: string;
  readonly publicUrl: string;
};

/** T1: the payment exists before the acquirer hears of it, so a crash in between leaves nothing that nobody knows. */
export async function startPayment(ports: StartPaymentPorts, submission: Submission): Promise<StartPayment> {
  const secret = await ports.pageSecret();
  const form = readFormToken(secret, submission.billId, submission.token, ports.now());
  if (!form) return { kind: 'stale_form' };
  const payer = payerHash(secret, payerNetwork(submission.sourceIp));
  const paymentId = paymentIdFrom(submission.billId, form.nonce);

  const [tries, again, standing] = await Promise.all([
    ports.tries.count(payer, ports.now()),
    ports.payments.findWithBill(paymentId),
    standingOf(ports, submission.billId),
  ]);
  if (again) return lead(ports, again.payment, again.bill, submission.publicUrl);
  if (hasTooManyTries(tries, ports.tryLimits)) return { kind: 'too_many_tries' };
  if (standing.kind !== 'free') return withoutForm(await notFree(ports, standing, submission.publicUrl));
  return begin(ports, { bill: standing.bill, form, payer, paymentId, publicUrl: submission.publicUrl });
}

type Beginning = {
  readonly bill: Bill;
  readonly form: PaymentForm;
  readonly payer: string;
  readonly paymentId: string;
  readonly publicUrl: string;
};

async function begin(ports: StartPaymentPorts, beginning: Beginning): Promise<StartPayment> {
  const { bill, form, publicUrl } = beginning;
  const price = await priceOf(ports, bill);
  if (!price) return { kind: 'switched_off', bill };
  if (price.askedMinor !== form.askedMinor) return { kind: 'stale_form' };

  const now = ports.now();
  const payment = newPayment(beginning, price, now);
  const lockUntil = new Date(now.getTime() + lockMinutes * 60_000);
  const started = await ports.payments.start(payment, { bill, now, lockUntil });
  // Another tab, another payer or the operator was quicker: whoever it was, the bill says where to go.
  if (!started.ok) return afterLostRace(ports, beginning);
  const held: Bill = { ...bill, status: 'PROCESS', current: payment.id };
  const [answer] = await Promise.all([lead(ports, payment, held, publicUrl), cancelDisplaced(ports, bill)]);
  return answer;
}

async function afterLostRace(
  ports: StartPaymentPorts,
  { bill, paymentId, publicUrl }: Beginning,
): Promise<StartPayment> {
  const same = await ports.payments.findWithBill(paymentId);
  if (same) return lead(ports, same.payment, same.bill, publicUrl);
  const standing = await standingOf(ports, bill.id);
  return standing.kind === 'free'
    ? { kind: 'stale_form' }
    : withoutForm(await notFree(ports, standing, publicUrl));
}

/**
 * To the card page of a payment that exists; the same form sent twice comes here twice. A payment that is over, or
 * that another took the bill from, has no card page any more: its own page tells what becomes of it.
 */
async function lead(
  { acquirer }: StartPaymentPorts,
  payment: Payment,
  bill: Bill,
  publicUrl: string,
): Promise<StartPayment> {
  if (payment.phase !== 'AUTHORIZING' || !holdsBill({ payment, bill }))
    return { kind: 'being_checked', paymentId: payment.id };
  const pageUrl = await cardPageOf(acquirer, payment, { description: descriptionOf(bill), publicUrl });
  return pageUrl === undefined ? { kind: 'unavailable', bill } : { kind: 'started', pageUrl };
}

/** T1': the payer whose time was over must not be able to pay any more. What fails here is left to the sweep. */
async function cancelDisplaced(ports: StartPaymentPorts, { type, status, current }: Bill): Promise<void> {
  if (type === 'NORMAL' && status === 'PROCESS' && current !== undefined) {
    await resolvePayment(ports, current).catch(() => undefined);
  }
}

const newPayment = ({ bill, payer, paymentId }: Beginning, price: Price, createdAt: Date): Payment => ({
  id: paymentId,
  billId: bill.id,
  billType: bill.type,
  merchantId: bill.merchantId,
  shopId: bill.shopId,
  status: 'PROCESS',
  phase: 'AUTHORIZING',
  amount: bill.amount,
  surchargeMinor: price.surchargeMinor,
  payerPaysCommission: bill.payerPaysCommission,
  fee: price.fee,
  settlement: price.settlement,
  payer,
  orderId: bill.orderId,
  custom: bill.custom,
  createdAt,
  checks: 0,
});

const withoutForm = (opened: OpenBill): StartPayment =>
  opened.kind === 'payable' ? { kind: 'stale_form' } : opened;
