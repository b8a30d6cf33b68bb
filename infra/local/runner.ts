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
  /** Where the API is served; 0 takes any free port. */
  readonly port: number;
  /** The address to listen at; loopback alone unless told otherwise. */
  readonly host?: string | undefined;
  /** How others reach the API: links begin with it. What functions send there comes to the runner itself. */
  readonly publicUrl?: string | undefined;
  /** Serves the same API at a second origin too. What functions are told of addresses below this path leads there. */
  readonly second?: { readonly port: number; readonly path: string } | undefined;
  /** The variable in which the template tells functions the API's address, if it was synthesized for another than this. */
  readonly addressVariable?: string | undefined;
  /** Gives the folder of the cloud assembly; asked once the address is known. */
  readonly assembly: (baseUrl: string) => Promise<string>;
  /** Where data stays between runs; without it everything is forgotten at the end. */
  readonly dataFolder?: string | undefined;
  /** Environment variables that take the place of the template's, in the functions that have them. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Where the functions reach the database at this address; a test puts something between. */
  readonly databaseFor?: ((endpoint: string) => Promise<string>) | undefined;
  /** Enforces rights: each function may do only what its own role in the template allows, a person what their policy does. */
  readonly rights?: { readonly personOf: PersonOf } | undefined;
  /** Whether the template's schedules run by themselves. */
  readonly schedules: boolean;
  readonly log: FunctionLog;
  readonly now: () => Date;
};

export type Runner = {
  /** As this machine reaches it, without a slash at its end. */
  readonly baseUrl: string;
  /** The second origin, when there is one. */
  readonly secondOrigin?: string | undefined;
  /** The services themselves, with nothing between. */
  readonly endpoints: Endpoints;
  /** Where people's commands reach them: what the person's policy does not allow is refused. */
  readonly endpointsForPeople: Endpoints;
  /** Calls that a function's role or a person's policy did not allow; always empty unless rights are enforced. */
  readonly refusals: readonly Refusal[];
  /** Calls a function by its name, as a schedule or another service would. */
  readonly invoke: Invoke;
  /** Settles when the database has ended, by itself or because the runner was stopped. */
  readonly ended: Promise<void>;
  /** Lets what is under way finish for a moment, then leaves nothing running. */
  readonly stop: () => Promise<void>;
};

/** How long functions may go on after the runner was asked to stop. */
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
  const { dataFolder, schedules, now } = options;
  const listeners = await openListeners(options, started);
  const servers = await startServers(dataFolder, started);
  const assembly = readAssembly(await options.assembly(listeners.baseUrl));
  const publicUrl = options.publicUrl ?? listeners.baseUrl;
  const deployment = deploymentAt(assembly, publicUrl, servers);
  const resources = resourcesOf(assembly.template, deployment);
  const services = await openServices(servers, resources, dataFolder, started);
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

/** The functions, with the services as their roles allow when rights are enforced. */
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

/** The last step runs in the order opposite to the start, so that each thing still finds what it uses. */
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

/** A template may have been synthesized for another address than this one. */
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
