import { setTimeout as delay } from 'node:timers/promises';
import type { PersonOf, Refusal } from './services/rights-guard.ts';
import { type Assembly, readAssembly } from './template/assembly.ts';
import { type HttpListeners, openListeners } from './gateway/http-listeners.ts';
import {
  type Endpoints,
  type FunctionEndpoints,
  localRegion,
} from '../../lib/installation/local-endpoints.ts';
import { type EnvironmentChanges, functionEnvironment } from './functions/function-environment.ts';
import type { FunctionLog } from './functions/function-log.ts';
import { type FunctionPools, functionPools } from './functions/function-pools.ts';
import { type FunctionDefinition, functionsOf } from './functions/functions.ts';
import { gatewayOf, type Invoke } from './gateway/gateway.ts';
import { guardedEndpoints, guardedForPeople, directEndpoints } from './functions/function-endpoints.ts';
import { serveLambda } from './functions/lambda.ts';
import { localAccount, type LocalDeployment } from './template/local-deployment.ts';
import { type Resource, resourcesOf } from './template/resources.ts';
import { openServices, type Servers, startServers } from './services/services.ts';
import { startTriggers } from './functions/triggers.ts';

export type RunnerOptions = {
  /** The API's port; 0 selects a free port. */
  readonly port: number;
  /** The address to listen on. Default: loopback. */
  readonly host?: string;
  /** The API's base URL for other machines, used in links. Requests that functions send there go to the runner itself. */
  readonly publicUrl?: string;
  /** Also serves the API at a second origin. In the functions' variables, addresses below `path` get that origin. */
  readonly second?: { readonly port: number; readonly path: string };
  /** The environment variable with the API's address, for a template that was synthesized for another address. */
  readonly addressVariable?: string;
  /** Returns the folder of the cloud assembly. Called when the base URL is known. */
  readonly assembly: (baseUrl: string) => Promise<string>;
  /** The folder for data that outlives the run. Absent: all data is lost at the end. */
  readonly dataFolder?: string;
  /** What to do when a table with data was given an index: the end of the line that tells of it. */
  readonly afterNewIndex?: string;
  /** Values that replace the template's environment variables, in the functions that have them. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Maps the database's endpoint to the one that functions use, so that a test can insert a proxy. */
  readonly databaseFor?: (endpoint: string) => Promise<string>;
  /** Enforces the template's policies: a function's calls against its role, a person's against their managed policy. */
  readonly rights?: { readonly personOf: PersonOf };
  /** Whether the template's schedules run. */
  readonly schedules: boolean;
  readonly log: FunctionLog;
  readonly now: () => Date;
};

export type Runner = {
  /** The API's base URL on this machine, without a trailing slash. */
  readonly baseUrl: string;
  readonly secondOrigin: string | undefined;
  /** The services' own endpoints, without the guard. */
  readonly endpoints: Endpoints;
  /** The services' endpoints for people's commands, behind the guard. */
  readonly endpointsForPeople: Endpoints;
  /** Calls that a function's role or a person's policy did not allow. Empty unless rights are enforced. */
  readonly refusals: readonly Refusal[];
  /** Invokes a function by name, as a schedule or another service would. */
  readonly invoke: Invoke;
  /** Resolves when the database process has exited, by itself or because the runner was stopped. */
  readonly ended: Promise<void>;
  /** Stops everything. Invocations in flight get a short time to finish. */
  readonly stop: () => Promise<void>;
};

/** How long invocations in flight may take after `stop`. */
const graceMs = 2_000;

/** Runs a synthesized template on this machine: its API, functions, tables, queues, keys, secrets and schedules. */
export async function startRunner(options: RunnerOptions): Promise<Runner> {
  const started = new AsyncDisposableStack();
  try {
    return await start(options, started);
  } catch (thrown) {
    await started.disposeAsync();
    throw thrown;
  }
}

async function start(options: RunnerOptions, started: AsyncDisposableStack): Promise<Runner> {
  const { dataFolder, schedules, now, afterNewIndex = '' } = options;
  const listeners = await openListeners(options, started);
  const servers = await startServers(dataFolder, started);
  const assembly = readAssembly(await options.assembly(listeners.baseUrl));
  const publicUrl = options.publicUrl ?? listeners.baseUrl;
  const deployment = deploymentAt(assembly, publicUrl, servers);
  const resources = resourcesOf(assembly.template, deployment);
  const tell = (text: string) =>
    options.log({ functionName: 'tables', text: `${text}${afterNewIndex}`, stream: 'runner' });
  const services = await openServices(servers, resources, { folder: dataFolder, tell }, started);
  const database = services.AWS_ENDPOINT_URL_DYNAMODB;
  const ofFunctions = {
    ...services,
    AWS_ENDPOINT_URL_DYNAMODB: (await options.databaseFor?.(database)) ?? database,
  };
  const { pools, refusals } = await startFunctions(
    options,
    { assembly, deployment, resources, endpoints: ofFunctions, listeners },
    started,
  );
  const lambda = started.adopt(await serveLambda(pools.invoke), (server) => server.stop());
  const endpoints = { ...services, AWS_ENDPOINT_URL_LAMBDA: lambda.origin };
  const people = options.rights
    ? await guardedForPeople({ template: assembly.template, ...options.rights }, endpoints, started)
    : { endpoints, refusals: [] };
  listeners.open(gatewayOf(resources, pools.invoke, now));
  const queueEndpoint = servers.queues.origin;
  const triggers = startTriggers(resources, pools.invoke, { queueEndpoint, schedules, now });
  return {
    baseUrl: listeners.baseUrl,
    secondOrigin: listeners.secondOrigin,
    endpoints,
    endpointsForPeople: people.endpoints,
    get refusals() {
      return [...refusals, ...people.refusals];
    },
    invoke: pools.invoke,
    ended: servers.database.ended,
    stop: () => stop(triggers, pools, started),
  };
}

const deploymentAt = ({ stackName }: Assembly, baseUrl: string, { queues }: Servers): LocalDeployment => ({
  stackName,
  region: localRegion,
  account: localAccount,
  baseUrl,
  queueOrigin: queues.origin,
});

type Deployed = {
  readonly assembly: Assembly;
  readonly deployment: LocalDeployment;
  readonly resources: readonly Resource[];
  readonly endpoints: FunctionEndpoints;
  readonly listeners: HttpListeners;
};

/** Starts the functions' pools, behind the guard when rights are enforced. */
async function startFunctions(
  options: RunnerOptions,
  { assembly, deployment, resources, endpoints, listeners }: Deployed,
  started: AsyncDisposableStack,
): Promise<{ readonly pools: FunctionPools; readonly refusals: readonly Refusal[] }> {
  const { rights, variables = {}, publicUrl, log } = options;
  const definitions = functionsOf(resources, assembly);
  const reached = rights
    ? await guardedEndpoints({ template: assembly.template, ...rights }, deployment, endpoints, started)
    : directEndpoints(endpoints);
  const at = { ...listeners, baseUrl: publicUrl ?? listeners.baseUrl };
  const addresses = [...reached.addresses, ...movesOf(definitions, at, options)];
  const changes = { variables, addresses };
  const environmentOf = (definition: FunctionDefinition) =>
    functionEnvironment(definition, reached.endpoints, deployment, changes);
  const leadsBack = publicUrl === undefined ? undefined : { from: publicUrl, to: listeners.baseUrl };
  const pools = functionPools(
    definitions.map((definition) => ({ ...definition, leadsBack })),
    environmentOf,
    log,
  );
  started.defer(() => pools.stop());
  return { pools, refusals: reached.refusals };
}

/** Disposes of everything in reverse order of the start, so that each part can use its dependencies until it has stopped. */
async function stop(
  triggers: { readonly stop: () => Promise<void> },
  pools: FunctionPools,
  started: AsyncDisposableStack,
): Promise<void> {
  const triggersStopped = triggers.stop();
  await Promise.race([
    Promise.all([triggersStopped, pools.idle()]),
    delay(graceMs, undefined, { ref: false }),
  ]);
  await pools.stop();
  await triggersStopped;
  await started.disposeAsync();
}

/** Address changes in the functions' variables, because the template may have been synthesized for another address. */
function movesOf(
  definitions: readonly FunctionDefinition[],
  { baseUrl, secondOrigin }: HttpListeners,
  { second, addressVariable = '' }: RunnerOptions,
): EnvironmentChanges['addresses'] {
  const synthesized =
    definitions.map(({ environment }) => environment[addressVariable]).find(Boolean) ?? baseUrl;
  const elsewhere = [synthesized, baseUrl].map(
    (origin) => [`${origin}${second?.path}`, `${secondOrigin}${second?.path}`] as const,
  );
  return [...(secondOrigin === undefined ? [] : elsewhere), [synthesized, baseUrl]];
}
