import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as Target } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { FunctionSpec, QueueTrigger } from '../functions.ts';
import type { SharedResources } from './shared-resources.ts';

/** Connects a function to the queue or the clock that its entry names. */
export function connectTrigger(
  target: LambdaFunction,
  { trigger }: FunctionSpec,
  shared: SharedResources,
): void {
  if (!trigger || 'by' in trigger) return;
  if ('queue' in trigger) consume(target, trigger, shared);
  else repeat(target, trigger.everyMinutes, shared);
}

/** Not reserved concurrency: that throttles the pollers and pushes good messages to the dead-letter queue. */
function consume(
  target: LambdaFunction,
  { queue, together }: QueueTrigger,
  { queues, environment }: SharedResources,
): void {
  target.addEventSource(
    new SqsEventSource(queues[queue], {
      batchSize: together,
      reportBatchItemFailures: true,
      maxConcurrency: environment.concurrency[queue],
    }),
  );
}

/**
 * A run that fails is not repeated, and one that waited until the next is due is dropped. EventBridge only hands over
 * to Lambda's own queue, so both have to be told. That no run comes at all shows nowhere else, hence the alarm.
 */
function repeat(target: LambdaFunction, minutes: number, { alarms }: SharedResources): void {
  const every = Duration.minutes(minutes);
  target.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: every });
  new Rule(target, 'Schedule', {
    schedule: Schedule.rate(every),
    targets: [new Target(target, { retryAttempts: 0 })],
  });
  const { id } = target.node;
  alarms.onSilence(target, 'Silent', {
    metric: target.metricInvocations({ statistic: 'Sum', period: every }),
    periods: 5,
    alarmDescription: `${id} does not run: look at its schedule and at Lambda's throttles.`,
  });
}
