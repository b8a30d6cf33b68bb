import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { FunctionLog } from './function-log.ts';
import { FunctionWorker } from './function-worker.ts';
import type { FunctionDefinition } from './functions.ts';
import type { FunctionError, InvocationOutcome } from './worker-messages.ts';

/** Lambda would start more. A developer's machine has other work too, so further events wait. */
const largestPool = 8;
const idleMs = 60_000;
/** Loading more threads at once than there are cores slows all of them down. */
const maxLoading = availableParallelism();

type Waiting = { readonly event: string; readonly settle: (outcome: InvocationOutcome) => void };

/** The threads of one function: one per concurrent event, up to eight. An idle thread ends after a minute. */
export class WorkerPool {
  readonly #definition: FunctionDefinition;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #log: FunctionLog;
  readonly #largest: number;
  readonly #workers = new Set<FunctionWorker>();
  readonly #idle = new Map<FunctionWorker, NodeJS.Timeout>();
  readonly #waiting: Waiting[] = [];
  #loading = 0;
  #stopped = false;

  constructor(
    definition: FunctionDefinition,
    environment: Readonly<Record<string, string>>,
    log: FunctionLog,
  ) {
    this.#definition = definition;
    this.#environment = environment;
    this.#log = log;
    this.#largest = Math.min(largestPool, definition.reservedConcurrency ?? largestPool);
  }

  /** The current number of threads. */
  get size(): number {
    return this.#workers.size;
  }

  /** Runs the event on a free thread, or on the next that becomes free. Never rejects: errors are in the outcome. */
  invoke(event: unknown): Promise<InvocationOutcome> {
    return new Promise((resolve) => {
      if (this.#stopped) resolve(stopped);
      else this.#waiting.push({ event: JSON.stringify(event) ?? 'null', settle: resolve });
      this.#dispatch();
    });
  }

  /** Terminates all threads, including busy ones. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { settle } of this.#waiting.splice(0)) settle(stopped);
    for (const timer of this.#idle.values()) clearTimeout(timer);
    await Promise.all([...this.#workers].map((worker) => worker.stop()));
  }

  #dispatch(): void {
    for (const [worker, timer] of [...this.#idle].toReversed()) {
      if (this.#waiting.length === 0) return;
      clearTimeout(timer);
      this.#idle.delete(worker);
      void this.#run(worker, this.#waiting.shift());
    }
    const mayGrow = this.#workers.size < this.#largest && this.#loading < maxLoading;
    if (this.#waiting.length > this.#loading && mayGrow) void this.#grow();
  }

  async #run(worker: FunctionWorker, job: Waiting | undefined): Promise<void> {
    if (job) {
      const outcome = await worker.run(randomUUID(), job.event);
      if (!outcome.ok) this.#logFailure(outcome);
      job.settle(outcome);
    }
    this.#release(worker);
  }

  async #grow(): Promise<void> {
    const worker = new FunctionWorker(this.#definition, this.#environment, this.#log);
    this.#workers.add(worker);
    this.#loading += 1;
    const error = await worker.ready;
    this.#loading -= 1;
    if (error) {
      this.#writeLog(`could not start: ${error.errorMessage}`);
      // The waiting event gets the error. The next event starts a new thread, as on Lambda.
      this.#waiting.shift()?.settle({ ok: false, ...error });
    }
    this.#release(worker);
  }

  #release(worker: FunctionWorker): void {
    if (!worker.alive) this.#workers.delete(worker);
    else if (!this.#stopped)
      this.#idle.set(worker, setTimeout(() => void this.#retire(worker), idleMs).unref());
    if (!this.#stopped) this.#dispatch();
  }

  async #retire(worker: FunctionWorker): Promise<void> {
    this.#idle.delete(worker);
    this.#workers.delete(worker);
    await worker.stop();
  }

  /** `Unauthorized` is an authorizer's way to refuse, not a failure. */
  #logFailure({ errorType, errorMessage, trace }: FunctionError): void {
    if (errorMessage !== 'Unauthorized' && !this.#stopped)
      this.#writeLog(trace ?? `${errorType}: ${errorMessage}`);
  }

  #writeLog(text: string): void {
    this.#log({ functionName: this.#definition.name, text, stream: 'runner' });
  }
}

const stopped: InvocationOutcome = {
  ok: false,
  errorType: 'Runtime.Stopped',
  errorMessage: 'The local runner was stopped.',
  trace: undefined,
};
