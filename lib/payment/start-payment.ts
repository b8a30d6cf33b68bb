import { type Bill, lockMinutes, paymentUnderWay } from '../bill/bill.ts';
import { type Contact, contactEndUnpaid, sealContact, type SealedContact } from '../bill/contact.ts';
import { languageFor, noOptions } from '../bill/options.ts';
import { type BillId, newPaymentId, type PaymentId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Sealer } from '../merchant/ports.ts';
import { availabilityOf, type BillAvailability } from './bill-availability.ts';
import { hashBrowser, isBegunBy, isDoubleTap } from './browser.ts';
import type { Acquirer, MethodTerms, PaymentMethod } from './acquirer.ts';
import { nextCall } from './call.ts';
import { cardPageOf } from './card-page.ts';
import { composeReceipt, soldWith } from './compose-receipt.ts';
import type { ContactPorts } from './contact.ts';
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
import {
  maySwitch,
  notResponding,
  type OpenBill,
  type OpenBillPorts,
  unavailableView,
  type Visitor,
} from './open-bill.ts';
import { readUnderAny } from './page-secrets.ts';
import { type ContactTrouble, type FieldTroubles, payerContact, type Typed } from './payer-contact.ts';
import { isFinalPayment, type Payment } from './payment.ts';
import { type PayerView, viewOf } from './payer-view.ts';
import type { PaymentWithBill } from './ports.ts';
import { type Price, priceOf } from './price.ts';
import type { Receipt } from './receipt.ts';
import { resolvePayment } from './resolve-payment.ts';
import {
  resultUrl,
  type ReturnAddress,
  sealStartRequest,
  type StartDetails,
  startDetails,
} from './start-order.ts';

export type StartPaymentPorts = OpenBillPorts &
  ContactPorts & {
    readonly contactSealer: Sealer;
    readonly attempts: NetworkAttempts;
    readonly cardTestingLimits: CardTestingLimits;
    readonly log: Log;
  };

type StartPayment =
  | { readonly kind: 'started'; readonly pageUrl: string }
  /** The form has expired, is not genuine, or the price changed: the payer must see the bill again. */
  | { readonly kind: 'stale_form' }
  | { readonly kind: 'too_many_attempts'; readonly view: PayerView }
  /** The receipt of this payment cannot be sent to what the payer gave, or what the bill asks is missing. Nothing was started. */
  | { readonly kind: 'no_contact'; readonly why: ContactTrouble; readonly troubles?: FieldTroubles }
  /** The acquirer refused to open the order: nothing was charged, and another method may work. */
  | { readonly kind: 'method_refused'; readonly method: PaymentMethod }
  | Exclude<OpenBill, { kind: 'payable' }>;

type Submission = ReturnAddress & {
  readonly billId: BillId;
  readonly token: string;
  readonly sourceIp: string;
  /** The random number in this browser's cookie; undefined when it keeps no cookies. */
  readonly browser: string | undefined;
  readonly language: StartDetails['language'];
  /** Whether the payer chose the language; otherwise the bill's, if it names one, takes its place. */
  readonly languageChosen?: boolean;
  /** What the payer typed into the fields for the receipt and for what the bill asks, if the page had any. */
  readonly typed?: Typed;
};

/** Starts a payment. It is stored before the acquirer is called, so a crash in between leaves no unknown order. */
export async function startPayment(ports: StartPaymentPorts, submission: Submission): Promise<StartPayment> {
  const {
    billId,
    token,
    sourceIp,
    browser,
    language,
    languageChosen = false,
    typed = {},
    ...address
  } = submission;
  const secrets = await ports.pageSecrets();
  const [secret] = secrets;
  const form = readUnderAny(secrets, (each) => readFormToken(each, billId, token, ports.now()));
  // A copy of another browser's form is refused.
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
  const displaces = displacedBy(form, availability, visitor);
  if (availability.kind !== 'available' && !displaces)
    return viewOfHeldBill(ports, availability, { form, paymentId, visitor });
  if (existing || !('bill' in availability)) return { kind: 'stale_form' };
  const { bill } = availability;
  const candidate = { id: paymentId, billType: bill.type };
  if (hasTooManyAttempts(attempts, candidate, ports.cardTestingLimits, ports.now()))
    return { kind: 'too_many_attempts', view: await viewOf(ports, bill) };
  const { locale } = bill.options ?? noOptions;
  const request = {
    bill,
    form,
    payerHash,
    attempts,
    paymentId,
    browser,
    visitor,
    displaces,
    language: languageChosen || !locale ? language : languageFor[locale],
    typed,
  };
  return begin(ports, request);
}

type PaymentRequest = {
  readonly bill: Bill;
  readonly form: PaymentForm;
  readonly payerHash: string;
  readonly attempts: Attempts;
  readonly paymentId: PaymentId;
  readonly visitor: Visitor;
  /** A payment of the same browser that gives way to another way to pay. */
  readonly displaces: PaymentId | undefined;
  readonly typed: Typed;
} & Pick<Submission, 'browser' | 'language'>;

/**
 * The payer's own payment under way, when they have chosen another way to pay. What they still pay there is not charged: the
 * displaced payment is ended, or its authorisation is voided.
 */
function displacedBy(
  { method }: PaymentForm,
  availability: BillAvailability,
  { isTheirs }: Visitor,
): PaymentId | undefined {
  if (availability.kind !== 'in_progress') return undefined;
  const { payment, bill } = availability;
  return isTheirs(payment) && payment.method !== method && maySwitch(bill) ? payment.id : undefined;
}

async function begin(ports: StartPaymentPorts, request: PaymentRequest): Promise<StartPayment> {
  const { bill, visitor, paymentId, displaces } = request;
  const chosen = chosenMethod(ports, request);
  // The record has changed since the page was opened: it is shown again with the methods of now.
  if (!chosen) return { kind: 'stale_form' };
  const payer = await payerContact(ports, bill, chosen.acquirer.receipts, request.typed);
  // Before the attempt is counted: a typing error is not one.
  if (payer.kind === 'fields_wrong') return { kind: 'no_contact', why: payer.kind, troubles: payer.troubles };
  if (payer.kind !== 'known') return { kind: 'no_contact', why: payer.kind };
  // Recorded before the payment exists, so that concurrent starts count each other.
  const [price, entered] = await Promise.all([priceOf(ports, bill), enter(ports, request)]);
  const refused = whyRefused(ports, request, { price, entered });
  if (!price || refused) {
    await removeAttempt(ports, request, entered);
    const kind = refused ?? 'switched_off';
    return kind === 'stale_form' ? { kind } : { kind, view: await viewOf(ports, bill) };
  }

  const now = ports.now();
  const secrets = await ports.pageSecrets();
  const receipt = payer.customer && receiptOf(chosen, payer.customer, { bill, price });
  const startRequest = sealStartRequest(
    secrets,
    paymentId,
    startDetails(secrets, { bill, paymentId }, { ...visitor, language: request.language, receipt }),
  );
  const contact = payer.given && (await sealedFor(ports, bill.id, payer.given, now));
  const payment = newPayment(request, price, {
    ...chosen,
    startRequest,
    createdAt: now,
    contactUntil: contact?.until,
  });
  const hold = {
    bill,
    now,
    lockUntil: lockUntil(chosen, now),
    ...(displaces && { displaces }),
    ...(contact && { contact }),
  };
  const started = await ports.payments.start(payment, hold);
  // Another tab, another payer or the operator was first: the bill's state decides what to show.
  if (!started.ok) return afterLostRace(ports, request, entered);
  const held: Bill =
    bill.type === 'NORMAL'
      ? { ...bill, status: 'PROCESS', current: payment.id, lockUntil: hold.lockUntil, fenced: false }
      : bill;
  const [answer] = await Promise.all([
    toCardPage(ports, { payment, bill: held }, visitor, { isNew: true }),
    cancelDisplaced(ports, bill),
  ]);
  tellStart(ports, payment, answer);
  return answer;
}

/** For the alarm on the share of payments that do not start (infra/constructs/payment-starts.ts). */
function tellStart({ log }: StartPaymentPorts, { id, acquirer }: Payment, { kind }: StartPayment): void {
  const about = { payment: id, ...(acquirer !== undefined && { provider: acquirer }) };
  if (kind === 'started') log('info', 'payment_opened', about);
  if (kind === 'not_responding' || kind === 'method_refused') log('error', 'payment_not_opened', about);
}

type ChosenMethod = {
  readonly acquirer: Acquirer;
  readonly method: PaymentMethod;
  readonly terms: MethodTerms;
};

/** Returns the method of the form with its acquirer; undefined when none takes the charge. */
function chosenMethod(
  { acquirers }: StartPaymentPorts,
  { bill, form: { method, chargeMinor } }: PaymentRequest,
): ChosenMethod | undefined {
  const acquirer = acquirers.forNew({ minor: chargeMinor, currency: bill.amount.currency }, method);
  const terms = acquirer?.methods[method];
  return terms && { acquirer, method, terms };
}

/** Returns the receipt of the whole charge. */
function receiptOf(
  { acquirer: { receipts } }: ChosenMethod,
  customer: Receipt['customer'],
  { bill, price }: { readonly bill: Bill; readonly price: Price },
): Receipt | undefined {
  return receipts && composeReceipt(receipts, customer, soldWith(bill, price), price.chargeMinor);
}

const sealedFor = (
  { contactSealer }: StartPaymentPorts,
  billId: BillId,
  given: Contact,
  now: Date,
): Promise<SealedContact> => sealContact(contactSealer, given, { billId, until: contactEndUnpaid(now) });

/** A payment that can be neither held nor ended at its acquirer keeps its bill until it has ended. */
const lockUntil = ({ terms }: ChosenMethod, now: Date): Date | undefined =>
  terms.holds || terms.endsOpenOrders ? new Date(now.getTime() + lockMinutes * 60_000) : undefined;

type Entered = Awaited<ReturnType<NetworkAttempts['enter']>>;

const enter = (
  { attempts, cardTestingLimits, now }: StartPaymentPorts,
  { payerHash, paymentId, attempts: seen }: PaymentRequest,
): Promise<Entered> =>
  attempts.enter(payerHash, { paymentId, now: now(), seen, most: mostAttempts(cardTestingLimits) });

/** Removes the attempt of a payment that is not created. One that existed before belongs to the same form's payment. */
async function removeAttempt(
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
  const candidate = { id: paymentId, billType: bill.type };
  return entered === 'full' || hasTooManyAttempts(entered, candidate, cardTestingLimits, now())
    ? 'too_many_attempts'
    : undefined;
}

async function afterLostRace(
  ports: StartPaymentPorts,
  request: PaymentRequest,
  entered: Entered,
): Promise<StartPayment> {
  const { bill, form, paymentId, visitor } = request;
  const existing = await ports.payments.findWithBill(paymentId);
  if (existing && visitor.isTheirs(existing.payment)) return toCardPage(ports, existing, visitor);
  if (!existing) await removeAttempt(ports, request, entered);
  const availability = await availabilityOf(ports, bill.id);
  return availability.kind === 'available'
    ? { kind: 'stale_form' }
    : viewOfHeldBill(ports, availability, { form, paymentId, visitor });
}

/**
 * Returns where to go when the bill is held: the holder may be the payment of this form, sent just before. A payer who presses
 * the button of another way to pay, which that payment does not give way to, is told so instead of led to its page.
 */
async function viewOfHeldBill(
  ports: StartPaymentPorts,
  availability: Exclude<BillAvailability, { kind: 'available' }>,
  { form, paymentId, visitor }: Pick<PaymentRequest, 'form' | 'paymentId' | 'visitor'>,
): Promise<StartPayment> {
  if (
    availability.kind === 'in_progress' &&
    availability.payment.id === paymentId &&
    visitor.isTheirs(availability.payment)
  )
    return toCardPage(ports, availability, visitor);
  const view = withoutForm(await unavailableView(ports, availability, visitor));
  return view.kind === 'in_progress' &&
    'payment' in availability &&
    availability.payment.method !== form.method
    ? {
        kind: 'pending',
        paymentId: view.paymentId,
        resultUrl: await resultOf(ports, view.paymentId, visitor),
      }
    : view;
}

const resultOf = async (
  { pageSecrets }: StartPaymentPorts,
  paymentId: PaymentId,
  address: ReturnAddress,
): Promise<string> => resultUrl(await pageSecrets(), paymentId, address);

/**
 * Redirects to the card page of an existing payment; a form that is sent twice gets here twice. A payment that is done,
 * was taken over, or whose acquirer is not deployed has no card page: the payer is redirected to its outcome.
 */
async function toCardPage(
  ports: StartPaymentPorts,
  { payment, bill }: PaymentWithBill,
  address: ReturnAddress,
  options: { readonly isNew?: boolean } = {},
): Promise<StartPayment> {
  const hasPage =
    payment.phase === 'AUTHORIZING' &&
    holdsBill({ payment, bill }) &&
    ports.acquirers.named(payment.acquirer) !== undefined;
  const page = hasPage ? await cardPageOf(ports, payment, options) : undefined;
  if (page?.kind === 'open') return { kind: 'started', pageUrl: page.pageUrl };
  if (page?.kind === 'unavailable') return notResponding({ payment, bill });
  if (page?.kind === 'refused') {
    // Releases the bill, so that another method can be tried at once. If this fails, the check does it.
    const found = await resolvePayment(ports, payment.id).catch(() => undefined);
    return found && isFinalPayment(found.payment)
      ? { kind: 'method_refused', method: payment.method }
      : notResponding({ payment, bill });
  }
  return {
    kind: 'pending',
    paymentId: payment.id,
    resultUrl: await resultOf(ports, payment.id, address),
  };
}

/**
 * Take over: cancels the displaced payment, whose payer must no longer be able to pay. If this fails the sweep retries;
 * a payment whose acquirer is not deployed stays on the work list until it is resolved by hand.
 */
async function cancelDisplaced(ports: StartPaymentPorts, bill: Bill): Promise<void> {
  const displaced = paymentUnderWay(bill);
  if (displaced !== undefined) await resolvePayment(ports, displaced).catch(() => undefined);
}

const newPayment = (
  { bill, payerHash, paymentId, browser }: PaymentRequest,
  price: Price,
  {
    acquirer,
    method,
    terms,
    startRequest,
    createdAt,
    contactUntil,
  }: ChosenMethod & Pick<Payment, 'startRequest' | 'createdAt' | 'contactUntil'>,
): Payment => ({
  id: paymentId,
  billId: bill.id,
  billType: bill.type,
  merchantId: bill.merchantId,
  shopId: bill.shopId,
  status: 'PROCESS',
  phase: 'AUTHORIZING',
  acquirer: acquirer.name,
  method,
  holds: terms.holds,
  payableUntil: new Date(createdAt.getTime() + terms.payableMinutes * 60_000),
  reference: undefined,
  startRequest,
  startCall: nextCall(undefined, { now: createdAt }),
  captureCall: undefined,
  cancelCall: undefined,
  refundCall: undefined,
  amount: bill.amount,
  surchargeMinor: price.surchargeMinor,
  payerPaysCommission: bill.payerPaysCommission,
  fee: price.fee,
  settlement: price.settlement,
  reserveTerms: price.reserveTerms,
  receivedMinor: undefined,
  feeMinor: undefined,
  reserve: undefined,
  refunds: undefined,
  providerFeeMinor: undefined,
  fromCard: undefined,
  accountBank: undefined,
  declineReason: undefined,
  outcome: undefined,
  browserHash: browser === undefined ? undefined : hashBrowser(browser),
  cardPage: undefined,
  askedAt: undefined,
  payerHash,
  orderId: bill.orderId,
  custom: bill.custom,
  contactUntil,
  receiptTerms: acquirer.receipts,
  receipt: undefined,
  refundReceipt: undefined,
  createdAt,
  checks: 0,
  deliveredAt: undefined,
  nextCheck: undefined,
  lateQuery: undefined,
  afterCapture: undefined,
  decisions: undefined,
});

const withoutForm = (opened: OpenBill): StartPayment =>
  opened.kind === 'payable' ? { kind: 'stale_form' } : opened;
