import { type Bill, billAsShown, type MultiBill, type NormalBill } from '../../bill/bill.ts';
import type { Contact } from '../../bill/contact.ts';
import { type BillOptions, noOptions } from '../../bill/options.ts';
import { toDecimal } from '../../money/money.ts';
import {
  awaitsAcquirer,
  chargeMinor,
  isFinalPayment,
  isPaid,
  type Payment,
  type Reserve,
} from '../../payment/payment.ts';
import type { Call } from '../../payment/call.ts';
import { nothingLeft } from '../../nothing-left.ts';
import { paymentEventId } from '../../postback/event.ts';
import { chargebacksTimeline } from './chargeback-timeline.ts';
import { entryStep } from './entry-steps.ts';
import type { TracedPage, TracePage } from './page.ts';
import { refundsTimeline } from './refund-timeline.ts';
import { postbackTimeline } from './postback-timeline.ts';
import {
  emptyTimeline,
  mergeTimelines,
  type TimelineStep,
  type Subject,
  type Timeline,
  type TracePorts,
} from './timeline.ts';

/** Returns the timeline of a bill with a page of its payments, the latest first, and their outcomes. */
export async function billTimeline(ports: TracePorts, bill: Bill, page: TracePage): Promise<TracedPage> {
  const { payments, next } = await paymentsBefore(ports, bill, page);
  const timelines = await Promise.all(payments.map((payment) => paymentTimeline(ports, payment)));
  const earlier =
    next === undefined ? undefined : ({ of: 'payments', count: undefined, before: next } as const);
  return { ...mergeTimelines([await billAlone(ports, bill), ...timelines]), earlier };
}

/** Before a time: of the first of the pages that has any, those that were started before it. */
async function paymentsBefore(
  ports: TracePorts,
  bill: Bill,
  { before, limit }: TracePage,
): ReturnType<TracePorts['payments']['listOf']> {
  if (!(before instanceof Date)) return ports.payments.listOf(bill, { limit, cursor: before });
  const page = await ports.payments.listOf(bill, { limit, cursor: undefined });
  const isBefore = ({ createdAt }: Payment) => createdAt.getTime() < before.getTime();
  let { payments, next } = page;
  while (next !== undefined && !payments.some(isBefore))
    ({ payments, next } = await ports.payments.listOf(bill, { limit, cursor: next }));
  return { payments: payments.filter(isBefore), next };
}

/** Returns the timeline of one payment with its bill, without the bill's other payments. */
export async function paymentWithBillTimeline(ports: TracePorts, payment: Payment): Promise<Timeline> {
  const bill = await ports.bills.find(payment.billId);
  const alone = bill ? [await billAlone(ports, bill)] : [];
  return mergeTimelines([...alone, await paymentTimeline(ports, payment)]);
}

async function billAlone({ contacts, now }: TracePorts, stored: Bill): Promise<Timeline> {
  const bill = billAsShown(stored, now());
  const contact = bill.hasContact ? await contacts.find(bill.id) : undefined;
  const { id, createdAt } = bill;
  const facts = {
    ...billFacts(bill),
    ...(bill.type === 'NORMAL' && attemptFacts(bill)),
    expires: bill.expiresAt?.toISOString(),
    payer: contact && maskTold(contact.masks),
    ...optionFacts(bill.options ?? noOptions),
  };
  const created = { at: createdAt, id, what: `bill over ${priceOf(bill)} created` };
  return { subjects: [{ kind: 'bill', id, facts }], steps: [created] };
}

const priceOf = ({ amount }: Pick<Bill, 'amount'>): string => `${toDecimal(amount.minor)} ${amount.currency}`;

/** Who the payer is, as far as it may be shown: the masks of what is stored. */
const maskTold = ({ email, phone, name, comment }: Contact): string =>
  [name, email, phone, comment && 'a comment'].filter((each) => each !== undefined).join(', ');

function optionFacts({ ttlSeconds: _, ...options }: BillOptions): Subject['facts'] {
  const { locale, method, successUrl, failUrl, returnUrl, asks, ...rest } = options;
  nothingLeft(rest);
  return {
    language: locale,
    'offered first': method,
    'success url': successUrl,
    'fail url': failUrl,
    'return url': returnUrl,
    'payer is asked': asks?.join(', '),
  };
}

/** Fields that are shown elsewhere, or texts for the payer and the shop. */
type NoFact =
  | 'id'
  | 'createdAt'
  | 'expiresAt'
  | 'payerPaysCommission'
  | 'description'
  | 'name'
  | 'custom'
  | 'hasContact'
  | 'items'
  | 'options';

function billFacts({ status, amount, type, active, ...bill }: Omit<Bill, NoFact>) {
  const { merchantId, shopId, orderId, ...rest } = bill;
  nothingLeft(rest);
  return {
    status,
    amount: priceOf({ amount }),
    type,
    active,
    merchant: merchantId,
    shop: shopId,
    order: orderId,
  };
}

type Attempts = Omit<NormalBill, keyof MultiBill | 'lockUntil' | 'fenced'>;

function attemptFacts({ paidBy, current, failures, ...rest }: Attempts) {
  nothingLeft(rest);
  return {
    'paid by': paidBy,
    'held by': paidBy === undefined ? current : undefined,
    failures: failures === 0 ? undefined : failures,
  };
}

async function paymentTimeline(ports: TracePorts, payment: Payment): Promise<Timeline> {
  const [contact, entries, postbacks, chargebacks, refunds] = await Promise.all([
    payment.contactUntil === undefined ? undefined : ports.contacts.find(payment.billId, payment.id),
    ports.journal.about(payment.id),
    isFinalPayment(payment)
      ? postbackTimeline(ports, paymentEventId(payment.id, payment.status))
      : emptyTimeline,
    isPaid(payment) ? chargebacksTimeline(ports, payment.id) : emptyTimeline,
    payment.refunds ? refundsTimeline(ports, payment.id) : emptyTimeline,
  ]);
  const charge = `${toDecimal(chargeMinor(payment))} ${payment.amount.currency}`;
  const started = { at: payment.createdAt, id: payment.id, what: `payment of ${charge} started` };
  return mergeTimelines([
    {
      subjects: [paymentSubject(payment, { charge, payer: contact && maskTold(contact.masks) })],
      steps: [started, ...decisionSteps(payment), ...entries.map(entryStep)],
    },
    postbacks,
    chargebacks,
    refunds,
  ]);
}

const decisionSteps = ({ id, decisions = [] }: Payment): readonly TimelineStep[] =>
  decisions.map(({ at, verdict, by, approvedBy, reason }) => ({
    at,
    id,
    what: `resolved as ${verdict} by ${by}${approvedBy ? `, approved by ${approvedBy}` : ''}: ${reason}`,
  }));

type Told = { readonly charge: string; readonly payer: string | undefined };

const paymentSubject = (payment: Payment, { charge, payer }: Told): Subject => ({
  kind: 'payment',
  id: payment.id,
  facts: {
    status: payment.status,
    phase: awaitsAcquirer(payment) ? payment.phase : undefined,
    charge,
    payer,
    acquirer: payment.acquirer,
    method: payment.method,
    reference: payment.reference,
    received: payment.receivedMinor === undefined ? undefined : toDecimal(payment.receivedMinor),
    fee: payment.feeMinor === undefined ? undefined : toDecimal(payment.feeMinor),
    reserve: payment.reserve && reserveTold(payment.reserve),
    'provider fee': payment.providerFeeMinor === undefined ? undefined : toDecimal(payment.providerFeeMinor),
    receipt: payment.receipt,
    'refund receipt': payment.refundReceipt,
    'waits for': waitsFor(payment),
    card: payment.fromCard,
    bank: payment.accountBank,
    outcome: payment.outcome,
    reason: payment.declineReason,
    checks: payment.checks === 0 ? undefined : payment.checks,
    'shop told': payment.deliveredAt?.toISOString(),
    ...callFacts(payment),
  },
});

/** `9.84 RUB until <time>`, or `9.84 RUB, released`; the time of the release is that of its journal entry. */
const reserveTold = ({ minor, currency, releaseAt, released }: Reserve): string =>
  `${toDecimal(minor)} ${currency}${released ? ', released' : ` until ${releaseAt.toISOString()}`}`;

/** What is asked of the acquirer after the capture, how often it was, and when it is next. */
function waitsFor({ afterCapture: tasks }: Payment): string | undefined {
  if (!tasks) return undefined;
  const { checks, dueAt, ...due } = tasks;
  const names = Object.entries(due).flatMap(([task, state]) => (state === undefined ? [] : [task]));
  return `${names.join(', ')} (${checks} checks made, next ${dueAt.toISOString()})`;
}

/** The calls of an open payment: what the acquirer answered, or that it has not. A start with a reference has done its work. */
function callFacts(payment: Payment): Subject['facts'] {
  if (!awaitsAcquirer(payment)) return {};
  const { reference, startCall, captureCall, cancelCall, refundCall } = payment;
  return {
    start: reference === undefined ? callTold(startCall) : undefined,
    capture: callTold(captureCall),
    cancel: callTold(cancelCall),
    refund: callTold(refundCall),
  };
}

function callTold(call: Call | undefined): string | undefined {
  if (!call) return undefined;
  const { answer, outcome, attempt, lastAt } = call;
  const said = answer ? `${answer}${outcome === undefined ? '' : `: ${outcome}`}` : 'no answer';
  return `${said} (attempt ${attempt}, ${lastAt.toISOString()})`;
}
