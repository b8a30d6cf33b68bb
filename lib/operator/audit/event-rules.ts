import { type PaymentId, readPaymentId } from '../../ids.ts';
import { isPaid, type Payment } from '../../payment/payment.ts';
import { paymentErrors } from '../../payment/payment-error.ts';
import { paymentEvent } from '../../payment/payment-postback.ts';
import { type PostbackEvent, subjectOf } from '../../postback/event.ts';
import { fieldDifferences } from './field-differences.ts';
import { type AnyRule, type Found, type Ref, rule } from './rule.ts';

/** A rule of payments' events. The returned texts follow "postback <id>"; without its payment nothing is judged but that. */
const ofPaymentEvent = (
  broken: (event: PostbackEvent, payment: Payment, found: Found) => readonly string[],
  beside: (event: PostbackEvent, id: PaymentId) => readonly Ref[] = () => [],
): AnyRule =>
  rule({
    invariant: 'events_match_states',
    of: 'event',
    needs: ({ event }) => {
      const id = paymentOf(event);
      return id === undefined ? [] : [{ kind: 'payment', id }, ...beside(event, id)];
    },
    broken: ({ event }, found) => {
      const id = paymentOf(event);
      const payment = id === undefined ? undefined : found.one('payment', id)?.payment;
      return payment ? broken(event, payment, found).map((text) => `postback ${event.id} ${text}`) : [];
    },
  });

const paymentOf = (event: PostbackEvent): PaymentId | undefined =>
  event.kind === 'payment' ? readPaymentId(subjectOf(event)) : undefined;

const hasItsPayment = rule({
  invariant: 'events_match_states',
  of: 'event',
  needs: ({ event }) => (event.kind === 'payment' ? [{ kind: 'payment', id: subjectOf(event) }] : []),
  broken: ({ event }, found) =>
    event.kind === 'payment' && !found.one('payment', subjectOf(event))
      ? [`postback ${event.id} is about a payment that does not exist`]
      : [],
});

/** What of an event never changes after it was written: all but the attempts to deliver it. */
const fixed = (event: PostbackEvent) => ({
  id: event.id,
  kind: event.kind,
  merchantId: event.merchantId,
  shopId: event.shopId,
  supersededByBill: event.supersededByBill,
  sealedPhone: event.sealedPhone,
  status: event.status,
  // The order is the contract's, and part of what is signed.
  order: Object.keys(event.fields).join(' '),
  ...event.fields,
  ...(event.extended && extension(event.extended, event.status)),
});

/**
 * The further fields of an extended postback. Of a failure, what late money or a late query made known of card and reason is not in its
 * event: only that its reason is one of the list is judged.
 */
function extension(extended: Readonly<Record<string, string>>, status: string) {
  if (status !== 'FAIL') return { extension: Object.keys(extended).join(' '), ...extended };
  const { AccountNumber: _card, ErrorCode: code = '', ErrorMessage: message = '', ...rest } = extended;
  return { ...rest, error: errors[code] === message ? 'of the list' : `${code}: ${message}` };
}

const errors: Readonly<Record<string, string>> = paymentErrors;

/** The event says what its payment says now: neither changes after the outcome. */
const saysWhatItsPaymentSays = ofPaymentEvent((event, payment) =>
  fieldDifferences(
    fixed(event),
    fixed(paymentEvent(payment, { now: event.createdAt, extended: event.extended !== undefined })),
    'its payment',
  ),
);

/** The event of a paid payment was written with its CAPTURE entry. */
const isOfItsCapture = ofPaymentEvent(
  ({ createdAt }, payment, found) => {
    const capture = isPaid(payment) ? found.one('entry', `${payment.id} CAPTURE`)?.entry : undefined;
    return capture && capture.at.getTime() !== createdAt.getTime()
      ? [`is of ${createdAt.toISOString()}, but its CAPTURE entry of ${capture.at.toISOString()}`]
      : [];
  },
  (_event, id) => [{ kind: 'entry', id: `${id} CAPTURE` }],
);

/** A FAIL is not sent once another payment has paid the bill, or when this payment's money was refunded. */
const isSupersededByAnother = ofPaymentEvent(
  ({ state, status }, { id, billId, receivedMinor }, found) => {
    if (state !== 'SUPERSEDED') return [];
    const bill = found.one('bill', billId)?.bill;
    const isPaidByAnother = bill?.type === 'NORMAL' && bill.paidBy !== undefined && bill.paidBy !== id;
    return status === 'FAIL' && (isPaidByAnother || receivedMinor !== undefined)
      ? []
      : ['is SUPERSEDED, but no other payment has paid its bill'];
  },
  ({ state, supersededByBill }, id) =>
    state === 'SUPERSEDED' ? [{ kind: 'bill', id: supersededByBill ?? id.slice(0, 16) }] : [],
);

/** The payment stores the first delivery before the event does. */
const isKnownToItsPayment = ofPaymentEvent(({ state }, { deliveredAt }) =>
  state === 'DELIVERED' && deliveredAt === undefined
    ? ['is DELIVERED, but its payment stores no delivery']
    : [],
);

/** The receiver accepted the last attempt of a delivered event. Nothing is attempted after it without another state. */
const wasAccepted = rule({
  invariant: 'events_match_states',
  of: 'event',
  needs: () => [],
  broken: ({ event: { id, state, attempts } }) =>
    state === 'DELIVERED' && !/^2\d\d$/.test(attempts.at(-1)?.outcome ?? '')
      ? [`postback ${id} is DELIVERED, but its last attempt is ${attempts.at(-1)?.outcome ?? 'missing'}`]
      : [],
});

export const eventRules: readonly AnyRule[] = [
  hasItsPayment,
  saysWhatItsPaymentSays,
  isOfItsCapture,
  isSupersededByAnother,
  isKnownToItsPayment,
  wasAccepted,
];
