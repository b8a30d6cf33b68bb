import { createHash } from 'node:crypto';
import type { SeededRandom } from './seeded-random.ts';
import { type CrashPoint, CrashPoints } from './crash-points.ts';
import {
  type CallKind,
  drawFault,
  type Fault,
  noAnswer,
  refusedFor,
  serverError,
  type Storm,
  storms,
} from './faults.ts';
import { Invocation } from './invocation.ts';

/** An outside call that waits for its turn. */
export type Call<T = unknown> = {
  readonly site: string;
  readonly kind: CallKind;
  readonly act: () => Promise<T>;
  /** Derives the incomplete answer of the faults `partial` and `stale`. */
  readonly worse?: (answer: T) => T;
  /** The number of writes in the transaction. */
  readonly writes?: number;
  /** Makes the index lag for this many reads. */
  readonly lag?: (reads: number) => Promise<void>;
  /** Whether the transaction was applied under its token; then the store repeats its first answer and never refuses it. */
  readonly isApplied?: () => boolean;
};

/** The outcome of a call that was made; `give` hands the answer, complete or incomplete, to the caller. */
type Made =
  | { readonly ok: true; readonly give: (isWorse: boolean) => void }
  | { readonly ok: false; readonly error: unknown };

type Parked = Omit<Call, 'act' | 'worse'> & {
  readonly by: Invocation;
  readonly notBefore: number;
  /** The call was made; only its answer is held back. */
  readonly isAnswered?: boolean;
  readonly make: () => Promise<Made>;
  readonly reject: (error: unknown) => void;
};

/** The platform ends a handler after this time. */
const longestInvocationMs = 30 * 60_000;

/**
 * Lets exactly one outside call proceed at a time and draws its fault. Between two calls everything that can run has
 * run, so the seed decides the whole run.
 */
export class Scheduler {
  readonly #random: SeededRandom;
  readonly #trace = createHash('sha256');
  readonly crashPoints = new CrashPoints();
  /** How often each call site was reached. */
  readonly sites = new Map<string, number>();
  readonly happened = new Map<Fault, number>();
  /** False during setup and recovery. */
  faults = true;
  step = 0;
  calls = 0;
  timedOut = 0;
  /** Milliseconds since 1970, virtual. */
  clock: number;
  storms = 0;
  /** The crash point that this run visits regardless of chance. */
  aim: CrashPoint | undefined;
  #storm: Storm | undefined;
  #stormUntil = 0;
  #invocations = 0;
  #parked: Parked[] = [];

  constructor(random: SeededRandom, startsAt: Date) {
    this.#random = random;
    this.clock = startsAt.getTime();
  }

  begin(useCase: string): Invocation {
    const skewMs = this.faults ? this.#random.below(1000) - 500 : 0;
    const begun = { at: this.clock, step: this.step, skewMs };
    return new Invocation((this.#invocations += 1), useCase, begun);
  }

  /** Parks a call until its turn. A dead handler gets no answer. */
  call<T>(by: Invocation, { act, worse, ...call }: Call<T>, notBefore = 0): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (by.isDead) return;
      const given = (value: T): Made => ({
        ok: true,
        give: (isWorse) => resolve(isWorse && worse ? worse(value) : value),
      });
      const make = () => act().then(given, (error: unknown): Made => ({ ok: false, error }));
      this.#parked.push({ ...call, by, notBefore, make, reject });
    });
  }

  /** Begins an outage of 40 to 199 steps. */
  beginStorm(): void {
    this.#storm = this.#random.pick(storms);
    this.#stormUntil = this.step + 40 + this.#random.below(160);
    this.storms += 1;
  }

  /** Whether the handler is suspended before the call that its scenario named. */
  isPaused(by: Invocation): boolean {
    return this.#parked.some((parked) => parked.by === by && by.pausedAt?.test(parked.site));
  }

  get isIdle(): boolean {
    return this.#parked.length === 0;
  }

  /** Runs one turn: one call proceeds, or all wait and time passes. */
  async turn(): Promise<void> {
    await this.settle();
    this.step += 1;
    this.#passTime();
    const ready = this.#parked.filter((parked) => this.#isReady(parked));
    if (ready.length === 0) return;
    const chosen = this.#random.pick(ready);
    const isOver = this.clock - chosen.by.startedAt > longestInvocationMs && !chosen.by.isPatient;
    if (isOver && chosen.kind !== 'outside') {
      this.timedOut += 1;
      return this.#kill(chosen.by);
    }
    await this.#proceed(this.#withItsShards(chosen));
    await this.settle();
  }

  /** Waits until everything that needs no outside call has run. */
  async settle(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
  }

  get trace(): string {
    return this.#trace.copy().digest('hex').slice(0, 16);
  }

  #passTime(): void {
    if (this.faults) this.clock += this.#random.below(400);
  }

  #isReady({ notBefore, by, site }: Parked): boolean {
    if (by.pausedAt?.test(site)) return false;
    return !this.faults || (notBefore <= this.step && by.frozenUntilStep <= this.step);
  }

  /** A sweep queries the 64 shards of a work list in parallel; they count as one call. */
  #withItsShards(chosen: Parked): readonly [Parked, ...Parked[]] {
    const others =
      chosen.kind === 'index'
        ? this.#parked.filter((each) => each !== chosen && each.by === chosen.by && each.site === chosen.site)
        : [];
    return [chosen, ...others];
  }

  async #proceed([chosen, ...others]: readonly [Parked, ...Parked[]]): Promise<void> {
    const { by, kind, site } = chosen;
    const together = [chosen, ...others];
    this.#parked = this.#parked.filter((each) => !together.includes(each));
    const fault = this.#faultFor(chosen);
    this.#trace.update(`${this.step} ${by.id} ${site} ${fault}\n`);
    if (kind !== 'outside') this.calls += 1;
    this.sites.set(site, (this.sites.get(site) ?? 0) + 1);
    if (fault !== 'none') {
      by.suffered.push(fault);
      this.happened.set(fault, (this.happened.get(fault) ?? 0) + 1);
    }
    if (fault === 'crash_before' || fault === 'crash_after') this.crashPoints.crashed(site, fault);
    if (fault === 'crash_before') return this.#kill(by);
    await Promise.all(others.map((each) => this.#make(each, 'none')));
    await this.#make(chosen, fault);
  }

  #faultFor({ kind, site, isAnswered, isApplied }: Parked): Fault {
    if (kind === 'outside' || isAnswered || !this.faults) return 'none';
    const wanted = this.crashPoints.wanted(site);
    if (this.aim?.site === site && !this.crashPoints.has(this.aim)) return this.aim.crash;
    const storm = this.step < this.#stormUntil ? this.#storm : undefined;
    const fault = drawFault(this.#random, kind, { wanted, storm });
    return refusing.includes(fault) && isApplied?.() ? 'none' : fault;
  }

  async #make(parked: Parked, fault: Fault): Promise<void> {
    const { kind, by, reject } = parked;
    if (fault === 'freeze_before') return this.#freeze(parked);
    if (fault === 'late' || fault === 'repeated_late') this.#doLater(parked);
    if (fault === 'lagging') await parked.lag?.(2 + this.#random.below(5));
    if (fault === 'lost_before' || fault === 'late') return reject(noAnswer(kind));
    if (fault === 'conflict' || fault === 'throttle')
      return reject(refusedFor({ kind, why: fault, writes: parked.writes ?? 1, random: this.#random }));
    if (fault === 'repeated_late') {
      const refused = { kind, why: 'conflict', writes: parked.writes ?? 1, random: this.#random } as const;
      return reject(refusedFor({ ...refused, attempts: 2 }));
    }
    const made = await (fault === 'repeated' ? twice(parked.make) : parked.make());
    this.#trace.update(made.ok ? 'ok\n' : `${nameOf(made.error)}\n`);
    if (fault === 'crash_after') return this.#kill(by);
    if (fault === 'lost_after') return reject(noAnswer(kind));
    if (fault === 'error_after') return reject(serverError(kind));
    if (fault === 'freeze_after')
      return this.#freeze({ ...parked, make: async () => made, isAnswered: true });
    if (made.ok) made.give(fault === 'partial' || fault === 'stale');
    else reject(made.error);
  }

  /** The request takes effect later, and its answer is dropped. */
  #doLater({ site, make }: Parked): void {
    const nobody = this.begin('late');
    const call = { site: `late ${site}`, kind: 'outside', act: make } as const;
    void this.call(nobody, call, this.step + 1 + this.#random.below(120));
  }

  #freeze(parked: Parked): void {
    parked.by.frozenUntilStep = this.step + 30 + this.#random.below(400);
    this.#parked.push(parked);
  }

  #kill(by: Invocation): void {
    this.#parked = this.#parked.filter((parked) => parked.by !== by);
    by.die();
  }
}

/** The faults that a transaction already applied under its token cannot meet. */
const refusing: readonly Fault[] = ['conflict', 'throttle', 'repeated_late'];

/** Makes the call again, as the SDK does without an answer. */
const twice = async (make: () => Promise<Made>): Promise<Made> => {
  const made = await make();
  return made.ok ? make() : made;
};

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');
