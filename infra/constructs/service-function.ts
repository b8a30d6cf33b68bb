import { Duration } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  RecursiveLoop,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { join } from 'node:path';
import type { FunctionSpec } from '../functions.ts';
import type { SharedResources } from './shared-resources.ts';
import { removalOf } from './removal.ts';
import { statementsFor } from './rights.ts';
import { variablesFor } from './variables.ts';

type Props = { readonly name: string; readonly spec: FunctionSpec; readonly shared: SharedResources };

/** One Lambda from one file in functions/, with a log and a role of its own that holds only its rights. */
export class ServiceFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, { name, spec, shared }: Props) {
    const logs = logGroup(scope, `${id}Logs`, name, shared);
    super(scope, id, {
      functionName: shared.names.function(name),
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
    for (const statement of statementsFor(spec.rights, shared)) this.addToRolePolicy(statement);
    // Its 401 is an error to Lambda, so whoever sends wrong tokens would keep the alarm red. When it truly fails the
    // gateway answers 500, which has an alarm of its own.
    if (isAuthorizer(name)) return;
    const errors = this.metricErrors({ statistic: 'Sum' });
    shared.alarms.on(`${id}Errors`, errors, `${name} failed: read the log group ${shared.names.logs(name)}.`);
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

/** The log, and the count of its lines that ask for a person. */
function logGroup(scope: Construct, id: string, name: string, shared: SharedResources): LogGroup {
  const { names, environment, alarms } = shared;
  const logs = new LogGroup(scope, id, {
    logGroupName: names.logs(name),
    retention: environment.logRetentionDays,
    removalPolicy: removalOf(environment),
  });
  logs.addMetricFilter('Alarms', {
    filterPattern: FilterPattern.stringValue('$.level', '=', 'alarm'),
    metricNamespace: alarms.raised.namespace,
    metricName: alarms.raised.metricName,
    dimensions: { [alarms.raised.dimension]: '$.event' },
    metricValue: '1',
  });
  return logs;
}

/** Writing its log is all that every function may do; the managed policy would let it write any log. */
function ownRole(scope: Construct, id: string, logs: LogGroup): Role {
  const role = new Role(scope, id, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  role.addToPolicy(
    new PolicyStatement({
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logs.logGroupArn],
    }),
  );
  return role;
}
