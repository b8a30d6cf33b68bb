import { captureEntry, paymentFee, refundEntry, secondEntry } from '../ledger/payment-postings.ts';
import type { Shops } from '../merchant/ports.ts';
import { type PostbackEvent } from '../postback/event.ts';
import { paymentEvent } from '../postback/payment-postback.ts';
import type { PostbackQueue } from '../postback/ports.ts';
import { queueEvent } from '../postback/queue-event.ts';
import type { Result } from '../result.ts';
import type { Tries } from './failed-tries.ts';
import { holdsBill, nextStep } from './next-step.ts';
import { askedMinor, isFinal, isPaid, type Payment, statusOfReceipt } from './payment.ts';
import type { Acquirer, AcquirerView, Payments, PaymentWithBill } from './ports.ts';

export type PaymentAlarm = 'late_money' | 'second_capture' | 'refund_undone' | 'payment_stuck';

export type ResolvePorts = {
  readonly payments: Payments;
  readonly shops: Pick<Shops, 'find'>;
  readonly acquirer: Acquirer;
  readonly postbackQueue: PostbackQueue;
  readonly tries: Pick<Tries, 'add'>;
  readonly now: () => Date;
  /** Tells the operator. */
  readonly alarm: (alarm: PaymentAlarm, about: { readonly payment: string }) => void;
};

/** Enough for the longest way: fence, capture, a lost race, settle. More is left to the next caller. */
const mostSteps = 8;

/**
 * Brings a payment as far as the acquirer's word allows: called by the payer's return, the acquirer's notification
 * and the sweep, in any number at once. Answers the payment and its bill as they stand then.
 * Throws when the acquirer or the store can not be reached; nothing is half done then, and calling again goes on.
 */
export async function resolvePayment(
  ports: ResolvePorts,
  paymentId: string,
  { evenIfFinal = false } = {},
): Promise<PaymentWithBill | undefined> {
  let told: AcquirerView | undefined;
  for (let step = 0; ; step += 1) {
    const found = await ports.payments.findWithBill(paymentId);
    if (!found || step === mostSteps || isDone(found.payment, evenIfFinal)) return found;
    const view = told ?? (await ports.acquirer.get(paymentId));
    const taken = await takeStep(ports, found, view);
    if (taken === 'nothing') return found;
    told = taken;
  }
}

/** A paid payment never changes; of a failed one the acquirer may think otherwise (T9). */
const isDone = (payment: Payment, evenIfFinal: boolean): boolean =>
  payment.phase === 'DONE' && (isPaid(payment) || !evenIfFinal);

/** The acquirer's answer when it was asked for something; undefined when it is to be asked again. */
type Taken = 'nothing' | AcquirerView | undefined;

async function takeStep(ports: ResolvePorts, found: PaymentWithBill, view: AcquirerView): Promise<Taken> {
  const { payments, acquirer, now } = ports;
  const { payment } = found;
  switch (nextStep({ ...found, view: view.state, now: now() })) {
    case 'nothing':
      return 'nothing';
    case 'cancel':
      return changed(view, await acquirer.cancel(payment.id));
    case 'capture':
      return changed(view, await acquirer.capture(payment.id, askedMinor(payment), `${payment.id}:capture`));
    case 'refund':
      return refund(ports, found, view);
    case 'fence':
      return stillSo(await payments.fence(payment), view);
    case 'give_up':
      return stillSo(await payments.giveUp(payment), view);
    case 'settle':
      return settle(ports, found, amountIn(view), view);
    case 'fail':
      return failed(ports, found, view);
    case 'reopen':
      return reopen(ports, found, view);
  }
}

/** Whoever lost a race has an old view of the acquirer: what the winner did may have changed it. */
const stillSo = ({ ok }: Result<void, unknown>, view: AcquirerView): Taken => (ok ? view : undefined);

/** An acquirer that says the same as before is still at work: it is asked again later, not at once. */
const changed = (before: AcquirerView, after: AcquirerView): Taken =>
  after.state === before.state ? 'nothing' : after;

function amountIn(view: AcquirerView): bigint {
  if ('amountMinor' in view) return view.amountMinor;
  throw new Error(`The acquirer's view ${view.state} carries no amount`);
}

/** T3, or T6 when another payment was quicker to finish the bill. */
async function settle(
  ports: ResolvePorts,
  { payment, bill }: PaymentWithBill,
  receivedMinor: bigint,
  view: AcquirerView,
): Promise<Taken> {
  const at = ports.now();
  const after: Payment = {
    ...payment,
    status: statusOfReceipt(receivedMinor, askedMinor(payment)),
    phase: 'DONE',
    receivedMinor,
    feeMinor: paymentFee(payment, receivedMinor),
    ...cardOf(view),
  };
  const event = await eventFor(ports, after, at);
  const entry = captureEntry(payment, receivedMinor, at);
  const settled = await ports.payments.settle(payment, after, entry, event);
  if (settled.ok) {
    await Promise.all([
      told(ports, event),
      bill.type === 'MULTI' && bill.status === 'NEW' && ports.payments.markMultiPaid(bill.id),
    ]);
    return undefined;
  }
  return settled.error === 'bill_paid_by_another' ? second(ports, payment, receivedMinor, view) : view;
}

/** T6: what came in for a bill that is paid already is booked as owed to the payer, and refunded. */
async function second(
  ports: ResolvePorts,
  payment: Payment,
  receivedMinor: bigint,
  view: AcquirerView,
): Promise<Taken> {
  const after: Payment = { ...payment, phase: 'REFUNDING', receivedMinor, ...cardOf(view) };
  const entry = secondEntry(payment, receivedMinor, ports.now());
  // Before the write: two handlers may both tell the operator, but a crash can not keep it from him.
  ports.alarm('second_capture', { payment: payment.id });
  return stillSo(await ports.payments.captureTwice(payment, after, entry), view);
}

/** Money that was captured although it was to be voided is booked before it goes back. */
async function refund(ports: ResolvePorts, { payment }: PaymentWithBill, view: AcquirerView): Promise<Taken> {
  if (payment.phase === 'VOIDING') return second(ports, payment, amountIn(view), view);
  return changed(view, await ports.acquirer.refund(payment.id, `${payment.id}:refund`));
}

/** T4 and T7: nothing is kept of the payer's money. */
async function failed(
  ports: ResolvePorts,
  { payment, bill }: PaymentWithBill,
  view: AcquirerView,
): Promise<Taken> {
  const at = ports.now();
  const refunded = payment.phase === 'REFUNDING';
  const outcome = view.state === 'declined' ? view.outcome : view.state;
  const after: Payment = { ...payment, status: 'FAIL', phase: 'DONE', outcome, ...cardOf(view) };
  const event = isFinal(payment) ? undefined : await eventFor(ports, after, at);
  const written = await ports.payments.failed(payment, after, {
    releasesBill: bill.type === 'NORMAL' && holdsBill({ payment, bill }),
    entry: refunded ? refundEntry(payment, payment.receivedMinor ?? 0n, at) : undefined,
    // T7: the bill was paid by another payment, so nobody is to hear of this one.
    event: event && refunded ? { ...event, state: 'SUPERSEDED' } : event,
  });
  if (written.ok) {
    const countsAsTry = view.state === 'declined' && payment.payer !== undefined;
    await Promise.all([
      refunded ? undefined : told(ports, event),
      countsAsTry && payment.payer !== undefined && ports.tries.add(payment.payer, at),
    ]);
  }
  return undefined;
}

/** T9: the status stays, the money goes back, and the operator is told. */
async function reopen(ports: ResolvePorts, { payment }: PaymentWithBill, view: AcquirerView): Promise<Taken> {
  // Booked and given back once already: what the acquirer now holds is for a person to sort out with it.
  if (payment.receivedMinor !== undefined) return tell(ports, payment);
  ports.alarm('late_money', { payment: payment.id });
  if (view.state !== 'captured') return stillSo(await ports.payments.giveUp(payment), view);
  const after: Payment = { ...payment, phase: 'REFUNDING', receivedMinor: view.amountMinor };
  const entry = secondEntry(payment, view.amountMinor, ports.now());
  return stillSo(await ports.payments.captureTwice(payment, after, entry), view);
}

function tell({ alarm }: ResolvePorts, { id }: Payment): 'nothing' {
  alarm('refund_undone', { payment: id });
  return 'nothing';
}

/** No Result URL, no event. */
async function eventFor(
  { shops }: ResolvePorts,
  payment: Payment,
  now: Date,
): Promise<PostbackEvent | undefined> {
  const shop = await shops.find(payment.shopId);
  return shop?.resultUrl === undefined ? undefined : paymentEvent(payment, { now });
}

const told = async ({ postbackQueue }: ResolvePorts, event: PostbackEvent | undefined): Promise<void> =>
  event && queueEvent(postbackQueue, event);

const cardOf = (view: AcquirerView): { readonly fromCard?: string } =>
  'fromCard' in view && view.fromCard !== undefined ? { fromCard: view.fromCard } : {};
