import {
  deliverNotice,
  sweep,
  sweeps,
  workPayments,
  workPayouts,
  workPostbacks,
  workRetries,
} from './clients/machinery.ts';
import { decide, resolveErrors, resumeEndpoints } from './clients/operator.ts';
import { keysOf } from './harness/keys.ts';
import type { World } from './harness/world.ts';
import { checkMoment } from './invariants/at-any-moment.ts';
import { checkQuiet, unfinished } from './invariants/when-quiet.ts';

const minute = 60_000;
const hour = 60 * minute;
/** Short pauses first, as the retry schedules have, then long ones: eight days in all, so that an endpoint that stays dead is paused, which happens after five. */
const rounds = [
  ...Array<number>(6).fill(2 * minute),
  ...Array<number>(6).fill(16 * minute),
  ...Array<number>(96).fill(2 * hour),
];

/** Ends all faults, lets suspended handlers continue, and runs sweeps, workers and operators until no work is left. */
export async function recover(world: World): Promise<void> {
  world.calmDown();
  await drain(world);
  for (const pause of rounds) {
    world.scheduler.clock += pause;
    for (const payment of world.provider.contradicted) world.provider.tell(payment);
    world.provider.payoutNotices.push(...world.provider.changedPayouts);
    await oneRound(world);
    const snapshot = await checkMoment(world);
    if (world.violations.length > 0) return;
    if (unfinished(world, snapshot).length === 0) return await checkQuiet(world, snapshot);
  }
  await checkQuiet(world, await checkMoment(world));
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
  while (world.provider.notices.length + world.provider.payoutNotices.length > 0)
    await world.pump(deliverNotice(world));
  await work(world);
}

async function work(world: World): Promise<void> {
  const { scheduler, postbacks, retries, payoutMessages, paymentMessages } = world;
  while (paymentMessages.hasVisible(scheduler.clock)) await world.pump(workPayments(world));
  while (payoutMessages.hasVisible(scheduler.clock)) await world.pump(workPayouts(world));
  while (postbacks.hasVisible(scheduler.clock)) await world.pump(workPostbacks(world));
  while (retries.hasVisible(scheduler.clock)) await world.pump(workRetries(world));
}

async function decideAll(world: World): Promise<void> {
  const listed = await world.invoke('list moderating', ({ payouts }) => payouts.listModerating());
  if (listed.kind !== 'done') return;
  for (const payout of listed.done) await decide(world, payout, world.random.happens(0.5));
}
