import { type CrashPoint, CrashPoints, nameOfPoint } from './harness/crash-points.ts';
import type { Focus } from './harness/focus.ts';
import type { Fault } from './harness/faults.ts';
import type { Manners } from './harness/manner-sets.ts';
import type { Violation, World } from './harness/world.ts';

type Plan = {
  readonly seeds: number;
  readonly steps: number;
  readonly focus: Focus;
  readonly manners: Manners | undefined;
  readonly locks: boolean;
  readonly isQuiet: boolean;
};
type Found = Violation & { readonly seed: number };

const everyMs = 1000;
const everyMsInFile = 60_000;

/** Totals and violations of a series of runs. */
export class Report {
  readonly #plan: Plan;
  readonly #begun = performance.now();
  #printedAt = 0;
  #runs = 0;
  #digest = '';
  #steps = 0;
  #calls = 0;
  #timedOut = 0;
  readonly #faults = new Map<string, number>();
  readonly #outcomes = new Map<string, number>();
  readonly #points = new CrashPoints();
  readonly #seenIn = new Map<string, number>();
  readonly violations: Found[] = [];

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  /** Prints a progress line: on a terminal overwritten each second, in a file a new line each minute. */
  progress({ seed, scheduler }: World): void {
    const { isTTY } = process.stderr;
    const now = performance.now();
    if (this.#plan.isQuiet || now - this.#printedAt < (isTTY ? everyMs : everyMsInFile)) return;
    this.#printedAt = now;
    const line = [
      `seed ${seed} (${this.#runs} of ${this.#plan.seeds} done)`,
      `step ${scheduler.step}`,
      `${this.#calls + scheduler.calls} calls`,
      `${this.#points.covered} of ${this.#points.known} crash points`,
      `${this.violations.length} violations`,
      `${Math.round((now - this.#begun) / 1000)} s`,
    ].join(' · ');
    process.stderr.write(isTTY ? `\r\u001b[K${line}` : `${line}\n`);
  }

  /** Crash points not visited yet, each with a seed that reaches its call. */
  notVisited(): readonly { readonly point: CrashPoint; readonly seed: number }[] {
    return this.#points.missing().map((point) => ({ point, seed: this.#seenIn.get(point.site) ?? 1 }));
  }

  add(world: World): void {
    const { scheduler, seed, postbacks, retries, payoutMessages } = world;
    this.#runs += 1;
    this.#digest = world.digest;
    this.#steps += scheduler.step;
    this.#calls += scheduler.calls;
    this.#timedOut += scheduler.timedOut;
    this.#count(this.#faults, 'storm', scheduler.storms);
    for (const [fault, times] of scheduler.happened) this.#count(this.#faults, fault, times);
    for (const queue of [postbacks, retries, payoutMessages]) {
      this.#count(this.#faults, 'message_twice', queue.duplicated);
      this.#count(this.#faults, 'message_late', queue.delayed);
      this.#count(this.#faults, 'message_lost', queue.lost);
    }
    for (const [what, times] of world.outcomes) this.#count(this.#outcomes, what, times);
    // A run that aims at a crash differs from the plain run of its seed, which may not reach the same calls.
    if (!world.aim) this.#remember(scheduler.crashPoints, seed);
    this.#points.add(scheduler.crashPoints, { onlyKnown: world.aim !== undefined });
    this.violations.push(...world.violations.map((violation) => ({ ...violation, seed })));
    if (!this.#plan.isQuiet) for (const each of world.violations) this.#printViolation(world, each);
  }

  #remember({ sites }: CrashPoints, seed: number): void {
    for (const site of sites) if (!this.#seenIn.has(site)) this.#seenIn.set(site, seed);
  }

  summary() {
    const { covered, known } = this.#points;
    return { runs: this.#runs, calls: this.#calls, covered, known, violations: this.violations };
  }

  text(): string {
    const rows: readonly (readonly [string, string | number])[] = [
      ['seeds', this.#runs],
      ['steps', this.#steps],
      ['outside calls', this.#calls],
      ['crashes', this.#of('crash_before', 'crash_after')],
      ['handlers timed out', this.#timedOut],
      ['answers lost, 500 after commit', this.#of('lost_before', 'lost_after', 'error_after')],
      ['calls that took effect late', this.#of('late')],
      ['calls repeated by the SDK', this.#of('repeated', 'repeated_late')],
      ['conflicts', this.#of('conflict')],
      ['throttled', this.#of('throttle', 'partial')],
      ['outages and storms', this.#of('storm')],
      ['freezes', this.#of('freeze_before', 'freeze_after')],
      ['stale index answers', this.#of('stale')],
      ['times the index lagged', this.#of('lagging')],
      [
        'messages twice, late, lost',
        ['twice', 'late', 'lost'].map((how) => this.#of(`message_${how}`)).join(', '),
      ],
      ...[...this.#outcomes].sort(([a], [b]) => (a < b ? -1 : 1)),
      ['crash points covered', `${this.#points.covered} of ${this.#points.known} known`],
      ['violations', this.violations.length],
      ...(this.#runs === 1 ? ([['fingerprint of the run', this.#digest]] as const) : []),
    ];
    const width = Math.max(...rows.map(([name]) => name.length));
    const table = rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n');
    const missing = this.#points.missing().map((point) => `    ${nameOfPoint(point)}`);
    const left =
      missing.length > 0 ? `\n\n  crash points not visited:\n${missing.slice(0, 20).join('\n')}` : '';
    return `\n${table}${left}\n\n${this.#sentence()}`;
  }

  #sentence(): string {
    const seconds = Math.round((performance.now() - this.#begun) / 1000);
    const done = `${this.#runs} seeds, ${this.#steps} steps and ${this.#calls} outside calls in ${seconds} s`;
    return this.violations.length === 0
      ? `No money was lost, created or moved twice: ${done}; every invariant held.`
      : `${this.violations.length} violations in ${done}: each is printed above with the command that replays it.`;
  }

  #printViolation({ seed, aim }: World, { invariant, text }: Violation): void {
    const { steps, focus, manners, locks } = this.#plan;
    const again = [
      `npm run simulate -- --seed ${seed} --seeds 1 --steps ${steps}`,
      ...(focus === 'mixed' ? [] : [`--focus ${focus}`]),
      ...(manners ? [`--manners ${manners}`] : []),
      ...(locks ? ['--locks'] : []),
      ...(aim ? [`--point "${nameOfPoint(aim)}"`] : []),
    ].join(' ');
    process.stderr.write(`\nViolation of ${invariant} with seed ${seed}: ${text}\n  replay: ${again}\n`);
  }

  #of(...faults: readonly (Fault | 'storm' | `message_${string}`)[]): number {
    return faults.reduce((total, fault) => total + (this.#faults.get(fault) ?? 0), 0);
  }

  #count(into: Map<string, number>, what: string, times: number): void {
    into.set(what, (into.get(what) ?? 0) + times);
  }
}
