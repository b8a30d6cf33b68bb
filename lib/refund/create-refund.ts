import { createHash } from 'node:crypto';
import {
  type Contact,
  noContact,
  contactEndAfter,
  parseContact,
  sealContact,
  type SealedContact,
} from '../bill/contact.ts';
import type { Contacts } from '../bill/ports.ts';
import { withoutCardNumbers } from '../card-number.ts';
import { newRefundId, type PaymentId } from '../ids.ts';
import type { Chargeback, Chargebacks } from '../ledger/chargeback.ts';
import { kindOf, type Log } from '../log.ts';
import { type Caller, whyRefused } from '../merchant/merchant.ts';
import type { Sealer, TermsOf } from '../merchant/ports.ts';
import { type Money, parseAmount } from '../money/money.ts';
import { customerOf } from '../payment/compose-receipt.ts';
import { sealedContactOf } from '../payment/contact.ts';
import { isPaid } from '../payment/payment.ts';
import type { Payments, PaymentWithBill } from '../payment/ports.ts';
import { totalsOf } from '../payment/refund-totals.ts';
import { fail, ok, type Result } from '../result.ts';
import { conflict, retryOnConflict, tooManyConflicts } from '../retry-on-conflict.ts';
import type { RefundClaim, RefundQueue, Refunds } from './ports.ts';
import type { Refund, RefundRequester } from './refund.ts';
import { costOf, refundableMinor, withRefund } from './refund-amounts.ts';
import { refundReserveEntry } from './refund-postings.ts';

export type CreateRefundPorts = {
  readonly refunds: Pick<Refunds, 'find' | 'findClaim' | 'ofPayment' | 'create'>;
  readonly payments: Pick<Payments, 'findWithBill'>;
  readonly chargebacks: Pick<Chargebacks, 'ofPayment'>;
  readonly terms: Pick<TermsOf, 'find'>;
  readonly contacts: Contacts;
  readonly contactSealer: Sealer;
  /** Whether payments of this acquirer can be refunded: it is deployed. Undefined: of payments stored before the name was. */
  readonly isAcquirerDeployed: (name: string | undefined) => boolean;
  readonly refundQueue: Pick<RefundQueue, 'send'>;
  readonly now: () => Date;
  readonly newId: (length: number) => string;
  readonly log: Log;
};

export type CreateRefund = {
  readonly by:
    | { readonly kind: 'merchant'; readonly caller: Caller }
    /** A decision creates one refund, however often it is carried out. */
    | { readonly kind: 'operator'; readonly identity: string; readonly decisionId: string };
  /** Undefined when the text is not a payment id. */
  readonly paymentId: PaymentId | undefined;
  /** `full`: all that is refundable. Of a part the amount as it was spelled, in the bill's currency. */
  readonly amount: { readonly kind: 'full' } | { readonly kind: 'part'; readonly text: string };
  /** For people. It is stored permanently and shown widely: card numbers in it are masked. */
  readonly reason: string | undefined;
  /** Where the fiscal receipt goes, as it was spelled; undefined fields: to the contact that is known. */
  readonly payer: Pick<Contact, 'email' | 'phone'>;
  /** Of the merchant; undefined: each request creates a refund. */
  readonly idempotencyKey: string | undefined;
};

export type CreateRefundRefusal =
  | 'merchant_banned'
  | 'payment_not_found'
  | 'invalid_amount'
  | 'refund_not_available'
  | 'balance_not_enough'
  | 'idempotency_key_reused';

/** A refund of everything names no amount. */
export type FullRefundRefusal = Exclude<CreateRefundRefusal, 'invalid_amount'>;

/** Why a payment cannot be refunded so, of `refund_not_available`. */
export type RefundObstacle =
  /** It was not paid, or not by an order at the acquirer. */
  | { readonly why: 'not_paid' }
  /** A person settled it without an order at the acquirer. */
  | { readonly why: 'no_order' }
  | { readonly why: 'acquirer_not_deployed' }
  | { readonly why: 'more_than_refundable'; readonly refundable: Money }
  /** Its receipt goes to the payer, of whom no e-mail address is known, nor a phone number where one is enough. */
  | { readonly why: 'no_contact'; readonly emailOnly: boolean };

export type CreatedRefund = {
  readonly refund: Refund;
  /** Nothing was created: an earlier request with the same `Idempotency-Key` created it. */
  readonly replayed: boolean;
};
type Created = Result<CreatedRefund, CreateRefundRefusal, RefundObstacle>;

/** Each conflict means that another refund or chargeback of the payment was written. */
const rounds = 20;

/**
 * Creates a refund of a paid payment and reserves what it debits. Of the refunds and chargebacks that are created at once, only those are
 * written that together stay within what was received. The payment of a banned merchant is refunded by the operator alone.
 */
export function createRefund(
  ports: CreateRefundPorts,
  command: CreateRefund & { readonly amount: { readonly kind: 'full' } },
): Promise<Result<CreatedRefund, FullRefundRefusal, RefundObstacle>>;
export function createRefund(ports: CreateRefundPorts, command: CreateRefund): Promise<Created>;
export async function createRefund(ports: CreateRefundPorts, command: CreateRefund): Promise<Created> {
  const { by, paymentId, amount } = command;
  const refusal = by.kind === 'merchant' && whyRefused(by.caller, ['merchant_banned']);
  if (refusal) return fail(refusal);
  if (paymentId === undefined) return fail('payment_not_found');
  const minor = amount.kind === 'full' ? amount.kind : parseAmount(amount.text);
  if (minor === undefined) return fail('invalid_amount');
  const reason = command.reason === undefined ? undefined : withoutCardNumbers(command.reason);
  const request = { ...command, paymentId, minor, reason };
  const created = await retryOnConflict(() => createOnce(ports, request), {
    rounds,
    exhausted: tooManyConflicts('The refunds of a payment'),
  });
  if (created.ok && !created.value.replayed) await enqueue(ports, created.value.refund);
  return created;
}

type Request = Omit<CreateRefund, 'paymentId' | 'amount'> & {
  readonly paymentId: PaymentId;
  readonly minor: bigint | 'full';
};

async function createOnce(ports: CreateRefundPorts, request: Request): Promise<Created | typeof conflict> {
  const claim = claimOf(request);
  const [claimed, found, known] = await Promise.all([
    claim && ports.refunds.findClaim(claim),
    ports.payments.findWithBill(request.paymentId),
    ports.chargebacks.ofPayment(request.paymentId),
  ]);
  if (claim && claimed) {
    if (claimed.fingerprint !== claim.fingerprint) return fail('idempotency_key_reused');
    const refund = await ports.refunds.find(claimed.refundId);
    return refund ? ok({ refund, replayed: true }) : conflict;
  }
  // Another merchant's payment is indistinguishable from a missing one.
  if (!found || (request.by.kind === 'merchant' && found.payment.merchantId !== request.by.caller.merchantId))
    return fail('payment_not_found');
  const done = await createdBefore(ports, request);
  if (done) return ok({ refund: done, replayed: true });
  return createOf(ports, request, { found, known, claim });
}

/**
 * Returns the refund that this decision created. Read after the payment: one that is created since then changes the payment's totals, and
 * so conflicts with this one.
 */
async function createdBefore({ refunds }: CreateRefundPorts, { by, paymentId }: Request) {
  if (by.kind !== 'operator') return undefined;
  const known = await refunds.ofPayment(paymentId);
  return known.find(({ requestedBy }) => requestedBy.kind === 'operator' && requestedBy.id === by.decisionId);
}

type Seen = {
  readonly found: PaymentWithBill;
  readonly known: readonly Chargeback[];
  readonly claim: RefundClaim | undefined;
};

async function createOf(
  ports: CreateRefundPorts,
  request: Request,
  { found, known, claim }: Seen,
): Promise<Created | typeof conflict> {
  const { payment } = found;
  const { currency } = payment.amount;
  const obstacle = whyNotRefunded(ports, payment);
  if (obstacle) return fail('refund_not_available', obstacle);
  const refundable = refundableMinor(payment, known);
  const minor = request.minor === 'full' ? refundable : request.minor;
  if (minor === 0n || minor > refundable)
    return fail('refund_not_available', {
      why: 'more_than_refundable',
      refundable: { minor: refundable, currency },
    });
  const createdAt = ports.now();
  const contact = await contactFor(ports, request, found, createdAt);
  if (contact === 'unknown')
    return fail('refund_not_available', {
      why: 'no_contact',
      emailOnly: payment.receiptTerms?.emailOnly === true,
    });
  const { refundFee } = await ports.terms.find(payment.merchantId, currency);
  const refund: Refund = {
    id: newRefundId(payment.id, ports.newId),
    paymentId: payment.id,
    billId: payment.billId,
    merchantId: payment.merchantId,
    shopId: payment.shopId,
    status: 'NEW',
    amount: { minor, currency },
    ...costOf(payment, minor, refundFee),
    reason: request.reason,
    requestedBy: requesterOf(request),
    acquirer: payment.acquirer,
    call: undefined,
    outcome: undefined,
    errorCode: undefined,
    contactUntil: contact?.until,
    receipt: undefined,
    createdAt,
    endedAt: undefined,
    checks: 0,
    nextCheck: createdAt,
  };
  const written = await ports.refunds.create(refund, {
    payment,
    totals: withRefund(totalsOf(payment), refund),
    chargebacks: known.length,
    entry: refundReserveEntry(refund, createdAt),
    claim,
    contact,
  });
  if (written.ok) return ok({ refund, replayed: false });
  return written.error === 'balance_not_enough' ? fail(written.error) : conflict;
}

const requesterOf = ({ by }: Request): RefundRequester =>
  by.kind === 'merchant' ? { kind: 'merchant' } : { kind: 'operator', by: by.identity, id: by.decisionId };

function whyNotRefunded(
  { isAcquirerDeployed }: CreateRefundPorts,
  payment: PaymentWithBill['payment'],
): RefundObstacle | undefined {
  if (!isPaid(payment)) return { why: 'not_paid' };
  if (payment.reference === undefined) return { why: 'no_order' };
  return isAcquirerDeployed(payment.acquirer) ? undefined : { why: 'acquirer_not_deployed' };
}

/** Every call of a refund, the last after three days and a call's life, sends the same receipt: so long a contact must be stored. */
const contactNeededMs = 5 * 24 * 3600_000;

/** Returns the contact that is stored with the refund; undefined: none is needed. `unknown`: its receipt has no address. */
async function contactFor(
  { contacts, contactSealer }: CreateRefundPorts,
  { payer }: Request,
  found: PaymentWithBill,
  now: Date,
): Promise<SealedContact | undefined | 'unknown'> {
  const { receiptTerms } = found.payment;
  if (!receiptTerms) return undefined;
  const given = parseContact({ ...noContact, ...payer });
  if (given && customerOf(receiptTerms, given))
    return sealContact(contactSealer, given, { billId: found.bill.id, until: contactEndAfter(now) });
  const stored = await sealedContactOf(contacts, found);
  const isLongStored = stored && stored.until.getTime() - now.getTime() >= contactNeededMs;
  return isLongStored && customerOf(receiptTerms, stored.masks) ? undefined : 'unknown';
}

function claimOf({ by, idempotencyKey, paymentId, minor, reason }: Request): RefundClaim | undefined {
  if (by.kind !== 'merchant' || idempotencyKey === undefined) return undefined;
  // Of the contact no hash: it would be personal data.
  const matters = JSON.stringify([paymentId, minor.toString(), reason]);
  const fingerprint = createHash('sha256').update(matters).digest('hex');
  return { merchantId: by.caller.merchantId, key: idempotencyKey, fingerprint };
}

/** The sweep finds a refund whose message was lost. */
const enqueue = ({ refundQueue, log }: CreateRefundPorts, { id, billId }: Refund): Promise<void> =>
  refundQueue.send(id, { group: billId }).catch((error: unknown) => {
    log('error', 'refund_not_queued', { refund: id, ...kindOf(error) });
  });
