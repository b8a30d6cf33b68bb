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
import { watchAuditEnds } from './audit-ends.ts';
import { countPaymentStarts } from './payment-starts.ts';
import { statementsFor } from './rights.ts';
import { variablesFor } from './variables.ts';

type Props = {
  readonly name: string;
  readonly spec: FunctionSpec;
  readonly shared: SharedResources;
  /** The function's log group, which is in the root stack. */
  readonly logs: ILogGroup;
};

/** A Lambda function from one file in functions/, with its own role, which grants only its rights. */
export class ServiceFunction extends LambdaFunction {
  /** The physical name, as in the console and in ARNs. */
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
    if (spec.countsPaymentStarts) countPaymentStarts(this, logs, shared);
    if (spec.endsAudits) watchAuditEnds(this, logs, shared);
    // Lambda counts the authorizer's 401 as an error, so anyone could keep the alarm in ALARM with wrong tokens. When the
    // authorizer really fails, the gateway answers 500, which has its own alarm.
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
 * Whether a worker sends to its own queue. Lambda would detect a recursive loop and drop its messages after 16 rounds. Here
 * the table counts the rounds, with growing delays.
 */
const sendsToItself = ({ trigger, rights: { sends } }: FunctionSpec): boolean =>
  trigger !== undefined && 'queue' in trigger && (sends?.includes(trigger.queue) ?? false);

/** Counts the log lines that need a person's attention. */
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

/** A role that may only write the function's own log. The AWS managed policy would allow every log. */
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
