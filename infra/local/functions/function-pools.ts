import type { FunctionLog } from './function-log.ts';
import type { FunctionDefinition } from './functions.ts';
import { CommandError } from '../../../lib/installation/command-error.ts';
import type { InvocationOutcome } from './worker-messages.ts';
import { WorkerPool } from './worker-pool.ts';

/** All functions of the template, each with its own threads. */
export type FunctionPools = {
  readonly invoke: (functionName: string, event: unknown) => Promise<InvocationOutcome>;
  /** Resolves when no invocation is in flight. */
  readonly idle: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

type Environment = (definition: FunctionDefinition) => Readonly<Record<string, string>>;

/** Creates a pool per function. A thread starts at the first invocation. */
export function functionPools(
  definitions: readonly FunctionDefinition[],
  environmentOf: Environment,
  log: FunctionLog,
): FunctionPools {
  const pools = new Map(
    definitions.map((definition) => [
      definition.name,
      new WorkerPool(definition, environmentOf(definition), log),
    ]),
  );
  const inFlight = new Set<Promise<InvocationOutcome>>();
  return {
    invoke: (functionName, event) => {
      const outcome = poolNamed(pools, functionName).invoke(event);
      inFlight.add(outcome);
      void outcome.finally(() => inFlight.delete(outcome));
      return outcome;
    },
    idle: async () => void (await Promise.all(inFlight)),
    stop: async () => void (await Promise.all([...pools.values()].map((pool) => pool.stop()))),
  };
}

/** Returns the pool by the function's full name or by a unique ending: `resize` finds `images-resize`. */
function poolNamed(pools: ReadonlyMap<string, WorkerPool>, functionName: string): WorkerPool {
  const known = pools.get(functionName);
  if (known) return known;
  const [pool, ...others] = [...pools].filter(([name]) => name.endsWith(`-${functionName}`));
  if (pool && others.length === 0) return pool[1];
  throw new CommandError(
    `The template has no function "${functionName}": it has ${[...pools.keys()].join(', ')}.`,
  );
}
