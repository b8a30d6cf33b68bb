import { createHash } from 'node:crypto';
import { makeBill, lookAround, makePayout, toggleBill } from './clients/merchant.ts';
import { deliverNotice, dueSweep, sweep, workPayouts, workPostbacks } from './clients/machinery.ts';
import { moderate, operate, refresh } from './clients/operator.ts';
import { payer, rivals } from './clients/payer.ts';
import type { Tables } from './harness/tables.ts';
import { World } from './harness/world.ts';
import { checkMoment } from './invariants/at-any-moment.ts';
import { lookAt, scan } from './invariants/records.ts';
import { recover } from './recover.ts';

export type RunOptions = {
  readonly seed: number;
  readonly steps: number;
  /** Called now and then with how far the run is. */
  readonly onStep?: (world: World) => void;
};

const clients = 16;
const checkEvery = 50;

/** One seeded run: chaos for so many steps, then recovery. It ends early at the first violation. */
export async function run(tables: Tables, { seed, steps, onStep }: RunOptions): Promise<World> {
  const [table, sandboxTable] = await Promise.all([
    tables.make(`service-${seed}`),
    tables.make(`sandbox-${seed}`),
  ]);
  const world = new World(seed, table, sandboxTable);
  try {
    await found(world);
    await chaos(world, steps, onStep);
    if (world.violations.length === 0) await recover(world);
    world.digest = await digestOf(world);
    await countOutcomes(world);
    return world;
  } finally {
    await Promise.all([tables.drop(table), tables.drop(sandboxTable)]);
  }
}

async function found(world: World): Promise<void> {
  world.scheduler.faults = false;
  await world.town.settle();
  world.scheduler.faults = true;
}

async function chaos(world: World, steps: number, onStep: RunOptions['onStep']): Promise<void> {
  const { scheduler } = world;
  const until = scheduler.step + steps;
  let busy = 0;
  while (scheduler.step < until && world.violations.length === 0) {
    while (busy < clients) {
      busy += 1;
      void nextClient(world)
        .catch((error: unknown) =>
          world.violate('harness', String(error instanceof Error ? error.stack : error)),
        )
        .finally(() => (busy -= 1));
    }
    await scheduler.turn();
    if (world.chance.happens(0.012)) leap(world);
    if (world.chance.happens(0.003)) scheduler.beginStorm();
    if (scheduler.step % checkEvery === 0) {
      await checkMoment(world);
      onStep?.(world);
    }
  }
}

const minute = 60_000;
const leaps = { 0.3: 6, 1: 8, 5: 4, 16: 9, 25: 1, 61: 1.5, 200: 0.7, 1500: 0.7 } as const;

/** Time does not only pass by the millisecond. */
function leap({ chance, scheduler }: World): void {
  scheduler.clock += Number(chance.weighted(leaps)) * minute;
}

/** Somebody wants something. Workers and sweeps come when there is something for them. */
async function nextClient(world: World): Promise<void> {
  const { chance, scheduler, town, provider } = world;
  const clock = scheduler.clock;
  const sweepDue = dueSweep(world);
  const dead = town.merchants.find((merchant) => town.isDead(merchant));
  const does = chance.weighted({
    payer: town.bills.length > 0 ? 24 : 0,
    rivals: town.bills.length > 0 ? 6 : 0,
    bill: 8,
    toggle: 2,
    look: 2,
    payout: 9,
    moderate: 6,
    operate: 4,
    refresh: dead ? 5 : 0,
    notice: provider.notices.length > 0 ? 14 : 0,
    postback: world.postbacks.hasVisible(clock) ? 22 : 0,
    dispatch: world.payoutMessages.hasVisible(clock) ? 22 : 0,
    sweep: sweepDue ? 5 : 0,
  });
  if (does === 'refresh' && dead) return void (await refresh(world, dead));
  if (does === 'sweep' && sweepDue) return sweep(world, sweepDue);
  const others: Readonly<Record<string, (world: World) => Promise<void>>> = {
    payer,
    rivals,
    bill: makeBill,
    toggle: toggleBill,
    look: lookAround,
    payout: makePayout,
    moderate,
    operate,
    notice: deliverNotice,
    postback: workPostbacks,
    dispatch: workPayouts,
  };
  await others[does]?.(world);
}

async function countOutcomes({ table, provider, outcomes, steps, counted }: World): Promise<void> {
  const add = (what: string) => outcomes.set(what, (outcomes.get(what) ?? 0) + 1);
  const sight = await lookAt(table, provider.table);
  for (const { payment } of sight.of('payment')) add(`payments ${payment.status}`);
  for (const { payout } of sight.of('payout')) add(`payouts ${payout.status}`);
  for (const { event } of sight.of('event')) add(`postbacks ${event.state}`);
  for (const { entry } of sight.of('entry')) add(`entries ${entry.kind}`);
  add(`seeds with an acquirer of ${steps} ${steps === 'one' ? 'step' : 'steps'}`);
  for (const [what, times] of counted) if (/^(alarm|did)/.test(what)) outcomes.set(what, times);
}

/** What both tables hold in the end: the same seed ends with the same. */
async function digestOf({ table, provider, scheduler }: World): Promise<string> {
  const hash = createHash('sha256').update(scheduler.trace);
  for (const each of [table, provider.table]) {
    const items = (await scan(each)).map((item) => stable(item));
    for (const item of items.sort()) hash.update(item);
  }
  return hash.digest('hex').slice(0, 16);
}

const stable = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === 'bigint') return String(each);
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each;
    return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
