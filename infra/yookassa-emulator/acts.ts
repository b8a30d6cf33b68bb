import { newAuthCode, newRrn, newSbpOperationId } from './ids.ts';
import { authorize, cancel, decline } from './payments.ts';
import type { PaidByCard, PaidBySbp, PaymentRecord } from './records.ts';
import { outcomeOfCard, type CardOutcome } from './test-cards.ts';
import type { World } from './world.ts';

/** A card that passed the page's form: digits only, the month in two digits, the year in four. */
export type PayerCard = {
  readonly number: string;
  readonly expiryMonth: string;
  readonly expiryYear: string;
};

/** What follows a payer's act. */
export type PayerResult =
  /** The payer's bank asks for a 3-D Secure code. */
  | { readonly kind: 'challenge'; readonly payment: PaymentRecord }
  /** The payer confirms in the app of a bank. */
  | { readonly kind: 'bank'; readonly payment: PaymentRecord }
  /** Paid, held or declined. */
  | { readonly kind: 'ended'; readonly payment: PaymentRecord }
  /** Nothing happened: the payment has ended, waits for something else, or cannot be paid in this way. */
  | { readonly kind: 'not_possible'; readonly payment: PaymentRecord };

export type PayerMethod = 'bank_card' | 'sbp';

/** The methods that the hosted page offers. SBP cannot hold money, so a payment in two steps is paid by card. */
export function methodsOf({ method, capture }: PaymentRecord): readonly PayerMethod[] {
  if (method !== undefined) return [method];
  return capture ? ['bank_card', 'sbp'] : ['bank_card'];
}

const mayPay = (payment: PaymentRecord, method: PayerMethod): boolean =>
  payment.status === 'pending' && methodsOf(payment).includes(method);

/** The payer submits the card form. Numbers other than the test cards are declined as invalid. */
export function payByCard(world: World, payment: PaymentRecord, card: PayerCard): PayerResult {
  if (!mayPay(payment, 'bank_card')) return { kind: 'not_possible', payment };
  const outcome = outcomeOf(card, payment);
  if (outcome.kind === 'refused')
    return { kind: 'ended', payment: decline(world, payment, paidBy(card, false), outcome.reason) };
  const paidWith = paidBy(card, outcome.threeDSecure);
  if (!outcome.threeDSecure)
    return { kind: 'ended', payment: authorize(world, payment, paidWith, world.clock.now()) };
  return { kind: 'challenge', payment: wait(world, { ...payment, step: { kind: '3ds', paidWith } }) };
}

/** The largest payment by card, in minor units. */
const largestByCard = 350_000_00;

function outcomeOf({ number }: PayerCard, { askedMinor }: PaymentRecord): CardOutcome {
  if (askedMinor > largestByCard) return { kind: 'refused', reason: 'payment_method_limit_exceeded' };
  return outcomeOfCard(number) ?? { kind: 'refused', reason: 'invalid_card_number' };
}

/** The payer answers the bank's 3-D Secure page: with the code, or by refusing. */
export function answerChallenge(world: World, payment: PaymentRecord, confirmed: boolean): PayerResult {
  const { status, step } = payment;
  if (status !== 'pending' || step?.kind !== '3ds') return { kind: 'not_possible', payment };
  const ended = confirmed
    ? authorize(world, payment, step.paidWith, world.clock.now())
    : decline(world, payment, step.paidWith, '3d_secure_failed');
  return { kind: 'ended', payment: ended };
}

/** The payer chooses SBP on the hosted page. */
export function chooseSbp(world: World, payment: PaymentRecord): PayerResult {
  if (!mayPay(payment, 'sbp')) return { kind: 'not_possible', payment };
  return { kind: 'bank', payment: wait(world, { ...payment, step: { kind: 'sbp' } }) };
}

/** The payer confirms in the app of a bank. A refusal changes nothing there: the payment can still be paid. */
export function paySbp(world: World, payment: PaymentRecord): PayerResult {
  if (!mayPay(payment, 'sbp')) return { kind: 'not_possible', payment };
  return { kind: 'ended', payment: authorize(world, payment, anSbpPayer(), world.clock.now()) };
}

/** The payment network ends a payment for the given reason, without an act of the payer. */
export function declinePayment(world: World, payment: PaymentRecord, reason: string): PayerResult {
  if (payment.status !== 'pending') return { kind: 'not_possible', payment };
  const party = 'payment_network';
  return { kind: 'ended', payment: cancel(world, payment, { party, reason }) };
}

/** The payer of a payment that succeeds without its page, in a way that the payment allows. */
export const somePayer = (payment: PaymentRecord): PaidByCard | PaidBySbp =>
  methodsOf(payment).includes('bank_card')
    ? paidBy({ number: '5555555555554444', expiryMonth: '12', expiryYear: '2099' }, false)
    : anSbpPayer();

function wait(world: World, payment: PaymentRecord): PaymentRecord {
  world.state.save(payment);
  return payment;
}

const paidBy = ({ number, expiryMonth, expiryYear }: PayerCard, threeDSecure: boolean): PaidByCard => ({
  type: 'bank_card',
  first6: number.slice(0, 6),
  last4: number.slice(-4),
  expiryMonth,
  expiryYear,
  rrn: newRrn(),
  authCode: newAuthCode(),
  threeDSecure,
});

/** A payer at a bank of the emulator's own list. */
const anSbpPayer = (): PaidBySbp => ({
  type: 'sbp',
  operationId: newSbpOperationId(),
  bankId: '100000000111',
  bic: '044525225',
});
