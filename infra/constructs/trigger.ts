import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as Target } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { FunctionSpec, QueueName } from '../functions.ts';
import type { House } from './house.ts';

/** Connects a function to the queue or the clock that its entry names. */
export function connectTrigger(target: LambdaFunction, { trigger }: FunctionSpec, house: House): void {
  if (!trigger) return;
  if ('queue' in trigger) consume(target, trigger.queue, house);
  else repeat(target, trigger.everyMinutes);
}

/** Not reserved concurrency: that throttles the pollers and pushes good messages to the dead-letter queue. */
function consume(target: LambdaFunction, name: QueueName, { queues, environment }: House): void {
  target.addEventSource(
    new SqsEventSource(queues[name], {
      batchSize: 10,
      reportBatchItemFailures: true,
      maxConcurrency: environment.concurrency[name],
    }),
  );
}

/** A sweep that fails is not repeated: the next one is near. */
function repeat(target: LambdaFunction, minutes: number): void {
  new Rule(target, 'Schedule', {
    schedule: Schedule.rate(Duration.minutes(minutes)),
    targets: [new Target(target, { retryAttempts: 0 })],
  });
}
