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
  /** What a part of the answer looks like, for the faults `partial` and `stale`. */
  readonly worse?: (answer: T) => T;
  /** The writes of a transaction. */
  readonly writes?: number;
  /** The index falls behind for so many reads. */
  readonly lag?: (reads: number) => Promise<void>;
  /** A transaction that was applied under its token is never refused: the store repeats its first answer. */
  readonly isApplied?: () => boolean;
};

/** The call was made; its answer is given to whoever waits, as it is or worse. */
type Made =
  | { readonly ok: true; readonly give: (isWorse: boolean) => void }
  | { readonly ok: false; readonly error: unknown };

type Parked = Omit<Call, 'act' | 'worse'> & {
  readonly by: Invocation;
  readonly notBefore: number;
  /** It was made already; only its answer is held back. */
  readonly isAnswered?: boolean;
  readonly make: () => Promise<Made>;
  readonly reject: (error: unknown) => void;
};

/** A handler that has not ended after this long was ended by its platform. */
const longestInvocationMs = 30 * 60_000;

/**
 * Lets exactly one outside call proceed at a time and decides what becomes of it. Between two calls everything that
 * can run has run, so the seed decides the whole run.
 */
export class Scheduler {
  readonly #random: SeededRandom;
  readonly #trace = createHash('sha256');
  readonly crashPoints = new CrashPoints();
  /** How often each call was made. */
  readonly sites = new Map<string, number>();
  readonly happened = new Map<Fault, number>();
  /** Off while the run recovers. */
  faults = true;
  step = 0;
  calls = 0;
  timedOut = 0;
  /** Milliseconds since 1970, virtual. */
  clock: number;
  storms = 0;
  /** The point that this run is to visit, whatever chance says. */
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

  /** Parks a call until its turn comes. A handler that died gets no answer any more. */
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

  /** From now on, for a while. */
  beginStorm(): void {
    this.#storm = this.#random.pick(storms);
    this.#stormUntil = this.step + 40 + this.#random.below(160);
    this.storms += 1;
  }

  /** Whether a handler stands where its scenario wants it. */
  isPaused(by: Invocation): boolean {
    return this.#parked.some((parked) => parked.by === by && by.pausedAt?.test(parked.site));
  }

  get isIdle(): boolean {
    return this.#parked.length === 0;
  }

  /** One turn: one call proceeds, or all wait and time passes. */
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
    await this.#proceed(this.#withItsKind(chosen));
    await this.settle();
  }

  /** Everything that needs no outside call runs to its end. */
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

  /** The 64 shards of one sweep's query are asked side by side; they count as one call. */
  #withItsKind(chosen: Parked): readonly [Parked, ...Parked[]] {
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

  /** The request is still on its way, and its answer reaches nobody. */
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

/** What a transaction that was applied under its token never meets. */
const refusing: readonly Fault[] = ['conflict', 'throttle', 'repeated_late'];

/** Once more, as the SDK does when no answer came. */
const twice = async (make: () => Promise<Made>): Promise<Made> => {
  const made = await make();
  return made.ok ? make() : made;
};

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');
