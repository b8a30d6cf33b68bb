import { createHash } from 'node:crypto';
import { cancel, makeBill, lookAround, makePayout, toggleBill } from './clients/merchant.ts';
import {
  deliverNotice,
  dueSweep,
  sweep,
  workPayments,
  workPayouts,
  workPostbacks,
  workRefunds,
  workRetries,
} from './clients/machinery.ts';
import { moderate, operate, refresh } from './clients/operator.ts';
import { payer, rivals } from './clients/payer.ts';
import { refund } from './clients/refunds.ts';
import { type Client, type Focus, focuses } from './harness/focus.ts';
import type { CrashPoint } from './harness/crash-points.ts';
import type { Manners } from './harness/manner-sets.ts';
import { scan } from './harness/scan.ts';
import type { Tables } from './harness/tables.ts';
import { deadUrl, hasReserves } from './harness/population.ts';
import { stable } from './harness/stable.ts';
import { World } from './harness/world.ts';
import { checkMoment } from './invariants/at-any-moment.ts';
import { takeSnapshot } from './invariants/records.ts';
import { recover } from './recover.ts';

export type RunOptions = {
  readonly seed: number;
  readonly steps: number;
  readonly focus?: Focus;
  /** Transactions hold their items for some steps and refuse conflicting writes meanwhile. */
  readonly locks?: boolean;
  /** How the providers behave; drawn from the seed unless given. */
  readonly manners?: Manners;
  /** The crash that must happen; the run ends soon after it. */
  readonly aim?: CrashPoint;
  /** Called every 50 steps, to show progress. */
  readonly onStep?: (world: World) => void;
};

const checkEvery = 50;
const minute = 60_000;
/** Enough for other handlers to meet the state that the crash left. */
const stepsAfterAim = 250;

/** Runs one seed: `steps` steps under faults, then recovery. Ends early at the first violation. */
export async function run(
  tables: Tables,
  { seed, steps, focus = 'mixed', locks = false, manners, aim, onStep }: RunOptions,
): Promise<World> {
  const [table, sandboxTable, secondTable] = await Promise.all([
    tables.make(`service-${seed}`),
    tables.make(`sandbox-${seed}`),
    tables.make(`second-${seed}`),
  ]);
  const world = new World(
    { seed, focus, locks, ...(manners && { manners }) },
    { table, sandboxTable, secondTable },
  );
  try {
    await setUp(world);
    world.aim = aim;
    world.scheduler.aim = aim;
    await chaos(world, steps, onStep);
    if (world.violations.length === 0) await recover(world);
    world.digest = await digestOf(world);
    await countOutcomes(world);
    return world;
  } finally {
    await Promise.all([table, sandboxTable, secondTable].map((each) => tables.drop(each)));
  }
}

async function setUp(world: World): Promise<void> {
  world.scheduler.faults = false;
  await world.population.settle();
  if (world.focus === 'payouts')
    for (const { id } of world.population.merchants) await world.population.fund(id, 2_000_000n);
  world.scheduler.faults = true;
  world.receivers.isDead = (url) => url === deadUrl;
}

async function chaos(world: World, steps: number, onStep: RunOptions['onStep']): Promise<void> {
  const { scheduler } = world;
  const { clients, leaps } = focuses[world.focus];
  const begun = scheduler.step;
  let until = begun + steps;
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
    if (world.providers.length > 1) world.record = recordAt((scheduler.step - begun) / steps);
    if (scheduler.aim && scheduler.crashPoints.has(scheduler.aim)) {
      until = Math.min(until, scheduler.step + stepsAfterAim);
      scheduler.aim = undefined;
    }
    if (world.random.happens(0.012)) scheduler.clock += Number(world.random.weighted<string>(leaps)) * minute;
    // The first reserves become due while faults happen.
    if (hasReserves(world.seed) && scheduler.step === begun + Math.floor(steps / 2))
      scheduler.clock += 25 * 60 * minute;
    if (world.random.happens(0.003)) scheduler.beginStorm();
    if (scheduler.step % checkEvery === 0) {
      await checkMoment(world);
      onStep?.(world);
    }
  }
}

/** The record changes after a third of the run; then the first provider is not deployed for a while, and is again. */
function recordAt(part: number): World['record'] {
  if (part < 0.35) return 'first';
  return part > 0.55 && part < 0.7 ? 'without_first' : 'second';
}

/** Runs one client, drawn by weight. Workers and sweeps are drawn only when they have work. */
async function nextClient(world: World): Promise<void> {
  const { random, scheduler, population } = world;
  const clock = scheduler.clock;
  const sweepDue = dueSweep(world);
  const dead = population.merchants.find((merchant) => population.hasDeadToken(merchant));
  const { weights } = focuses[world.focus];
  const hasBills = population.bills.length > 0;
  const isWanted: Readonly<Partial<Record<Client, boolean>>> = {
    payer: hasBills,
    rivals: hasBills,
    refresh: dead !== undefined,
    notice: world.hasNotices,
    postback: world.postbacks.hasVisible(clock),
    retry: world.retries.hasVisible(clock),
    dispatch: world.payoutMessages.hasVisible(clock),
    check: world.paymentMessages.hasVisible(clock),
    refund_check: world.refundMessages.hasVisible(clock),
    sweep: sweepDue !== undefined,
  };
  const does = random.weighted<Client>(weights, (client) => isWanted[client] ?? true);
  if (does === 'refresh') {
    if (dead) await refresh(world, dead);
    return;
  }
  if (does === 'sweep' && sweepDue) return sweep(world, sweepDue);
  const others: Readonly<Record<string, (world: World) => Promise<void>>> = {
    payer,
    rivals,
    bill: makeBill,
    toggle: toggleBill,
    look: lookAround,
    payout: makePayout,
    refund,
    cancel,
    moderate,
    operate,
    notice: deliverNotice,
    postback: workPostbacks,
    retry: workRetries,
    dispatch: workPayouts,
    check: workPayments,
    refund_check: workRefunds,
  };
  await others[does]?.(world);
}

async function countOutcomes(world: World): Promise<void> {
  const { outcomes, counted } = world;
  const add = (what: string) => outcomes.set(what, (outcomes.get(what) ?? 0) + 1);
  const snapshot = await takeSnapshot(world);
  for (const { payment } of snapshot.of('payment')) {
    add(`payments ${payment.status}`);
    add(`payments by ${payment.method}${payment.holds ? ' in two steps' : ''}`);
  }
  for (const { refund: each } of snapshot.of('refund')) {
    add(`refunds ${each.status}`);
    if (each.feeReturnedMinor > 0n) add('refunds that return a part of the fee');
    if (each.debit.currency !== each.amount.currency) add('refunds settled in another currency');
  }
  for (const { chargeback } of snapshot.of('chargeback')) add(`chargebacks ${chargeback.status}`);
  for (const { payout } of snapshot.of('payout')) add(`payouts ${payout.status}`);
  for (const { event } of snapshot.of('event')) add(`postbacks ${event.state}`);
  for (const { entry } of snapshot.of('entry')) add(`entries ${entry.kind}`);
  add(`seeds with manners ${world.manners}`);
  for (const [what, times] of counted) if (/^(alarm|did)/.test(what)) outcomes.set(what, times);
}

/** Hash of the trace and of the final contents of both tables: equal for two runs of one seed. */
async function digestOf({ table, providers, scheduler }: World): Promise<string> {
  const hash = createHash('sha256').update(scheduler.trace);
  for (const each of [table, ...providers.map((provider) => provider.table)]) {
    const items = (await scan(each)).map((item) => stable(item));
    for (const item of items.sort()) hash.update(item);
  }
  return hash.digest('hex').slice(0, 16);
}
