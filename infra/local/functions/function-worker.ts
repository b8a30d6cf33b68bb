import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type { FunctionDefinition } from './functions.ts';
import type { FunctionLog } from './function-log.ts';
import type { FromWorker, FunctionError, InvocationOutcome, Start, ToWorker } from './worker-messages.ts';
import { workerSource } from './worker-source.ts';

/** Lambda's limit for initialization: ten seconds. */
const initMs = 10_000;
/** Lambda's limit for a response payload, in bytes. */
const largestResponse = 6_291_556;

type Job = { readonly requestId: string; readonly settle: (outcome: InvocationOutcome) => void };

/** A thread of one function, with its own environment. It handles one event at a time and is terminated on a timeout. */
export class FunctionWorker {
  /** Resolves when the bundle is loaded: undefined, or the error if loading failed. */
  readonly ready: Promise<FunctionError | undefined>;
  readonly #definition: FunctionDefinition;
  readonly #thread: Worker;
  #alive = true;
  #job: Job | undefined;
  #settleReady: (error?: FunctionError) => void = () => undefined;

  constructor(
    definition: FunctionDefinition,
    environment: Readonly<Record<string, string>>,
    log: FunctionLog,
  ) {
    this.#definition = definition;
    this.#thread = startThread(definition, environment);
    this.ready = new Promise((resolve) => {
      const timer = setTimeout(
        () =>
          this.#end({ errorType: 'Sandbox.InitTimeout', errorMessage: tooLong(initMs), trace: undefined }),
        initMs,
      );
      this.#settleReady = (error) => {
        clearTimeout(timer);
        resolve(error);
      };
    });
    this.#thread.on('message', (message: FromWorker) => this.#hear(message));
    this.#thread.on('error', (error: Error) =>
      this.#end({ errorType: error.name, errorMessage: error.message, trace: error.stack }),
    );
    this.#thread.on('exit', (code) =>
      this.#end({
        errorType: 'Runtime.ExitError',
        errorMessage: `The function exited with code ${code}.`,
        trace: undefined,
      }),
    );
    eachLine(this.#thread.stdout, (text) => log({ functionName: definition.name, text, stream: 'stdout' }));
    eachLine(this.#thread.stderr, (text) => log({ functionName: definition.name, text, stream: 'stderr' }));
  }

  /** False when the thread has ended or is being terminated. */
  get alive(): boolean {
    return this.#alive;
  }

  /** Handles one event. Do not call it before the previous event has settled. */
  run(requestId: string, event: string): Promise<InvocationOutcome> {
    if (!this.#alive)
      return Promise.resolve({
        ok: false,
        errorType: 'Runtime.ExitError',
        errorMessage: 'The function has exited.',
        trace: undefined,
      });
    const { timeoutMs } = this.#definition;
    return new Promise((resolve) => {
      const timer = setTimeout(
        () =>
          this.#end({ errorType: 'Sandbox.Timedout', errorMessage: tooLong(timeoutMs), trace: undefined }),
        timeoutMs,
      );
      const settle = (outcome: InvocationOutcome): void => {
        clearTimeout(timer);
        this.#job = undefined;
        resolve(outcome);
      };
      this.#job = { requestId, settle };
      const message: ToWorker = { requestId, event, deadline: Date.now() + timeoutMs };
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      this.#thread.postMessage(message);
    });
  }

  async stop(): Promise<void> {
    this.#end({
      errorType: 'Runtime.Stopped',
      errorMessage: 'The local runner was stopped.',
      trace: undefined,
    });
    await this.#thread.terminate();
  }

  #hear(message: FromWorker): void {
    if (message.kind === 'ready') this.#settleReady();
    else if (message.kind === 'unable') this.#end(message);
    else if (message.requestId === this.#job?.requestId) this.#job.settle(outcomeOf(message));
  }

  #end({ errorType, errorMessage, trace }: FunctionError): void {
    if (!this.#alive) return;
    this.#alive = false;
    this.#settleReady({ errorType, errorMessage, trace });
    this.#job?.settle({ ok: false, errorType, errorMessage, trace });
    void this.#thread.terminate();
  }
}

function startThread(definition: FunctionDefinition, environment: Readonly<Record<string, string>>): Worker {
  const { file, exportName, name, arn, memoryMb, leadsBack, compiled } = definition;
  const workerData: Start = { file, exportName, functionName: name, arn, memoryMb, leadsBack, compiled };
  return new Worker(workerSource(), {
    eval: true,
    name,
    workerData,
    env: { ...environment },
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
}

function outcomeOf(message: Extract<FromWorker, { requestId: string }>): InvocationOutcome {
  if (message.kind === 'failed') {
    const { errorType, errorMessage, trace } = message;
    return { ok: false, errorType, errorMessage, trace };
  }
  if (Buffer.byteLength(message.payload) <= largestResponse)
    return { ok: true, payload: JSON.parse(message.payload) };
  return {
    ok: false,
    errorType: 'Function.ResponseSizeTooLarge',
    errorMessage: `Response payload size exceeded maximum allowed payload size (${largestResponse} bytes).`,
    trace: undefined,
  };
}

const tooLong = (ms: number): string => `Task timed out after ${(ms / 1000).toFixed(2)} seconds`;

const eachLine = (stream: Readable, use: (text: string) => void): void => {
  createInterface({ input: stream }).on('line', use);
};
