import * as z from 'zod/mini';
import { Defect } from '../defect.ts';
import { billStatuses, billTypes } from '../bill/bill.ts';
import { type BillId, billIdOf, type MerchantId, type PaymentId, type ShopId } from '../ids.ts';
import { balanceCurrencies, billCurrencies } from '../money/money.ts';
import type { AfterCapture } from '../payment/after-capture.ts';
import { declineReasons, paymentMethods, receiptStates } from '../payment/acquirer.ts';
import { type Call, callAnswers, callKinds, type CallKind } from '../payment/call.ts';
import {
  handOutcomes,
  lateQueries,
  type Payment,
  type PaymentDecision,
  paymentPhases,
  type RefundTotals,
  type Reserve,
} from '../payment/payment.ts';
import type { ReceiptTerms } from '../payment/receipt.ts';
import { billPartition } from './bill-item.ts';
import { type AttributeOf, orAbsent } from './attributes.ts';
import { listed, listShardOfPayment } from './list-index.ts';
import { minor } from './minor.ts';
import { moment } from './moment.ts';
import { shardOf } from './shards.ts';
import { storedId } from './stored-id.ts';

/** Payment: in its bill's partition; on the work index until it is DONE. */
export const paymentPrefix = 'P#';
export const paymentKey = (id: PaymentId) =>
  ({ PK: billPartition(billIdOf(id)), SK: `${paymentPrefix}${id}` }) as const;
export const paymentIdOfKey = ({ SK }: { readonly SK: string }): PaymentId =>
  storedId<PaymentId>().parse(SK.slice(paymentPrefix.length));

/** Payments whose outcome at the acquirer is open or queried late, and those that are checked after the capture. */
export const paymentList = (shard: string) => `W#PAY#${shard}` as const;
export const afterCaptureList = (shard: string) => `W#PAID#${shard}` as const;

const decision = z.object({
  verdict: z.enum(handOutcomes),
  id: orAbsent(z.string()),
  by: z.string(),
  approvedBy: orAbsent(z.string()),
  reason: z.string(),
  at: moment,
} satisfies Record<AttributeOf<PaymentDecision>, z.ZodMiniType>);

/** The calls under one key, as stored. */
export const callSchema = z.object({
  attempt: z.number(),
  unanswered: z.number(),
  answer: orAbsent(z.enum(callAnswers)),
  outcome: orAbsent(z.string()),
  amountMinor: orAbsent(minor),
  firstAt: moment,
  lastAt: moment,
} satisfies Record<keyof Call, z.ZodMiniType>);

const reserve = z.object({
  minor,
  currency: z.enum(balanceCurrencies),
  releaseAt: moment,
  released: z.boolean(),
} satisfies Record<keyof Reserve, z.ZodMiniType>);

const refundTotals = z.object({
  reservedMinor: minor,
  grossMinor: minor,
  feeMinor: minor,
  refundedMinor: minor,
} satisfies Record<keyof RefundTotals, z.ZodMiniType>);

const afterCapture = z.object({
  fee: orAbsent(z.literal('due')),
  receipt: orAbsent(z.literal('due')),
  refundReceipt: orAbsent(z.literal('due')),
  checks: z.number(),
  dueAt: moment,
} satisfies Record<keyof AfterCapture, z.ZodMiniType>);

const receiptTerms = z.object({
  taxSystem: orAbsent(z.literal([1, 2, 3, 4, 5, 6])),
  vatCode: z.number(),
  subject: z.string(),
  mode: z.string(),
  emailOnly: z.boolean(),
} satisfies Record<AttributeOf<ReceiptTerms>, z.ZodMiniType>);

const item = z.object({
  id: storedId<PaymentId>(),
  billId: storedId<BillId>(),
  billType: z.enum(billTypes),
  merchantId: storedId<MerchantId>(),
  shopId: storedId<ShopId>(),
  status: z.enum(billStatuses).check(z.refine((status) => status !== 'NEW')),
  phase: z.enum(paymentPhases),
  acquirer: orAbsent(z.string()),
  method: orAbsent(z.enum(paymentMethods)),
  holds: orAbsent(z.boolean()),
  payableUntil: orAbsent(moment),
  reference: orAbsent(z.string()),
  startRequest: orAbsent(z.string()),
  startCall: orAbsent(callSchema),
  captureCall: orAbsent(callSchema),
  cancelCall: orAbsent(callSchema),
  refundCall: orAbsent(callSchema),
  amountMinor: minor,
  currency: z.enum(billCurrencies),
  surchargeMinor: minor,
  payerPaysCommission: z.boolean(),
  fee: z.object({ bps: z.number(), fixedMinor: minor, minimumMinor: minor }),
  settlement: z.object({ currency: z.enum(balanceCurrencies), numerator: minor, denominator: minor }),
  reserveTerms: orAbsent(z.object({ basisPoints: z.number(), days: z.number() })),
  receivedMinor: orAbsent(minor),
  feeMinor: orAbsent(minor),
  reserve: orAbsent(reserve),
  refunds: orAbsent(refundTotals),
  providerFeeMinor: orAbsent(minor),
  fromCard: orAbsent(z.string()),
  accountBank: orAbsent(z.string()),
  outcome: orAbsent(z.string()),
  declineReason: orAbsent(z.enum(declineReasons)),
  browserHash: orAbsent(z.string()),
  cardPage: orAbsent(z.string()),
  askedAt: orAbsent(moment),
  payerHash: orAbsent(z.string()),
  orderId: orAbsent(z.string()),
  custom: orAbsent(z.string()),
  contactUntil: orAbsent(moment),
  receiptTerms: orAbsent(receiptTerms),
  receipt: orAbsent(z.enum(receiptStates)),
  refundReceipt: orAbsent(z.enum(receiptStates)),
  createdAt: moment,
  deliveredAt: orAbsent(moment),
  checks: z.number(),
  nextCheck: orAbsent(moment),
  lateQuery: orAbsent(z.enum(lateQueries)),
  afterCapture: orAbsent(afterCapture),
  decisions: orAbsent(z.array(decision)),
} satisfies Record<AttributeOf<Payment>, z.ZodMiniType>);

type Item = z.input<typeof item>;

/** Decisions as stored; absent while there are none. */
const storedDecisions = ({ decisions }: Pick<Payment, 'decisions'>): Item['decisions'] =>
  decisions?.map(({ at, ...said }) => ({ ...said, at: at.toISOString() }));

/** A call as stored. */
export const storedCall = ({ firstAt, lastAt, ...said }: Call): z.input<typeof callSchema> => ({
  ...said,
  firstAt: firstAt.toISOString(),
  lastAt: lastAt.toISOString(),
});
export const callAttribute = (kind: CallKind) => `${kind}Call` as const;

/** What is reserved of a payment, as stored. */
export const storedReserve = ({ reserve: of }: Pick<Payment, 'reserve'>) =>
  of && { ...of, releaseAt: of.releaseAt.toISOString() };

/** What a payment waits for after the capture, as stored. */
export const storedAfterCapture = ({ afterCapture: tasks }: Pick<Payment, 'afterCapture'>) =>
  tasks && { ...tasks, dueAt: tasks.dueAt.toISOString() };

/** The attributes that are removed when a payment leaves the work list. */
export const waitingAttributes = ['workList', 'workDue', 'nextCheck', 'lateQuery'];

type Listed = Pick<Payment, 'id' | 'phase' | 'lateQuery'>;

/**
 * The attributes that list a payment on the work index until it is DONE. Its due time is when the sweep should queue it:
 * its next check, or later while it is queued.
 */
export const onWorkList = (payment: Listed, nextCheck: Date) =>
  payment.phase === 'DONE' ? {} : listedAt(payment, nextCheck);

export function listedAt({ id, phase, lateQuery }: Listed, nextCheck: Date) {
  const at = nextCheck.toISOString();
  const list = phase === 'DONE' && lateQuery === undefined ? afterCaptureList : paymentList;
  return { workList: list(shardOf(id)), workDue: at, nextCheck: at };
}

const attributesOf = ({ amount, ...payment }: Payment): Item => ({
  ...payment,
  amountMinor: amount.minor,
  currency: amount.currency,
  createdAt: payment.createdAt.toISOString(),
  deliveredAt: payment.deliveredAt?.toISOString(),
  askedAt: payment.askedAt?.toISOString(),
  payableUntil: payment.payableUntil.toISOString(),
  contactUntil: payment.contactUntil?.toISOString(),
  startCall: storedCall(payment.startCall),
  captureCall: payment.captureCall && storedCall(payment.captureCall),
  cancelCall: payment.cancelCall && storedCall(payment.cancelCall),
  refundCall: payment.refundCall && storedCall(payment.refundCall),
  reserve: storedReserve(payment),
  nextCheck: payment.nextCheck?.toISOString(),
  afterCapture: storedAfterCapture(payment),
  decisions: storedDecisions(payment),
});

/** The item of a new payment. */
export const paymentItem = (payment: Payment, nextCheck: Date) => ({
  ...paymentKey(payment.id),
  ...attributesOf(payment),
  ...onWorkList(payment, nextCheck),
  ...listed('payment', payment, listShardOfPayment(payment.id)),
});

/** Whether a transition of a payment writes the attribute. The others never change or have a write of their own. */
const isWrittenByMoves: Readonly<Record<AttributeOf<Payment>, boolean>> = {
  id: false,
  billId: false,
  billType: false,
  merchantId: false,
  shopId: false,
  status: true,
  phase: true,
  acquirer: false,
  method: false,
  holds: false,
  payableUntil: false,
  reference: false,
  startRequest: false,
  startCall: false,
  captureCall: false,
  cancelCall: false,
  refundCall: false,
  amountMinor: false,
  currency: false,
  surchargeMinor: false,
  payerPaysCommission: false,
  fee: false,
  settlement: false,
  reserveTerms: false,
  receivedMinor: true,
  feeMinor: true,
  reserve: true,
  refunds: false,
  providerFeeMinor: true,
  fromCard: true,
  accountBank: true,
  outcome: true,
  declineReason: true,
  browserHash: false,
  cardPage: false,
  askedAt: false,
  payerHash: false,
  orderId: false,
  custom: false,
  contactUntil: true,
  receiptTerms: false,
  receipt: true,
  refundReceipt: true,
  createdAt: false,
  deliveredAt: false,
  checks: false,
  nextCheck: false,
  lateQuery: true,
  afterCapture: true,
  decisions: true,
};

const movedAttributeNames = Object.entries(isWrittenByMoves).flatMap(([name, isWritten]) =>
  isWritten ? [name] : [],
);

/** Returns the attributes that the transition writes: those that have a value, and the calls that it begins. */
export function movedAttributes(before: Payment, after: Payment): Readonly<Record<string, unknown>> {
  const begun = callKinds.map(callAttribute).filter((name) => before[name] !== after[name]);
  const written: readonly string[] = [...movedAttributeNames, ...begun];
  return Object.fromEntries(
    Object.entries(attributesOf(after)).filter(
      ([name, value]) => written.includes(name) && value !== undefined,
    ),
  );
}

export function toPayment(raw: unknown): Payment {
  const { amountMinor, currency, status, ...payment } = item.parse(raw);
  if (status === 'NEW') throw new Defect('PAYMENT_NEW', 'A payment is never NEW');
  return { ...payment, ...sentOf(payment), status, amount: { minor: amountMinor, currency } };
}

type Sent = Pick<Payment, 'method' | 'holds' | 'payableUntil' | 'reference' | 'startCall'>;

/**
 * What was sent, also of payments stored before these attributes existed: they were sent to the sandbox, which knows their orders
 * by our id.
 */
function sentOf({
  id,
  method,
  holds = true,
  reference,
  createdAt,
  payableUntil = new Date(createdAt.getTime() + 3600_000),
  startCall,
}: Pick<z.output<typeof item>, 'id' | 'createdAt' | keyof Sent>): Sent {
  const firstCall = {
    attempt: 1,
    unanswered: 0,
    answer: undefined,
    outcome: undefined,
    amountMinor: undefined,
    firstAt: createdAt,
    lastAt: createdAt,
  };
  return {
    method: method ?? 'card',
    holds,
    payableUntil,
    reference: method === undefined ? id : reference,
    startCall: startCall ?? firstCall,
  };
}
