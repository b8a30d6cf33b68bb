import type { Chargeback } from '../ledger/chargeback.ts';
import { expectedMinor } from '../ledger/chargeback.ts';
import { isPaymentId, isPayoutId, isRefundId } from '../ids.ts';
import type { Entry } from '../ledger/entry.ts';
import type { AcquirerView } from '../payment/acquirer.ts';
import { isPaid, type Payment } from '../payment/payment.ts';
import { totalsOf } from '../payment/refund-totals.ts';
import type { Payout } from '../payout/payout.ts';
import { type Refund, refundCallKey } from '../refund/refund.ts';
import type { RailView } from '../payout/payout-rail.ts';
import { isMatchedIn, type Period } from './day.ts';
import { type Movement, movementOf, type ProviderLine, subjectOf } from './movement.ts';
import type { Difference, DifferenceReason, Side } from './reconciliation.ts';

/*
 * What a line without a movement, or a movement without a line, means. Pure: what was looked up about it is given.
 */

/** `elsewhere`: both sides agree, on days that are further than 15 minutes apart. `same`: they agree in this day. */
export type Finding =
  | { readonly is: 'same' | 'elsewhere' | 'explained' | 'foreign' }
  | { readonly is: 'difference'; readonly difference: Difference };

/** A line about one of our payments, with what is known of it here. */
type LineFacts = {
  readonly line: ProviderLine;
  readonly day: Period;
  /** Whether another line of the day, under another reference, was matched with its movement. */
  readonly isSecond: boolean;
  readonly entries: readonly Entry[];
};

const same: Finding = { is: 'same' };
const elsewhere: Finding = { is: 'elsewhere' };
const explained: Finding = { is: 'explained' };

/** The payment behind a payment line or one of our refunds. */
export type PaymentFacts = LineFacts & {
  readonly payment: Payment | undefined;
  /** The refund that the line names; undefined for other lines, and where it is not stored. */
  readonly refund: Refund | undefined;
  /** Whether a person closed the order as unknown (`payments close`). */
  readonly isClosed: boolean;
  /** What the acquirer holds of the payment now; undefined while not asked. */
  readonly heldMinor: bigint | undefined;
  /** The sum of the lines that correct the amount of its order. */
  readonly correctedMinor: bigint;
  readonly chargebacks: readonly Chargeback[];
};

/**
 * Whether the acquirer's view decides: amounts differ, money came for a payment that had failed, or a refund here did not succeed, or under
 * another attempt.
 */
export function needsView({
  line,
  payment,
  entries,
  refund,
}: Pick<PaymentFacts, 'line' | 'payment' | 'entries' | 'refund'>): boolean {
  const movement = movementFor(line, entries);
  if (isOtherAttempt(line, refund)) return true;
  if (!movement) return payment?.status === 'FAIL' || isRefundId(subjectOf(line));
  return payment !== undefined && !isEqual(line, movement);
}

/** Whether the line is of an attempt before the last: the refund was carried out under the last, so this one went back as well. */
const isOtherAttempt = ({ ourId }: ProviderLine, refund: Refund | undefined): boolean =>
  refund?.call !== undefined && ourId !== refundCallKey(refund.id, refund.call);

/** Judges a line that names one of our payments and has no movement in the day. */
export function judgePaymentLine(facts: PaymentFacts): Finding {
  const { line, day, payment, entries, isClosed } = facts;
  if (!payment) return isClosed ? explained : missingHere(line, 'unknown_id');
  if (isRefundId(subjectOf(line)) && !facts.refund) return missingHere(line, 'unknown_id');
  if (!isOrderOf(payment, line)) return isClosed ? explained : missingHere(line, 'another_reference');
  if (facts.isSecond) return missingHere(line, 'another_reference');
  const movement = movementFor(line, entries);
  const by = decidedBy(payment.decisions);
  if (!movement && isAsExpected(facts, payment)) return explained;
  if (!movement)
    return different('state', line, {
      here: { ...nothing, state: facts.refund?.status ?? statusOf(payment) },
      decidedBy: by,
    });
  if (isOtherAttempt(line, facts.refund))
    return isAsExpected(facts, payment) ? explained : missingHere(line, 'another_reference');
  if (line.currency !== movement.currency) return differs('currency', line, movement, by);
  if (isEqual(line, movement)) return isMatchedIn(day, movement.at) ? same : elsewhere;
  // Without an item or a line that tells of it, a captured amount has no second reading: the provider contradicts itself.
  const mayDiffer = line.kind === 'refund' || facts.chargebacks.length > 0 || isCorrected(facts, movement);
  return mayDiffer && isAsExpected(facts, payment) ? explained : differs('amount', line, movement, by);
}

/** Whether the amount was corrected before it was booked: no item tells of that, as the order's first answer had the new amount. */
const isCorrected = ({ line, correctedMinor }: PaymentFacts, { amountMinor }: Movement): boolean =>
  line.amountMinor + correctedMinor === amountMinor;

/**
 * Judges a refund or a correction that carries no id of ours, of an order that is ours: made in the provider's cabinet, or by a
 * cardholder's bank. Chargeback items tell of it, or the refund that we had asked for came about that way.
 */
export function judgeChange(facts: PaymentFacts & { readonly payment: Payment }): Finding {
  const { line, payment } = facts;
  if (isAsExpected(facts, payment)) return explained;
  return different('missing_here', line, {
    why: 'not_asked_for',
    subject: payment.id,
    here: { ...nothing, state: statusOf(payment) },
  });
}

/**
 * Whether the acquirer holds what it should: what was received less our refunds and known chargebacks, or nothing of a failed payment. What
 * came after the failure may have gone back in the provider's cabinet alone; what was booked needs a REFUND.
 */
function isAsExpected(
  { heldMinor, chargebacks, entries }: Pick<PaymentFacts, 'heldMinor' | 'chargebacks' | 'entries'>,
  payment: Payment,
): boolean {
  if (isPaid(payment)) return heldMinor === shouldHold(payment, chargebacks);
  const isBooked = entries.some((entry) => movementOf(entry)?.kind === 'payment');
  const isRefunded = entries.some(({ kind }) => kind === 'REFUND');
  return (
    heldMinor === 0n && payment.status === 'FAIL' && payment.phase === 'DONE' && (isRefunded || !isBooked)
  );
}

/** What the acquirer should hold of a paid payment. */
const shouldHold = (payment: Payment, chargebacks: readonly Chargeback[]): bigint =>
  expectedMinor(payment.receivedMinor ?? 0n, chargebacks) - totalsOf(payment).refundedMinor;

/** A payment has one order. Payments of earlier versions have no name of an acquirer and went to the sandbox. */
const isOrderOf = ({ acquirer = 'sandbox', reference }: Payment, line: ProviderLine): boolean =>
  acquirer === line.provider &&
  (reference === undefined || reference === (line.orderReference ?? line.reference));

export type PayoutFacts = LineFacts & { readonly payout: Payout | undefined };

/** Judges a payout line without a movement in the day. */
export function judgePayoutLine({ line, day, payout, entries, isSecond }: PayoutFacts): Finding {
  if (!payout) return missingHere(line, 'unknown_id');
  const movement = movementFor(line, entries);
  const by = decidedBy(payout.decisions);
  const isOther =
    isSecond ||
    (payout.rail !== undefined && payout.rail !== line.provider) ||
    (payout.reference !== undefined && payout.reference !== line.reference);
  // Another attempt of a payout that is not paid here: the money has left.
  if (!movement)
    return different('state', line, {
      why: isOther ? 'another_reference' : undefined,
      here: { ...nothing, state: payout.status },
      decidedBy: by,
    });
  if (isOther) return missingHere(line, 'another_reference');
  if (line.currency !== movement.currency) return differs('currency', line, movement, by);
  if (!isEqual(line, movement)) return differs('amount', line, movement, by);
  return isMatchedIn(day, movement.at) ? same : elsewhere;
}

/** What is known of a movement without a line. `view` undefined: the provider has no such order or transfer. */
export type MovementFacts<Subject, View> = {
  readonly movement: Movement;
  readonly day: Period;
  readonly subject: Subject;
  readonly provider: string;
  readonly view: View | undefined;
  readonly entries: readonly Entry[];
};

/**
 * Judges a payment or a refund of the journal without a line in the day. A payment that began before the day, or that people
 * settled, may be on the statement of another day.
 */
export function judgePayment(
  facts: MovementFacts<Payment, AcquirerView> & { readonly chargebacks: readonly Chargeback[] },
): Finding {
  const { movement, day, subject: payment, view, chargebacks } = facts;
  const aside = {
    subject: movement.subject,
    reference: payment.reference,
    decidedBy: decidedBy(payment.decisions),
  };
  const missing = (why: DifferenceReason, there: Side | undefined) =>
    absent(facts, { kind: 'missing_there', why, there, ...aside });
  if (!view) return missing('no_order', undefined);
  if (view.state !== 'captured')
    return absent(facts, {
      kind: 'state',
      why: undefined,
      there: { ...nothing, state: view.state },
      ...aside,
    });
  const there: Side = {
    ...nothing,
    state: 'captured',
    amountMinor: view.amountMinor,
    currency: movement.currency,
  };
  if (movement.kind === 'refund') {
    const refunded: Side = { ...there, amountMinor: view.refundedMinor };
    // A statement may have it on the day when it was asked for, or as refunds that were made in the provider's cabinet.
    const heldMinor = view.amountMinor - view.refundedMinor;
    const isBack = isPaid(payment)
      ? heldMinor <= shouldHold(payment, chargebacks)
      : view.refundedMinor >= movement.amountMinor;
    if (isBack) return elsewhere;
    return absent(facts, { kind: 'missing_there', why: undefined, there: refunded, ...aside });
  }
  if (view.amountMinor !== movement.amountMinor)
    return absent(facts, { kind: 'amount', why: undefined, there, ...aside });
  const isLate = payment.createdAt < day.from || aside.decidedBy !== undefined;
  return isLate ? elsewhere : missing('not_stated', there);
}

/** Judges a paid payout without a line in the day. */
export function judgePayout(facts: MovementFacts<Payout, RailView>): Finding {
  const { day, subject: payout, view, entries } = facts;
  if (entries.some(({ kind }) => kind === 'RETURN')) return explained;
  const aside = { subject: payout.id, reference: payout.reference, decidedBy: decidedBy(payout.decisions) };
  if (!view || view.state === 'unknown')
    return absent(facts, { kind: 'missing_there', why: 'no_order', there: undefined, ...aside });
  const there: Side = { ...nothing, state: view.state };
  if (view.state !== 'paid') return absent(facts, { kind: 'state', why: undefined, there, ...aside });
  const isLate = payout.createdAt < day.from || aside.decidedBy !== undefined;
  return isLate ? elsewhere : absent(facts, { kind: 'missing_there', why: 'not_stated', there, ...aside });
}

/** Judges a movement whose payment or payout is not stored: nobody can say which provider has it. */
export const judgeOrphan = (movement: Movement): Finding =>
  absent(
    { movement, provider: undefined },
    {
      kind: 'missing_there',
      why: 'no_order',
      there: undefined,
      subject: movement.subject,
      reference: undefined,
      decidedBy: undefined,
    },
  );

/** Returns what the journal has of a line, whatever its amount. */
export function movementFor(line: ProviderLine, entries: readonly Entry[]): Movement | undefined {
  return entries.flatMap((entry) => movementOf(entry) ?? []).find(({ kind }) => kind === line.kind);
}

const isEqual = (line: ProviderLine, movement: Movement): boolean =>
  line.amountMinor === movement.amountMinor && line.currency === movement.currency;

/** `FAIL`, or `PROCESS/CAPTURING` while something is open at the acquirer. */
const statusOf = ({ status, phase }: Payment): string => (phase === 'DONE' ? status : `${status}/${phase}`);

/** The verdicts that decide an outcome in place of the provider. */
const byHand: readonly string[] = ['captured', 'failed', 'paid', 'returned'];

function decidedBy(
  decisions:
    | readonly { readonly verdict: string; readonly by: string; readonly approvedBy: string | undefined }[]
    | undefined,
): string | undefined {
  const last = decisions?.findLast(({ verdict }) => byHand.includes(verdict));
  return last?.approvedBy ?? last?.by;
}

const nothing: Side = { state: undefined, amountMinor: undefined, currency: undefined, at: undefined };

const thereOf = ({ amountMinor, currency, at }: ProviderLine): Side => ({
  ...nothing,
  amountMinor,
  currency,
  at,
});
const hereOf = ({ amountMinor, currency, at, entry }: Movement): Side => ({
  state: entry,
  amountMinor,
  currency,
  at,
});

/** Our id, where the provider's text has the shape of one. */
const subjectOfLine = (line: ProviderLine): string | undefined => {
  const subject = subjectOf(line);
  return isPaymentId(subject) || isPayoutId(subject) || isRefundId(subject) ? subject : undefined;
};

function different(
  kind: Difference['kind'],
  line: ProviderLine,
  more: Partial<Pick<Difference, 'why' | 'here' | 'subject' | 'decidedBy'>>,
): Finding {
  return {
    is: 'difference',
    difference: {
      kind,
      about: line.kind,
      why: more.why,
      provider: line.provider,
      subject: more.subject ?? subjectOfLine(line),
      reference: line.reference,
      there: thereOf(line),
      here: more.here,
      decidedBy: more.decidedBy,
    },
  };
}

/** The difference of a line that the journal does not have. */
export const missingHere = (line: ProviderLine, why: DifferenceReason): Finding =>
  different('missing_here', line, { why });
/** A line and its movement that differ in amount or currency. */
const differs = (
  kind: 'amount' | 'currency',
  line: ProviderLine,
  movement: Movement,
  by: string | undefined,
): Finding => different(kind, line, { here: hereOf(movement), decidedBy: by });

const absent = (
  { movement, provider }: { readonly movement: Movement; readonly provider: string | undefined },
  more: Pick<Difference, 'kind' | 'why' | 'there' | 'subject' | 'reference' | 'decidedBy'>,
): Finding => ({
  is: 'difference',
  difference: {
    about: movement.kind === 'refund' ? 'refund' : movement.kind === 'payout' ? 'payout' : 'payment',
    provider,
    here: hereOf(movement),
    ...more,
  },
});

/** Judges the fee of a matched payment. `fee` undefined: none is booked, in any day. */
export function judgeFee(
  line: ProviderLine,
  { fee, isDue }: { readonly fee: Movement | undefined; readonly isDue: boolean },
): Difference | 'equal' | 'due' {
  // Booked as the order's own view told it; the statement tells none.
  if (fee && line.feeMinor === undefined) return 'equal';
  if (fee && fee.amountMinor === line.feeMinor && fee.currency === line.currency) return 'equal';
  if (!fee && line.feeMinor === 0n) return 'equal';
  if (!fee && isDue) return 'due';
  return {
    kind: 'fee',
    about: 'payment',
    why: undefined,
    provider: line.provider,
    subject: subjectOfLine(line),
    reference: line.reference,
    there: { ...nothing, amountMinor: line.feeMinor, currency: line.currency, at: line.at },
    here: fee && hereOf(fee),
    decidedBy: undefined,
  };
}
