import { Tally } from './tally.ts';
import { toDecimal } from '../../../lib/money/money.ts';
import { isFinalPayment } from '../../../lib/payment/payment.ts';
import { isEndedRefund } from '../../../lib/refund/refund.ts';
import { isFinalPayoutStatus } from '../../../lib/payout/states.ts';
import { endpointIdOf, paymentEventId, type PostbackEvent } from '../../../lib/postback/event.ts';
import { unlikeAcquirer } from './acquirer-books.ts';
import { checkReconciled } from './reconciled.ts';
import type { Violation, World } from '../harness/world.ts';
import type { Snapshot } from './records.ts';

/** Lists the payments, payouts and postbacks that are not finished; recovery must leave none. */
export const unfinished = ({ population }: World, snapshot: Snapshot): readonly string[] => [
  ...snapshot
    .of('payment')
    .filter(({ payment }) => !isFinalPayment(payment) || payment.phase !== 'DONE')
    .map(({ payment }) => `payment ${payment.id} is ${payment.status}/${payment.phase}`),
  ...snapshot
    .of('payment')
    .filter(({ payment: { lateQuery } }) => lateQuery !== undefined)
    .map(({ payment: { id, lateQuery } }) => `payment ${id} waits for its query of the ${lateQuery}`),
  ...snapshot
    .of('payment')
    .filter(({ payment: { afterCapture } }) => afterCapture !== undefined)
    .map(
      ({ payment: { id, afterCapture } }) =>
        `payment ${id} waits for its check ${afterCapture?.checks} after the capture`,
    ),
  ...snapshot
    .of('payment')
    .filter(({ payment: { afterCapture, reserve } }) => !afterCapture && reserve?.released === false)
    .map(({ payment: { id } }) => `payment ${id} waits for the release of its reserve`),
  ...snapshot
    .of('refund')
    .filter(({ refund }) => !isEndedRefund(refund))
    .map(({ refund }) => `refund ${refund.id} is ${refund.status}`),
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

/** Postbacks to a server that never recovers end PAUSED or DEAD. */
const isGivenUp = ({ deadEndpoints }: World['population'], event: PostbackEvent): boolean =>
  deadEndpoints.includes(endpointIdOf(event)) && (event.state === 'PAUSED' || event.state === 'DEAD');

/** Checks what holds after the faults have ended and the sweeps find no more work. */
export async function checkQuiet(world: World, snapshot: Snapshot): Promise<void> {
  const found = [
    ...unfinished(world, snapshot).map((text) => ({ invariant: 'stuck', text })),
    ...unlikeAcquirer(snapshot),
    ...unlikeRail(world, snapshot),
    ...(await silentlyChanged(world, snapshot)),
    ...heldMoney(snapshot),
    ...wronglyDelivered(world, snapshot),
    ...sentAfterPaid(world, snapshot),
    ...withoutAlarm(world, snapshot),
  ];
  for (const { invariant, text } of found) world.violate(invariant, text);
  if (world.violations.length === 0) await checkReconciled(world, snapshot);
}

/** `payout_provider_books`, for each payout: the journal's SETTLE entries match what the rail paid, returns aside. */
function unlikeRail({ providers }: World, snapshot: Snapshot): readonly Violation[] {
  const [books, journal] = [new Tally(), new Tally()];
  for (const { kind, subject, amountMinor, currency } of snapshot.movements)
    if (kind === 'paid_out') books.add(`${subject} ${currency}`, amountMinor);
  for (const { entry } of snapshot.of('entry'))
    for (const { account, currency, minor } of entry.lines)
      if (account === 'clearing' && entry.kind === 'SETTLE') journal.add(`${entry.about} ${currency}`, minor);
  const changed = providers.flatMap(({ changedPayouts }) => [...changedPayouts]);
  return unlike('payout_provider_books', "the rail's books", books, journal).filter(
    ({ text }) => !changed.some((payout) => text.includes(payout)),
  );
}

/** The operator receives an alarm for every final payout whose rail now reports the opposite. */
async function silentlyChanged(
  { providers, alarms }: World,
  snapshot: Snapshot,
): Promise<readonly Violation[]> {
  const found: Violation[] = [];
  for (const { payout } of snapshot.of('payout')) {
    const provider = providers.find(({ changedPayouts }) => changedPayouts.has(payout.id));
    if (!provider) continue;
    const [transfer] = await provider.transfersOf(payout.id);
    const undone = payout.status === 'SUCCESS' && transfer?.state === 'refused' && 'payout_undone';
    const late = payout.status === 'FAIL' && transfer?.state === 'paid' && 'paid_after_failure';
    const alarm = undone || late;
    if (alarm && !alarms.has(`${alarm} ${payout.id}`))
      found.push({
        invariant: 'silent',
        text: `payout ${payout.id} was changed at the rail without ${alarm}`,
      });
  }
  return found;
}

function unlike(invariant: string, whose: string, books: Tally, journal: Tally): readonly Violation[] {
  const names = [...new Set([...books.names(), ...journal.names()])];
  return names
    .filter((name) => books.of(name) !== journal.of(name))
    .map((name) => ({
      invariant,
      text: `${whose} have ${toDecimal(books.of(name))} for ${name}, the journal has ${toDecimal(journal.of(name))}`,
    }));
}

const ended = ['captured', 'declined', 'voided', 'refunded', 'never'];

/** After recovery the acquirer holds no authorised money and keeps no card page open. */
const heldMoney = (snapshot: Snapshot): readonly Violation[] =>
  snapshot.orders
    .filter(({ state }) => !ended.includes(state))
    .map(({ paymentId, state }) => ({
      invariant: 'held money',
      text: `order ${paymentId} is still ${state}`,
    }));

/** `events_match_states`: the receiver accepted each DELIVERED event, and every postback reported the final state. */
function wronglyDelivered({ receivers }: World, snapshot: Snapshot): readonly Violation[] {
  const accepted = new Set(
    receivers.receipts.flatMap((receipt) => (receipt.accepted ? [receipt.eventId] : [])),
  );
  const events = new Map(snapshot.of('event').map(({ event }) => [event.id, event]));
  return [
    ...[...events.values()]
      .filter(({ id, state }) => state === 'DELIVERED' && !accepted.has(id))
      .map(({ id }) => ({
        invariant: 'events_match_states',
        text: `postback ${id} is DELIVERED, but its receiver did not accept it`,
      })),
    ...snapshot
      .of('payment')
      .filter(({ payment: { id, status, deliveredAt } }) => {
        const event = events.get(paymentEventId(id, status));
        return event?.state === 'DELIVERED' && deliveredAt === undefined;
      })
      .map(({ payment }) => ({
        invariant: 'events_match_states',
        text: `payment ${payment.id} does not record that its postback was delivered`,
      })),
    ...receivers.receipts
      .filter(({ eventId, body }) => !body.includes(`Status=${events.get(eventId)?.status ?? '?'}`))
      .map(({ eventId }) => ({
        invariant: 'events_match_states',
        text: `postback ${eventId} reported another state`,
      })),
  ];
}

/** A worker that began after a NORMAL bill was paid sends no FAIL for it. */
function sentAfterPaid({ receivers, watch }: World, snapshot: Snapshot): readonly Violation[] {
  const events = new Map(snapshot.of('event').map(({ event }) => [event.id, event]));
  return receivers.receipts
    .filter(({ eventId, begunIn }) => {
      const bill = events.get(eventId)?.supersededByBill;
      const paidIn = bill === undefined ? undefined : watch.billPaidIn.get(bill);
      return paidIn !== undefined && paidIn < begunIn;
    })
    .map(({ eventId }) => ({
      invariant: 'superseded',
      text: `${eventId} was sent after its bill had been paid`,
    }));
}

/** The operator receives an alarm for every postback that only an operator can resend. */
const withoutAlarm = ({ alarms }: World, snapshot: Snapshot): readonly Violation[] =>
  snapshot
    .of('event')
    .filter(
      ({ event }) =>
        (event.state === 'DEAD' && !alarms.has(`postback_dead ${event.id}`)) ||
        (event.state === 'PAUSED' && !alarms.has(`endpoint_paused ${endpointIdOf(event)}`)),
    )
    .map(({ event }) => ({
      invariant: 'silent',
      text: `${event.id} is ${event.state} without an alarm`,
    }));
