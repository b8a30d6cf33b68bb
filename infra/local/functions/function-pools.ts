import type { FunctionLog } from './function-log.ts';
import type { FunctionDefinition } from './functions.ts';
import { CommandError } from '../../../lib/installation/command-error.ts';
import type { InvocationOutcome } from './worker-messages.ts';
import { WorkerPool } from './worker-pool.ts';

/** All functions of the template, each with threads of its own. */
export type FunctionPools = {
  readonly invoke: (functionName: string, event: unknown) => Promise<InvocationOutcome>;
  /** Settles when nothing is under way. */
  readonly idle: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

type Environment = (definition: FunctionDefinition) => Readonly<Record<string, string>>;

/** No thread starts before its function is called. */
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

/** By its whole name, or by the end of it: `resize` is `images-resize`, unless another ends so too. */
function poolNamed(pools: ReadonlyMap<string, WorkerPool>, functionName: string): WorkerPool {
  const known = pools.get(functionName);
  if (known) return known;
  const [pool, ...others] = [...pools].filter(([name]) => name.endsWith(`-${functionName}`));
  if (pool && others.length === 0) return pool[1];
  throw new CommandError(
    `The template has no function "${functionName}": it has ${[...pools.keys()].join(', ')}.`,
  );
}
