import { inject } from 'vitest';
import type { Demo } from '../../lib/installation/data-folder.ts';
import { type DemoUrls, makeDemo, setDemoUrls } from '../../infra/start/demo.ts';
import { sandboxOnly } from '../../lib/installation/environments.ts';
import { clientConfig, type Endpoints } from '../../lib/installation/local-endpoints.ts';
import { openContext } from '../../lib/cli/connect.ts';
import { localInstallation } from '../../lib/cli/installation.ts';
import { type ConflictProxy, conflictProxy } from './conflict-proxy.ts';
import { usualLockMs } from './lock-time.ts';
import { untilDrained } from './queue-watch.ts';
import { paylinkHere, sandboxAt } from '../../infra/start/paylink-here.ts';
import { type Runner, startRunner } from '../../infra/local/runner.ts';

type StackOptions = {
  /** Serves the sandbox at a separate origin and points the service to it. */
  readonly sandboxElsewhere?: boolean;
  /** Whether the sandbox acquirer captures in one step or in two; two by default. */
  readonly steps?: 'one' | 'two';
  /** Replaces environment variables of the template in the functions that have them. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Replaces the cloud assembly that the test run synthesized. */
  readonly assembly?: string;
  /** How long a transaction holds its items; conflicting requests are refused meanwhile. */
  readonly lockMs?: number;
  /** Runs the template's schedules; without it a test calls `sweep`. */
  readonly schedules?: boolean;
  /** The URLs for the demo merchant's postbacks and returning payers. */
  readonly urls?: DemoUrls;
};

export type Stack = {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Equal to `baseUrl` unless `sandboxElsewhere` is set. */
  readonly sandboxOrigin: string;
  /** Verified, subscribed, allowed regular payouts; zero balances, one shop. */
  readonly demo: Demo;
  /** The AWS-compatible services; the operator's commands use `endpointsForPeople`. */
  readonly endpoints: Endpoints;
  readonly endpointsForPeople: Endpoints;
  /** The configuration of an SDK client: `new DynamoDBClient(stack.client('DYNAMODB'))`. */
  readonly client: (
    service: 'DYNAMODB' | 'SQS' | 'KMS' | 'SECRETS_MANAGER',
  ) => ReturnType<typeof clientConfig>;
  /** Invokes a function by its name in functions/; throws its error. */
  readonly invoke: (name: string, event?: unknown) => Promise<unknown>;
  /** Runs each sweeper once, as the schedules do, and waits until the queued payments are checked. */
  readonly sweep: () => Promise<void>;
  /** The lines that functions have logged so far. */
  readonly logs: () => readonly string[];
  /** Calls of functions and commands that their permissions do not allow; must stay empty. */
  readonly refusals: () => Runner['refusals'];
  readonly stop: () => Promise<void>;
};

const sweepers = ['payment-sweep', 'payout-sweep', 'postback-sweep'];

/** Runs the synthesized template in memory on free ports, with its own demo merchant. Stop it in `afterAll`. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const logs: string[] = [];
  const lockMs = options.lockMs ?? usualLockMs;
  let proxy: ConflictProxy | undefined;
  const runner = await startRunner({
    port: 0,
    ...(options.sandboxElsewhere && { second: sandboxAt(0) }),
    assembly: () => Promise.resolve(options.assembly ?? inject('assembly')),
    variables: { ...(options.steps && { SANDBOX_SETTINGS: sandboxIn(options.steps) }), ...options.variables },
    schedules: options.schedules ?? false,
    ...paylinkHere,
    databaseFor: async (target) => {
      if (lockMs > 0) proxy = await conflictProxy({ target, lockMs });
      return proxy?.origin ?? target;
    },
    log: ({ functionName, text }) => void logs.push(`${functionName} ${text}`),
    now: () => new Date(),
  });
  const demo = await demoOn(runner, options.urls ?? {}).catch(async (error: unknown) => {
    await runner.stop();
    throw error;
  });
  return {
    baseUrl: runner.baseUrl,
    sandboxOrigin: runner.secondOrigin ?? runner.baseUrl,
    demo,
    endpoints: runner.endpoints,
    endpointsForPeople: runner.endpointsForPeople,
    client: (service) => clientConfig(runner.endpoints[`AWS_ENDPOINT_URL_${service}`]),
    invoke: (name, event = {}) => invoke(runner, name, event),
    sweep: async () => {
      for (const name of sweepers) await invoke(runner, name, {});
      await untilDrained(runner, 'payments');
    },
    logs: () => logs,
    refusals: () => runner.refusals,
    stop: async () => {
      await stop(runner);
      await proxy?.close();
    },
  };
}

/** The local record's settings of the sandbox, with other steps. */
function sandboxIn(steps: 'one' | 'two'): string {
  const { sandbox } = sandboxOnly.providers;
  return JSON.stringify({ ...sandbox, manners: { ...sandbox.manners, steps } });
}

/** Stops the stack and fails the test if a function or a command made a call that its permissions do not allow. */
async function stop(runner: Runner): Promise<void> {
  await runner.stop();
  const { refusals } = runner;
  if (refusals.length > 0) throw new Error(`Calls without permission: ${JSON.stringify(refusals)}`);
}

async function demoOn(runner: Runner, urls: DemoUrls): Promise<Demo> {
  const context = openContext(localInstallation(runner.endpointsForPeople));
  const demo = await makeDemo(context, runner.baseUrl);
  await setDemoUrls(context, demo, urls);
  context.close();
  return demo;
}

async function invoke(runner: Runner, name: string, event: unknown): Promise<unknown> {
  const outcome = await runner.invoke(name, event);
  if (outcome.ok) return outcome.payload;
  throw new Error(`${name}: ${outcome.errorType}: ${outcome.errorMessage}`);
}
