import { type Bill, lockMinutes, paymentUnderWay } from '../bill/bill.ts';
import { type BillId, newPaymentId, type PaymentId } from '../ids.ts';
import { availabilityOf, type BillAvailability } from './bill-availability.ts';
import { hashBrowser, isBegunBy, isDoubleTap } from './browser.ts';
import { cardPageOf, resultUrl, type ReturnAddress } from './card-page.ts';
import { type PaymentForm, readFormToken } from './form-token.ts';
import {
  type Attempts,
  type CardTestingLimits,
  hashPayer,
  hasTooManyAttempts,
  mostAttempts,
  type NetworkAttempts,
  payerNetwork,
} from './network-attempts.ts';
import { holdsBill } from './next-step.ts';
import { type OpenBill, type OpenBillPorts, unavailableView, type Visitor } from './open-bill.ts';
import { isAtOtherAcquirer } from './other-acquirer.ts';
import { readUnderAny } from './page-secrets.ts';
import type { Payment } from './payment.ts';
import type { PaymentWithBill } from './ports.ts';
import { type Price, priceOf } from './price.ts';
import { resolvePayment } from './resolve-payment.ts';

export type StartPaymentPorts = OpenBillPorts & {
  readonly attempts: NetworkAttempts;
  readonly cardTestingLimits: CardTestingLimits;
};

type StartPayment =
  | { readonly kind: 'started'; readonly pageUrl: string }
  /** The form is too old, not ours, or the price changed: the payer is to see the bill again. */
  | { readonly kind: 'stale_form' }
  | { readonly kind: 'too_many_attempts' }
  | Exclude<OpenBill, { kind: 'payable' }>;

type Submission = ReturnAddress & {
  readonly billId: BillId;
  readonly token: string;
  readonly sourceIp: string;
  /** The random number that this browser was given with a page; undefined when it keeps no cookies. */
  readonly browser: string | undefined;
};

/** T1: the payment exists before the acquirer hears of it, so a crash in between leaves nothing that nobody knows. */
export async function startPayment(ports: StartPaymentPorts, submission: Submission): Promise<StartPayment> {
  const { billId, token, sourceIp, browser, ...address } = submission;
  const secrets = await ports.pageSecrets();
  const [secret] = secrets;
  const form = readUnderAny(secrets, (each) => readFormToken(each, billId, token, ports.now()));
  // The copy of another browser's form leads nowhere.
  if (!form || (browser !== undefined && form.browserHash !== hashBrowser(browser)))
    return { kind: 'stale_form' };
  const payerHash = hashPayer(secret, payerNetwork(sourceIp));
  const paymentId = newPaymentId(billId, form.nonce);

  const [attempts, existing, availability] = await Promise.all([
    ports.attempts.of(payerHash),
    ports.payments.findWithBill(paymentId),
    availabilityOf(ports, billId),
  ]);
  const visitor: Visitor = {
    ...address,
    isTheirs: (payment) =>
      isBegunBy(payment, browser) ||
      (payment.id === paymentId && isDoubleTap(payment, { browser, payerHash }, ports.now())),
  };
  if (existing && visitor.isTheirs(existing.payment)) return toCardPage(ports, existing, visitor);
  if (availability.kind !== 'available') return whereBillLeads(ports, availability, { paymentId, visitor });
  if (existing) return { kind: 'stale_form' };
  const { bill } = availability;
  const asked = { id: paymentId, billType: bill.type };
  if (hasTooManyAttempts(attempts, asked, ports.cardTestingLimits, ports.now()))
    return { kind: 'too_many_attempts' };
  return begin(ports, { bill, form, payerHash, attempts, paymentId, browser, visitor });
}

type PaymentRequest = {
  readonly bill: Bill;
  readonly form: PaymentForm;
  readonly payerHash: string;
  readonly attempts: Attempts;
  readonly paymentId: PaymentId;
  readonly browser: string | undefined;
  readonly visitor: Visitor;
};

async function begin(ports: StartPaymentPorts, request: PaymentRequest): Promise<StartPayment> {
  const { bill, visitor } = request;
  if (ports.acquirer.name === undefined) return { kind: 'unavailable' };
  // Written down before the payment exists, so that of many that begin at once each is seen by the next.
  const [price, entered] = await Promise.all([priceOf(ports, bill), enter(ports, request)]);
  const refused = whyRefused(ports, request, { price, entered });
  if (!price || refused) {
    await forget(ports, request, entered);
    return { kind: refused ?? 'switched_off' };
  }

  const now = ports.now();
  const payment = newPayment(request, price, { acquirer: ports.acquirer.name, createdAt: now });
  const lockUntil = new Date(now.getTime() + lockMinutes * 60_000);
  const started = await ports.payments.start(payment, { bill, now, lockUntil });
  // Another tab, another payer or the operator was quicker: whoever it was, the bill says where to go.
  if (!started.ok) return afterLostRace(ports, request, entered);
  const held: Bill = bill.type === 'NORMAL' ? { ...bill, status: 'PROCESS', current: payment.id } : bill;
  const [answer] = await Promise.all([
    toCardPage(ports, { payment, bill: held }, visitor),
    cancelDisplaced(ports, bill),
  ]);
  return answer;
}

type Entered = Awaited<ReturnType<NetworkAttempts['enter']>>;

const enter = (
  { attempts, cardTestingLimits, now }: StartPaymentPorts,
  { payerHash, paymentId, attempts: seen }: PaymentRequest,
): Promise<Entered> =>
  attempts.enter(payerHash, { paymentId, now: now(), seen, most: mostAttempts(cardTestingLimits) });

/** What was entered for a payment that does not come to be; one that was there before belongs to the same form's. */
async function forget(
  { attempts }: StartPaymentPorts,
  { payerHash, paymentId }: PaymentRequest,
  entered: Entered,
): Promise<void> {
  if (typeof entered === 'object') await attempts.leave(payerHash, paymentId);
}

type Checked = { readonly price: Price | undefined; readonly entered: Entered };

function whyRefused(
  { cardTestingLimits, now }: StartPaymentPorts,
  { bill, form, paymentId }: PaymentRequest,
  { price, entered }: Checked,
) {
  if (!price) return 'switched_off';
  if (price.chargeMinor !== form.chargeMinor) return 'stale_form';
  if (entered === 'known') return undefined;
  const asked = { id: paymentId, billType: bill.type };
  return entered === 'full' || hasTooManyAttempts(entered, asked, cardTestingLimits, now())
    ? 'too_many_attempts'
    : undefined;
}

async function afterLostRace(
  ports: StartPaymentPorts,
  request: PaymentRequest,
  entered: Entered,
): Promise<StartPayment> {
  const { bill, paymentId, visitor } = request;
  const existing = await ports.payments.findWithBill(paymentId);
  if (existing && visitor.isTheirs(existing.payment)) return toCardPage(ports, existing, visitor);
  if (!existing) await forget(ports, request, entered);
  const availability = await availabilityOf(ports, bill.id);
  return availability.kind === 'available'
    ? { kind: 'stale_form' }
    : whereBillLeads(ports, availability, { paymentId, visitor });
}

/** A bill that is taken, though it may be by this very form, sent a moment earlier. */
async function whereBillLeads(
  ports: StartPaymentPorts,
  availability: Exclude<BillAvailability, { kind: 'available' }>,
  { paymentId, visitor }: Pick<PaymentRequest, 'paymentId' | 'visitor'>,
): Promise<StartPayment> {
  return availability.kind === 'in_progress' &&
    availability.payment.id === paymentId &&
    visitor.isTheirs(availability.payment)
    ? toCardPage(ports, availability, visitor)
    : withoutForm(await unavailableView(ports, availability, visitor));
}

/**
 * To the card page of a payment that exists; the same form sent twice comes here twice. A payment that is over, that
 * another took the bill from, or that is at another acquirer has no card page here: its own page tells what becomes
 * of it.
 */
async function toCardPage(
  ports: StartPaymentPorts,
  { payment, bill }: PaymentWithBill,
  address: ReturnAddress,
): Promise<StartPayment> {
  const hasPage = payment.phase === 'AUTHORIZING' && !isAtOtherAcquirer(payment, ports.acquirer);
  if (!hasPage || !holdsBill({ payment, bill }))
    return {
      kind: 'pending',
      paymentId: payment.id,
      resultUrl: resultUrl(await ports.pageSecrets(), payment.id, address),
    };
  const pageUrl = await cardPageOf(ports, { payment, bill }, address);
  return pageUrl === undefined ? { kind: 'unavailable' } : { kind: 'started', pageUrl };
}

/**
 * T1': the payer whose time was over must not be able to pay any more. What fails here is left to the sweep, and what
 * is at another acquirer stays on the work list until it is resolved by hand.
 */
async function cancelDisplaced(ports: StartPaymentPorts, bill: Bill): Promise<void> {
  const displaced = paymentUnderWay(bill);
  if (displaced !== undefined) await resolvePayment(ports, displaced).catch(() => undefined);
}

const newPayment = (
  { bill, payerHash, paymentId, browser }: PaymentRequest,
  price: Price,
  start: Pick<Payment, 'acquirer' | 'createdAt'>,
): Payment => ({
  id: paymentId,
  billId: bill.id,
  billType: bill.type,
  merchantId: bill.merchantId,
  shopId: bill.shopId,
  status: 'PROCESS',
  phase: 'AUTHORIZING',
  acquirer: start.acquirer,
  amount: bill.amount,
  surchargeMinor: price.surchargeMinor,
  payerPaysCommission: bill.payerPaysCommission,
  fee: price.fee,
  settlement: price.settlement,
  receivedMinor: undefined,
  feeMinor: undefined,
  fromCard: undefined,
  outcome: undefined,
  browserHash: browser === undefined ? undefined : hashBrowser(browser),
  cardPage: undefined,
  askedAt: undefined,
  payerHash,
  orderId: bill.orderId,
  custom: bill.custom,
  createdAt: start.createdAt,
  checks: 0,
  deliveredAt: undefined,
  nextCheck: undefined,
  decisions: undefined,
});

const withoutForm = (opened: OpenBill): StartPayment =>
  opened.kind === 'payable' ? { kind: 'stale_form' } : opened;
