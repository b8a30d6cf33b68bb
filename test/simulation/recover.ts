import {
  deliverNotice,
  sweep,
  sweeps,
  workPayments,
  workPayouts,
  workPostbacks,
  workRefunds,
  workRetries,
} from './clients/machinery.ts';
import { toPaymentId } from '../../lib/ids.ts';
import { nextCheckOfDone } from '../../lib/payment/after-capture.ts';
import { isPaid } from '../../lib/payment/payment.ts';
import { decide, resolveErrors, resumeEndpoints, returnRejected } from './clients/operator.ts';
import { keysOf } from './harness/keys.ts';
import type { World } from './harness/world.ts';
import { checkMoment } from './invariants/at-any-moment.ts';
import { type Snapshot, takeSnapshot } from './invariants/records.ts';
import { checkQuiet, unfinished } from './invariants/when-quiet.ts';

const minute = 60_000;
const hour = 60 * minute;
/**
 * Short pauses first, as the retry schedules have, then long ones: ten days in all. An endpoint that stays dead is paused after five,
 * and a payment whose answers were lost for a day is queried for the last time a week after it failed.
 */
const rounds = [
  ...Array<number>(6).fill(2 * minute),
  ...Array<number>(6).fill(16 * minute),
  ...Array<number>(24).fill(2 * hour),
  ...Array<number>(32).fill(6 * hour),
];

/** Ends all faults, lets suspended handlers continue, and runs sweeps, workers and operators until no work is left. */
export async function recover(world: World): Promise<void> {
  world.calmDown();
  await drain(world);
  let idleUntil = 0;
  for (const pause of rounds) {
    world.scheduler.clock = Math.max(world.scheduler.clock + pause, idleUntil);
    await tellChanges(world);
    await oneRound(world);
    const snapshot = await checkMoment(world);
    if (world.violations.length > 0) return;
    if (unfinished(world, snapshot).length === 0) return await checkQuiet(world, snapshot);
    idleUntil = firstLateCheck(world, snapshot);
  }
  await checkQuiet(world, await checkMoment(world));
}

/** When only late queries, checks after the capture and releases of reserves are left, the time of the next one. */
function firstLateCheck(world: World, snapshot: Snapshot): number {
  const waiting = snapshot
    .of('payment')
    .flatMap(({ payment }) => (payment.phase === 'DONE' ? (nextCheckOfDone(payment) ?? []) : []))
    .map((at) => at.getTime());
  return unfinished(world, snapshot).length === waiting.length ? Math.min(...waiting) : 0;
}

/**
 * The providers repeat their notifications about what they changed, and about payments with a chargeback. Where notifications are
 * lost, failed payments are left to the late queries; of paid ones nothing else tells.
 */
async function tellChanges(world: World): Promise<void> {
  const snapshot = await takeSnapshot(world);
  const paid = new Set(
    snapshot.of('payment').flatMap(({ payment }) => (isPaid(payment) ? [payment.id] : [])),
  );
  const claimed = snapshot.of('chargeback').map(({ chargeback }) => chargeback.paymentId);
  for (const provider of world.providers) {
    const changed = await provider.passTime();
    const about = new Set([...changed, ...claimed.filter((payment) => provider.knows(payment))]);
    for (const payment of about)
      if (provider.manners.notices !== 'lost' || paid.has(toPaymentId(payment))) provider.tell(payment);
    provider.payoutNotices.push(...provider.changedPayouts);
  }
}

/** Runs every pending call to its end. */
async function drain({ scheduler }: World): Promise<void> {
  await scheduler.settle();
  while (!scheduler.isIdle) await scheduler.turn();
}

async function oneRound(world: World): Promise<void> {
  for (const name of keysOf(sweeps))
    if (name !== 'run automatic payouts') await world.pump(sweep(world, name));
  await world.pump(decideAll(world));
  await world.pump(resolveErrors(world, ['books']));
  await world.pump(resumeEndpoints(world));
  await world.pump(returnRejected(world));
  while (world.hasNotices) await world.pump(deliverNotice(world));
  await work(world);
}

async function work(world: World): Promise<void> {
  const { scheduler, postbacks, retries, payoutMessages, paymentMessages, refundMessages } = world;
  while (paymentMessages.hasVisible(scheduler.clock)) await world.pump(workPayments(world));
  while (refundMessages.hasVisible(scheduler.clock)) await world.pump(workRefunds(world));
  while (payoutMessages.hasVisible(scheduler.clock)) await world.pump(workPayouts(world));
  while (postbacks.hasVisible(scheduler.clock)) await world.pump(workPostbacks(world));
  while (retries.hasVisible(scheduler.clock)) await world.pump(workRetries(world));
}

async function decideAll(world: World): Promise<void> {
  const listed = await world.invoke('list moderating', ({ payouts }) => payouts.listModerating());
  if (listed.kind !== 'done') return;
  for (const payout of listed.done) await decide(world, payout, world.random.happens(0.5));
}
