import type { Table } from '../../../lib/store/table.ts';
import type { Focus } from './focus.ts';
import { SeededRandom } from './seeded-random.ts';
import type { CrashPoint } from './crash-points.ts';
import { isExplained } from './explained.ts';
import { FilledLists } from './filled-lists.ts';
import { HeldItems } from './held-items.ts';
import { IndexLag } from './index-lag.ts';
import type { Invocation } from './invocation.ts';
import { type Ports, portsFor } from './ports.ts';
import { Provider } from './provider.ts';
import { type Manners, mannersOf, mannerSets, type MannerSet } from './manner-sets.ts';
import { Receivers } from './receivers.ts';
import { Scheduler } from './scheduler.ts';
import { Population } from './population.ts';
import { VirtualQueue } from './virtual-queue.ts';
import { Watch } from './watch.ts';

/** The result of one run of a handler. */
export type Ran<T> =
  | { readonly kind: 'done'; readonly done: T }
  | { readonly kind: 'crashed' }
  | { readonly kind: 'failed'; readonly failed: unknown };

export type Violation = { readonly invariant: string; readonly text: string };

type WorldOptions = {
  readonly seed: number;
  readonly focus: Focus;
  readonly locks?: boolean;
  /** Drawn from the seed unless given. */
  readonly manners?: Manners;
};
type WorldTables = { readonly table: Table; readonly sandboxTable: Table; readonly secondTable: Table };

const begins = new Date('2026-11-21T09:00:00Z');

/** The world of one seed: the service, its store and queues, the provider, the merchants and the clock. */
export class World {
  readonly seed: number;
  readonly focus: Focus;
  /** Draws ids, secrets and what people do; separate from the scheduler's draws. */
  readonly random: SeededRandom;
  readonly manners: Manners;
  readonly set: MannerSet;
  readonly table: Table;
  readonly scheduler: Scheduler;
  readonly watch = new Watch((invariant, text) => this.violate(invariant, text));
  /** The first provider, which takes new payments and payouts unless the record says otherwise. */
  readonly provider: Provider;
  readonly providers: readonly Provider[];
  /** Which provider takes new payments and payouts, and which are deployed. */
  record: 'first' | 'second' | 'without_first' = 'first';
  readonly receivers: Receivers;
  readonly indexLag: IndexLag;
  readonly filledLists: FilledLists;
  /** Transactions hold their items for some steps; if undefined, each is committed immediately. */
  readonly heldItems: HeldItems | undefined;
  readonly postbacks: VirtualQueue;
  readonly retries: VirtualQueue;
  readonly payoutMessages: VirtualQueue;
  readonly paymentMessages: VirtualQueue;
  readonly refundMessages: VirtualQueue;
  readonly population: Population;
  readonly violations: Violation[] = [];
  /** The invariants that a scenario breaks itself, as it writes what no use case writes. */
  readonly broken = new Set<string>();
  readonly counted = new Map<string, number>();
  /** `<alarm> <id of the payout, event or endpoint>` of each alarm that the operator received. */
  readonly alarms = new Set<string>();
  /** The crash that this run must produce. */
  aim: CrashPoint | undefined;
  /** The final state of each payment, payout and bill in which it was first seen. */
  readonly ended = new Map<string, string>();
  /** How many payments, payouts and postbacks ended in each state. */
  readonly outcomes = new Map<string, number>();
  /** Hash of the trace and of the final contents of both tables. */
  digest = '';

  constructor(
    { seed, focus, locks = false, manners = mannersOf(seed) }: WorldOptions,
    { table, sandboxTable, secondTable }: WorldTables,
  ) {
    this.focus = focus;
    this.seed = seed;
    this.table = table;
    this.random = new SeededRandom(seed, 1);
    this.manners = manners;
    this.set = mannerSets[manners];
    this.scheduler = new Scheduler(new SeededRandom(seed, 2), begins);
    const { acquirer, rail, second } = this.set;
    this.provider = this.#provider('sandbox', sandboxTable, { acquirer, rail });
    const another = second && this.#provider('yookassa', secondTable, { acquirer: second, rail: second });
    this.providers = another ? [this.provider, another] : [this.provider];
    this.indexLag = new IndexLag(table);
    this.filledLists = new FilledLists(table);
    this.heldItems = locks ? new HeldItems(new SeededRandom(seed, 8), this.scheduler) : undefined;
    this.receivers = new Receivers(new SeededRandom(seed, 4));
    this.postbacks = new VirtualQueue(new SeededRandom(seed, 5));
    this.retries = new VirtualQueue(new SeededRandom(seed, 15));
    this.payoutMessages = new VirtualQueue(new SeededRandom(seed, 6));
    this.paymentMessages = new VirtualQueue(new SeededRandom(seed, 7));
    this.refundMessages = new VirtualQueue(new SeededRandom(seed, 16));
    this.population = new Population(this);
  }

  /** Runs a handler, which may return, fail or crash. A failure that no injected fault explains is a violation. */
  async invoke<T>(useCase: string, handle: (ports: Ports, by: Invocation) => Promise<T>): Promise<Ran<T>> {
    const by = this.scheduler.begin(useCase);
    this.count(`run ${useCase}`);
    const handled: Promise<Ran<T>> = handle(portsFor(this, by), by).then(
      (done) => ({ kind: 'done', done }),
      (failed: unknown) => ({ kind: 'failed', failed }),
    );
    const crashed = by.died.promise.then(() => ({ kind: 'crashed' }) as const);
    const ran = await Promise.race([handled, crashed]);
    if (ran.kind === 'failed' && !isExplained(ran.failed, by, { isStranded: this.providers.length > 1 }))
      this.violate('unexpected', describe(useCase, ran.failed));
    return ran;
  }

  #provider(
    name: Provider['name'],
    table: Table,
    { acquirer, rail }: Pick<MannerSet, 'acquirer' | 'rail'>,
  ): Provider {
    const { scheduler, watch, seed } = this;
    const draw = name === 'sandbox' ? 3 : 9;
    const count = (what: string) => this.count(what);
    const party = { name, table, scheduler, watch, random: new SeededRandom(seed, draw), count };
    const provider = new Provider(party, new SeededRandom(seed, draw + 10));
    provider.manners = acquirer;
    provider.railManners = rail;
    provider.faults = this.set;
    return provider;
  }

  /** The provider that has the payment's order. */
  providerOf(paymentId: string): Provider {
    return this.providers.find((provider) => provider.knows(paymentId)) ?? this.provider;
  }

  /** Submits a form of a provider's page as a payer's browser does. */
  browse(pageUrl: string, form: Readonly<Record<string, string>>): Promise<string | undefined> {
    const provider = this.providers.find(({ url }) => pageUrl.startsWith(url)) ?? this.provider;
    return provider.browse(pageUrl, form);
  }

  get hasNotices(): boolean {
    return this.providers.some(({ notices, payoutNotices }) => notices.length + payoutNotices.length > 0);
  }

  /** Performs an action of a person outside the service. */
  outside<T>(name: string, act: () => Promise<T>, inSteps = 0): Promise<T> {
    const person = this.scheduler.begin(name);
    return this.scheduler.call(person, { site: name, kind: 'outside', act }, this.scheduler.step + inSteps);
  }

  pause(steps: number): Promise<void> {
    return this.outside('pause', async () => {}, steps);
  }

  /** Lets calls proceed until the promise is settled. */
  async pump<T>(until: Promise<T>): Promise<T> {
    const state = { isSettled: false };
    const settled = until.finally(() => (state.isSettled = true));
    settled.catch(() => undefined);
    await this.scheduler.settle();
    while (!state.isSettled) {
      if (this.scheduler.isIdle) throw new Error('The run waits for a promise, but no call is pending');
      await this.scheduler.turn();
    }
    return settled;
  }

  count(what: string): void {
    this.counted.set(what, (this.counted.get(what) ?? 0) + 1);
  }

  violate(invariant: string, text: string): void {
    if (!this.broken.has(invariant))
      this.violations.push({ invariant, text: `${text} (step ${this.scheduler.step})` });
  }

  get now(): Date {
    return new Date(this.scheduler.clock);
  }

  /** Ends all faults. */
  calmDown(): void {
    this.indexLag.end();
    if (this.providers.length > 1) this.record = 'second';
    const queues = [
      this.postbacks,
      this.retries,
      this.payoutMessages,
      this.paymentMessages,
      this.refundMessages,
    ];
    for (const part of [this.scheduler, this.receivers, ...queues]) part.faults = false;
  }
}

const describe = (useCase: string, error: unknown): string =>
  `${useCase} failed with ${error instanceof Error ? `${error.name}: ${error.message}\n${error.stack}` : String(error)}`;
