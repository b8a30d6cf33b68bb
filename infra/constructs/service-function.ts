import { Duration } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  RecursiveLoop,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { join } from 'node:path';
import type { FunctionSpec } from '../functions.ts';
import type { SharedResources } from './shared-resources.ts';
import { statementsFor } from './rights.ts';
import { variablesFor } from './variables.ts';

type Props = {
  readonly name: string;
  readonly spec: FunctionSpec;
  readonly shared: SharedResources;
  /** Its own, which outlives it. */
  readonly logs: ILogGroup;
};

/** One Lambda from one file in functions/, with a role of its own that holds only its rights. */
export class ServiceFunction extends LambdaFunction {
  /** In the console and in ARNs. */
  readonly deployedName: string;

  constructor(scope: Construct, id: string, { name, spec, shared, logs }: Props) {
    const deployedName = shared.names.function(name);
    super(scope, id, {
      functionName: deployedName,
      code: Code.fromAsset(join(shared.bundles, name)),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      timeout: Duration.seconds(spec.timeoutSeconds),
      memorySize: spec.memoryMb,
      environment: variablesFor(spec, shared),
      logGroup: logs,
      role: ownRole(scope, `${id}Role`, logs),
      ...(isAuthorizer(name) && reserved(shared)),
      ...(sendsToItself(spec) && { recursiveLoop: RecursiveLoop.ALLOW }),
    });
    this.deployedName = deployedName;
    for (const statement of statementsFor(spec.rights, shared)) this.addToRolePolicy(statement);
    countAlarms(this, logs, shared);
    // Its 401 is an error to Lambda, so whoever sends wrong tokens would keep the alarm red. When it truly fails the
    // gateway answers 500, which has an alarm of its own.
    if (isAuthorizer(name)) return;
    shared.alarms.on(this, 'Failed', {
      metric: this.metricErrors({ statistic: 'Sum' }),
      alarmDescription: `${name} failed: read the log group ${shared.names.logs(name)}.`,
    });
  }
}

const isAuthorizer = (name: string): boolean => name === 'authorizer';

const reserved = ({ authorizerConcurrency }: SharedResources) =>
  authorizerConcurrency === undefined ? {} : { reservedConcurrentExecutions: authorizerConcurrency };

/**
 * Lambda takes a worker that sends to its own queue for a runaway loop and drops its messages after 16 rounds. Here the
 * table counts the rounds, and each waits longer than the one before.
 */
const sendsToItself = ({ trigger, rights: { sends } }: FunctionSpec): boolean =>
  trigger !== undefined && 'queue' in trigger && (sends?.includes(trigger.queue) ?? false);

/** Counts the lines of the log that ask for a person. */
function countAlarms(scope: Construct, logGroup: ILogGroup, { alarms: { raised } }: SharedResources): void {
  new MetricFilter(scope, 'Alarms', {
    logGroup,
    filterPattern: FilterPattern.stringValue('$.level', '=', 'alarm'),
    metricNamespace: raised.namespace,
    metricName: raised.metricName,
    dimensions: { [raised.dimension]: '$.event' },
    metricValue: '1',
  });
}

/** Writing its log is all that every function may do; the managed policy would let it write any log. */
function ownRole(scope: Construct, id: string, logs: ILogGroup): Role {
  const role = new Role(scope, id, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  role.addToPolicy(
    new PolicyStatement({
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logs.logGroupArn],
    }),
  );
  return role;
}
