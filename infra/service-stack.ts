import { Aws, CfnOutput, NestedStack, Stack, type StackProps } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { addDomain, addFirewall } from './constructs/domain-and-firewall.ts';
import { Gateway, restApi, stageName } from './constructs/gateway.ts';
import type { SharedResources } from './constructs/shared-resources.ts';
import { OperatorAlarms } from './constructs/operator-alarms.ts';
import { watchPaymentStarts } from './constructs/payment-starts.ts';
import { ServiceFunction } from './constructs/service-function.ts';
import { addPeoplePolicies } from './constructs/people.ts';
import { SealBucket } from './constructs/seal-bucket.ts';
import { SandboxTable, ServiceTable } from './constructs/service-table.ts';
import { connectTrigger } from './constructs/trigger.ts';
import { KeysAndSecrets } from './constructs/keys-and-secrets.ts';
import { removalOf } from './constructs/removal.ts';
import { WorkQueue } from './constructs/work-queue.ts';
import { type Environment, hasSandbox } from '../lib/installation/environments.ts';
import { functions, rooms, routesOf } from './functions.ts';
import { namesOf } from '../lib/installation/names.ts';

type ServiceProps = StackProps & {
  readonly environment: Environment;
  /** The functions to deploy: one bundle each in `bundles`. */
  readonly names: readonly string[];
  readonly bundles: string;
  /** Replaces the URL of the domain or the API. */
  readonly publicUrl?: string;
  /** Replaces the sandbox's URL on the API. */
  readonly sandboxUrl?: string;
  /** Reserved concurrency of the authorizer. */
  readonly authorizerConcurrency?: number;
};

/**
 * All resources of an environment. The root stack has everything with data or an address: tables, keys, secrets, queues,
 * logs, the topic, the API with its paths and methods. Each room's functions are in a nested stack, with their roles,
 * triggers, permissions and alarms; the other alarms are in one more nested stack. CloudFormation cannot move a resource
 * between stacks.
 */
export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, { environment, names, bundles, ...props }: ServiceProps) {
    super(scope, id, props);
    const api = restApi(this, environment);
    const { authorizerConcurrency } = props;
    const shared = this.#sharedResources(environment, bundles, {
      ...urls(api, environment, props),
      authorizerConcurrency,
    });
    const deployed = names.filter((name) => name !== 'sandbox' || hasSandbox(environment));
    const built = this.#functions(deployed, shared);

    const routes = routesOf(deployed, environment);
    new Gateway(this, 'Gateway', { api, routes, functions: built });
    addPeoplePolicies(this, shared, built);
    addDomain(this, api, environment);
    addFirewall(this, api, environment);

    watch(api, shared);
    watchPaymentStarts(shared);
    new CfnOutput(this, 'PublicUrl', { value: shared.publicUrl });
  }

  #sharedResources(
    environment: Environment,
    bundles: string,
    given: Pick<SharedResources, 'publicUrl' | 'sandboxUrl' | 'authorizerConcurrency'>,
  ): SharedResources {
    const { keepsData, alarmAddress } = environment;
    const names = namesOf(environment.name);
    const alarms = new OperatorAlarms(this, 'Alarms', {
      topicName: names.alarms,
      namespace: names.metrics,
      address: alarmAddress,
    });
    const queue = (id: string, name: string) =>
      new WorkQueue(this, id, {
        queueName: names.queue(name),
        deadLetterQueueName: names.deadLetterQueue(name),
        alarms,
      });
    return {
      environment,
      names,
      bundles,
      alarms,
      ...given,
      // The construct id is part of the logical ids: changing it would replace the keys.
      ...new KeysAndSecrets(this, 'Vault', { names, environment }).contents,
      table: new ServiceTable(this, 'Table', { tableName: names.table, keepsData }),
      sandboxTable: hasSandbox(environment)
        ? new SandboxTable(this, 'SandboxTable', { tableName: names.sandboxTable })
        : undefined,
      sealBucket: environment.sealBucket && new SealBucket(this, 'SealBucket', environment.sealBucket),
      queues: {
        postbacks: queue('Postbacks', 'postbacks'),
        retries: queue('Retries', 'retries'),
        payouts: queue('Payouts', 'payouts'),
        payments: queue('Payments', 'payments'),
      },
    };
  }

  #functions(names: readonly string[], shared: SharedResources): ReadonlyMap<string, ServiceFunction> {
    const unassigned = names.filter((name) => !Object.values(rooms).flat().includes(name));
    if (unassigned.length > 0)
      throw new Error(`No room in infra/functions.ts lists ${unassigned.join(', ')}.`);
    const built = Object.entries(rooms).flatMap(([room, members]) => {
      const deployed = members.filter((name) => names.includes(name));
      if (deployed.length === 0) return [];
      const stack = new NestedStack(this, `${capitalized(room)}Functions`, {
        description: `Functions about ${room}`,
      });
      return deployed.map((name) => [name, this.#function(name, stack, shared)] as const);
    });
    return new Map(built);
  }

  #function(name: string, stack: NestedStack, shared: SharedResources): ServiceFunction {
    const spec = functions[name];
    if (!spec) throw new Error(`functions/${name}.ts has no entry in infra/functions.ts.`);
    const { environment, names } = shared;
    const logs = new LogGroup(this, `${name}Logs`, {
      logGroupName: names.logs(name),
      retention: environment.logRetentionDays,
      removalPolicy: removalOf(environment),
    });
    const built = new ServiceFunction(stack, name, { name, spec, shared, logs });
    connectTrigger(built, spec, shared);
    return built;
  }
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/**
 * Adds the alarms that belong to no single function. Throttling is one alarm for all functions: all but the authorizer
 * share the account's unreserved concurrency, so any of them can be throttled when one is.
 */
function watch(api: RestApi, { alarms }: SharedResources): void {
  alarms.on(alarms.stack, 'ApiErrors', {
    metric: api.metricServerError({ statistic: 'Sum' }),
    alarmDescription: 'The API answered 5xx: read the functions’ logs.',
  });
  alarms.on(alarms.stack, 'Throttles', {
    metric: LambdaFunction.metricAllThrottles({ statistic: 'Sum' }),
    alarmDescription: 'Lambda throttled invocations: request a higher concurrency quota from AWS.',
  });
}

/** Builds the API's URL from its id and a literal stage name: `api.url` would depend on the functions that receive it. */
function urls(api: RestApi, { domain }: Environment, given: Pick<ServiceProps, 'publicUrl' | 'sandboxUrl'>) {
  const invoke = `https://${api.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${stageName}`;
  const publicUrl = given.publicUrl ?? (domain ? `https://${domain.name}` : invoke);
  return { publicUrl, sandboxUrl: given.sandboxUrl ?? `${publicUrl}/sandbox` };
}
