import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as Target } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { FunctionSpec, QueueTrigger } from '../functions.ts';
import type { SharedResources } from './shared-resources.ts';

/** Connects a function to the queue or the schedule that its entry names. */
export function connectTrigger(
  target: LambdaFunction,
  { trigger }: FunctionSpec,
  shared: SharedResources,
): void {
  if (!trigger || 'by' in trigger) return;
  if ('queue' in trigger) consume(target, trigger, shared);
  else repeat(target, trigger.everyMinutes, shared);
}

/** Uses `maxConcurrency` and not reserved concurrency, which throttles the pollers and so drives good messages to the dead-letter queue. */
function consume(
  target: LambdaFunction,
  { queue, batchSize }: QueueTrigger,
  { queues, environment }: SharedResources,
): void {
  target.addEventSource(
    new SqsEventSource(queues[queue], {
      batchSize,
      reportBatchItemFailures: true,
      maxConcurrency: environment.concurrency[queue],
    }),
  );
}

/** Lambda stores an event for six hours at most. */
const longestEventAgeMinutes = 6 * 60;
const dayMinutes = 24 * 60;

/**
 * A failed run is not retried, and a run that is still waiting when the next is due is dropped. EventBridge only delivers
 * to Lambda's internal queue, so both services are configured. A schedule that does not run shows nowhere else, hence the alarm.
 */
function repeat(target: LambdaFunction, minutes: number, { alarms }: SharedResources): void {
  const every = Duration.minutes(minutes);
  const maxEventAge = Duration.minutes(Math.min(minutes, longestEventAgeMinutes));
  target.configureAsyncInvoke({ retryAttempts: 0, maxEventAge });
  new Rule(target, 'Schedule', {
    schedule: Schedule.rate(every),
    targets: [new Target(target, { retryAttempts: 0 })],
  });
  const { id } = target.node;
  alarms.onSilence(target, 'Silent', {
    metric: target.metricInvocations({ statistic: 'Sum', period: every }),
    periods: minutes < dayMinutes ? 5 : 2,
    alarmDescription: `${id} does not run: check its schedule and Lambda's throttles.`,
  });
}
