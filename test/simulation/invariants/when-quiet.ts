import { Tally } from '../../../lib/operator/audit/tally.ts';
import { toDecimal } from '../../../lib/money/money.ts';
import { isFinalPayment } from '../../../lib/payment/payment.ts';
import { isFinalPayoutStatus } from '../../../lib/payout/states.ts';
import { endpointIdOf, paymentEventId, type PostbackEvent } from '../../../lib/postback/event.ts';
import type { Violation, World } from '../harness/world.ts';
import type { Snapshot } from './records.ts';

/** What is not finished yet; nothing is, once everybody had the time to finish. */
export const unfinished = ({ population }: World, snapshot: Snapshot): readonly string[] => [
  ...snapshot
    .of('payment')
    .filter(({ payment }) => !isFinalPayment(payment) || payment.phase !== 'DONE')
    .map(({ payment }) => `payment ${payment.id} is ${payment.status}/${payment.phase}`),
  ...snapshot
    .of('payout')
    .filter(({ payout }) => !isFinalPayoutStatus(payout.status))
    .map(
      ({ payout }) =>
        `payout ${payout.id} is ${payout.status}/${payout.status === 'PROCESS' ? payout.phase : ''}`,
    ),
  ...snapshot
    .of('event')
    .filter(
      ({ event }) =>
        event.state !== 'DELIVERED' && event.state !== 'SUPERSEDED' && !isGivenUp(population, event),
    )
    .map(({ event }) => `postback ${event.id} is ${event.state}`),
];

/** A server that is dead for good ends its postbacks otherwise: put aside or given up. */
const isGivenUp = ({ deadEndpoints }: World['population'], event: PostbackEvent): boolean =>
  deadEndpoints.includes(endpointIdOf(event)) && (event.state === 'PAUSED' || event.state === 'DEAD');

/** What holds when nothing goes wrong any more and all sweeps have found nothing left to do. */
export function checkQuiet(world: World, snapshot: Snapshot): void {
  const found = [
    ...unfinished(world, snapshot).map((text) => ({ invariant: 'stuck', text })),
    ...unlikeAcquirer(snapshot),
    ...unlikeRail(snapshot),
    ...heldMoney(snapshot),
    ...untold(world, snapshot),
    ...toldTooLate(world, snapshot),
    ...givenUpInSilence(world, snapshot),
  ];
  for (const { invariant, text } of found) world.violate(invariant, text);
}

/** For each payment, the acquirer's captures and refunds equal the journal's. */
function unlikeAcquirer(snapshot: Snapshot): readonly Violation[] {
  const [books, journal] = [new Tally(), new Tally()];
  for (const { kind, subject, amountMinor, currency } of snapshot.movements) {
    if (kind === 'captured') books.add(`${subject} ${currency}`, amountMinor);
    if (kind === 'refunded') books.add(`${subject} ${currency}`, -amountMinor);
  }
  for (const { entry } of snapshot.of('entry'))
    for (const { account, currency, minor } of entry.lines)
      if (account === 'acquirer') journal.add(`${entry.about} ${currency}`, -minor);
  return unlike('acquirer_books', "the acquirer's books", books, journal);
}

/** For each payout, what the provider paid equals the journal, apart from returns. */
function unlikeRail(snapshot: Snapshot): readonly Violation[] {
  const [books, journal] = [new Tally(), new Tally()];
  for (const { kind, subject, amountMinor, currency } of snapshot.movements)
    if (kind === 'paid_out') books.add(`${subject} ${currency}`, amountMinor);
  for (const { entry } of snapshot.of('entry'))
    for (const { account, currency, minor } of entry.lines)
      if (account === 'clearing' && entry.kind === 'SETTLE') journal.add(`${entry.about} ${currency}`, minor);
  return unlike('payout_provider_books', "the rail's books", books, journal);
}

function unlike(invariant: string, whose: string, books: Tally, journal: Tally): readonly Violation[] {
  const names = [...new Set([...books.names(), ...journal.names()])];
  return names
    .filter((name) => books.of(name) !== journal.of(name))
    .map((name) => ({
      invariant,
      text: `${whose} say ${toDecimal(books.of(name))} of ${name}, the journal ${toDecimal(journal.of(name))}`,
    }));
}

const ended = ['captured', 'declined', 'voided', 'refunded', 'never'];

/** No payer's money is held, and no card page is open, for a payment that is over. */
const heldMoney = (snapshot: Snapshot): readonly Violation[] =>
  [...snapshot.orders]
    .filter(([, state]) => !ended.includes(state))
    .map(([payment, state]) => ({ invariant: 'held money', text: `order ${payment} is still ${state}` }));

/** Each DELIVERED event was accepted by its receiver, with the payload of the final state. */
function untold({ receivers }: World, snapshot: Snapshot): readonly Violation[] {
  const taken = new Set(receivers.receipts.flatMap(({ accepted, eventId }) => (accepted ? [eventId] : [])));
  const events = new Map(snapshot.of('event').map(({ event }) => [event.id, event]));
  return [
    ...[...events.values()]
      .filter(({ id, state }) => state === 'DELIVERED' && !taken.has(id))
      .map(({ id }) => ({
        invariant: 'events_match_states',
        text: `postback ${id} is DELIVERED, but nobody took it`,
      })),
    ...snapshot
      .of('payment')
      .filter(({ payment: { id, status, deliveredAt } }) => {
        const event = events.get(paymentEventId(id, status));
        return event?.state === 'DELIVERED' && deliveredAt === undefined;
      })
      .map(({ payment }) => ({
        invariant: 'events_match_states',
        text: `payment ${payment.id} does not know that it was told`,
      })),
    ...receivers.receipts
      .filter(({ eventId, body }) => !body.includes(`Status=${events.get(eventId)?.status ?? '?'}`))
      .map(({ eventId }) => ({
        invariant: 'events_match_states',
        text: `postback ${eventId} told of another state`,
      })),
  ];
}

/** No FAIL of a NORMAL bill is sent by a worker who began after the bill had been paid. */
function toldTooLate({ receivers, watch }: World, snapshot: Snapshot): readonly Violation[] {
  const events = new Map(snapshot.of('event').map(({ event }) => [event.id, event]));
  return receivers.receipts
    .filter(({ eventId, begunIn }) => {
      const bill = events.get(eventId)?.supersededByBill;
      const paidIn = bill === undefined ? undefined : watch.billPaidIn.get(bill);
      return paidIn !== undefined && paidIn < begunIn;
    })
    .map(({ eventId }) => ({
      invariant: 'superseded',
      text: `${eventId} was sent although its bill was paid before`,
    }));
}

/** Nothing that only a person can send again waits for one who was not told. */
const givenUpInSilence = ({ alarms }: World, snapshot: Snapshot): readonly Violation[] =>
  snapshot
    .of('event')
    .filter(
      ({ event }) =>
        (event.state === 'DEAD' && !alarms.has(`postback_dead ${event.id}`)) ||
        (event.state === 'PAUSED' && !alarms.has(`endpoint_paused ${endpointIdOf(event)}`)),
    )
    .map(({ event }) => ({
      invariant: 'silent',
      text: `${event.id} is ${event.state}, and nobody was told`,
    }));
