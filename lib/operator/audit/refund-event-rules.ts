import { paymentIdOfRefund, readRefundId, type RefundId } from '../../ids.ts';
import { chargebackId } from '../../ledger/chargeback.ts';
import { chargebackEvent } from '../../payment/chargeback-postback.ts';
import { chargebackEventId, chargebackIn, type PostbackEvent, subjectOf } from '../../postback/event.ts';
import { refundEvent } from '../../refund/refund-postback.ts';
import { differingNames } from './differing-names.ts';
import { type AnyRule, rule } from './rule.ts';

/** The shortest retention of an event (lib/store/README.md). */
const retentionMs = 90 * 24 * 3600_000;

/** Returns the names of what differs; what an event says never changes after it was written, unlike the attempts to deliver it. */
function differencesOf(event: PostbackEvent, again: PostbackEvent): readonly string[] {
  const { state, attempts, tries, nextAt, fields } = event;
  const order = Object.keys(fields).join(' ') === Object.keys(again.fields).join(' ') ? [] : ['fields'];
  return [
    ...differingNames(event, { ...again, state, attempts, tries, nextAt, fields }),
    // The order is part of what is signed.
    ...order,
    ...differingNames(fields, again.fields),
  ];
}

/** Returns the id of the chargeback that the event is about. */
function chargebackIdOf({ id, kind }: PostbackEvent): string | undefined {
  const named = kind === 'chargeback' ? chargebackIn(id) : undefined;
  return named && chargebackId(named.paymentId, named.number);
}

/** A chargeback event says what its chargeback and its payment say. */
const saysWhatItsChargebackSays = rule({
  invariant: 'events_match_states',
  of: 'event',
  needs: ({ event }) => {
    const [id, paymentId] = [chargebackIdOf(event), chargebackIn(event.id)?.paymentId];
    if (id === undefined || paymentId === undefined) return [];
    return [
      { kind: 'chargeback', id },
      { kind: 'payment', id: paymentId },
    ];
  },
  broken: ({ event }, found) => {
    if (event.kind !== 'chargeback') return [];
    const chargeback = found.one('chargeback', chargebackIdOf(event) ?? '')?.chargeback;
    const payment = chargeback && found.one('payment', chargeback.paymentId)?.payment;
    const again = payment && chargebackEvent(chargeback, payment);
    if (!again) return [`postback ${event.id} is about no chargeback that was posted`];
    const wrong = differencesOf(event, again);
    return wrong.length === 0
      ? []
      : [`postback ${event.id} differs from its chargeback in ${wrong.join(', ')}`];
  },
});

/** The event of a refund says what the refund and its payment say. */
const saysWhatItsRefundSays = rule({
  invariant: 'events_match_states',
  of: 'event',
  needs: ({ event }) => {
    const id = refundOf(event);
    return id === undefined
      ? []
      : [
          { kind: 'refund', id },
          { kind: 'payment', id: paymentIdOfRefund(id) },
        ];
  },
  broken: ({ event }, found) => {
    if (event.kind !== 'refund') return [];
    const refund = found.one('refund', refundOf(event) ?? '')?.refund;
    const payment = refund && found.one('payment', refund.paymentId)?.payment;
    const again = payment && refundEvent(refund, payment);
    if (!again) return [`postback ${event.id} is about no refund that has ended`];
    const wrong = differencesOf(event, again);
    return wrong.length === 0 ? [] : [`postback ${event.id} differs from its refund in ${wrong.join(', ')}`];
  },
});

const refundOf = (event: PostbackEvent): RefundId | undefined =>
  event.kind === 'refund' ? readRefundId(subjectOf(event)) : undefined;

/** A chargeback that was posted has its event for as long as events are retained. */
const postedChargebackHasItsEvent = rule({
  invariant: 'events_match_states',
  of: 'chargeback',
  needs: ({ chargeback }) =>
    chargeback.decision?.posted ? [{ kind: 'event', id: chargebackEventId(chargeback, 'CONFIRMED') }] : [],
  broken: ({ chargeback }, found, now) => {
    const { decision } = chargeback;
    const id = chargebackEventId(chargeback, 'CONFIRMED');
    const isOwed = decision?.posted === true && decision.at.getTime() > now.getTime() - retentionMs;
    return isOwed && !found.one('event', id) ? [`postback ${id} is missing`] : [];
  },
});

/** A loss alone is posted. */
const isPostedAsLoss = rule({
  invariant: 'events_match_states',
  of: 'chargeback',
  needs: () => [],
  broken: ({ chargeback: { id, status, direction, decision } }) =>
    decision?.posted && (status !== 'CONFIRMED' || direction !== 'loss')
      ? [`chargeback ${id} was posted, though it is a ${direction} and ${status}`]
      : [],
});

export const refundEventRules: readonly AnyRule[] = [
  saysWhatItsRefundSays,
  saysWhatItsChargebackSays,
  postedChargebackHasItsEvent,
  isPostedAsLoss,
];
