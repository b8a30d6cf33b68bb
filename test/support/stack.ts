import { inject } from 'vitest';
import type { Demo } from '../../lib/installation/data-folder.ts';
import { type DemoUrls, makeDemo, setDemoUrls } from '../../infra/start/demo.ts';
import { clientConfig, type Endpoints } from '../../lib/installation/local-endpoints.ts';
import { openContext } from '../../lib/cli/connect.ts';
import { localInstallation } from '../../lib/cli/installation.ts';
import { type ConflictProxy, conflictProxy } from './conflict-proxy.ts';
import { usualLockMs } from './lock-time.ts';
import { untilDrained } from './queue-watch.ts';
import { paylinkHere, sandboxAt } from '../../infra/start/paylink-here.ts';
import { type Runner, startRunner } from '../../infra/local/runner.ts';

type StackOptions = {
  /** Serves the sandbox at an origin of its own, and sends the service there. */
  readonly sandboxElsewhere?: boolean;
  /** How the sandbox acquirer captures; in two steps unless a test says otherwise. */
  readonly steps?: 'one' | 'two';
  /** Environment variables that take the place of the template's, in the functions that have them. */
  readonly variables?: Readonly<Record<string, string>>;
  /** A cloud assembly in place of the one that the test run made of this repository. */
  readonly assembly?: string;
  /** So long a transaction of a function holds its items; who comes meanwhile is refused. */
  readonly lockMs?: number;
  /** Runs the template's schedules by themselves; a test usually calls `sweep` when it wants one. */
  readonly schedules?: boolean;
  /** Where the demo merchant's postbacks go and its payers return to. */
  readonly urls?: DemoUrls;
};

export type Stack = {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** The same as `baseUrl` unless the sandbox lives elsewhere. */
  readonly sandboxOrigin: string;
  /** Verified, subscribed, allowed regular payouts; zero balances, one shop. */
  readonly demo: Demo;
  /** The services themselves; `endpointsForPeople` is what the operator's commands are given. */
  readonly endpoints: Endpoints;
  readonly endpointsForPeople: Endpoints;
  /** What an SDK client is made with: `new DynamoDBClient(stack.client('DYNAMODB'))`. */
  readonly client: (
    service: 'DYNAMODB' | 'SQS' | 'KMS' | 'SECRETS_MANAGER',
  ) => ReturnType<typeof clientConfig>;
  /** Calls a function by its name in functions/; throws what it threw. */
  readonly invoke: (name: string, event?: unknown) => Promise<unknown>;
  /** One round of every sweeper there is, as the schedules would run them; the payments that it queued are checked then. */
  readonly sweep: () => Promise<void>;
  /** The lines that functions have written to their console so far. */
  readonly logs: () => readonly string[];
  /** What functions and commands asked for that their rights do not allow: a test of everything they do finds this empty. */
  readonly refusals: () => Runner['refusals'];
  readonly stop: () => Promise<void>;
};

const sweepers = ['payment-sweep', 'payout-sweep', 'postback-sweep'];

/** Runs the synthesized template in memory on free ports, with a demo merchant of its own. Stop it in `afterAll`. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const logs: string[] = [];
  const lockMs = options.lockMs ?? usualLockMs;
  let proxy: ConflictProxy | undefined;
  const runner = await startRunner({
    port: 0,
    ...(options.sandboxElsewhere && { second: sandboxAt(0) }),
    assembly: () => Promise.resolve(options.assembly ?? inject('assembly')),
    variables: { ...(options.steps && { ACQUIRER_STEPS: options.steps }), ...options.variables },
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

/** A function or a command that asked for more than its rights allow fails the test that saw it, whatever was answered. */
async function stop(runner: Runner): Promise<void> {
  await runner.stop();
  const { refusals } = runner;
  if (refusals.length > 0) throw new Error(`Not in the rights: ${JSON.stringify(refusals)}`);
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
