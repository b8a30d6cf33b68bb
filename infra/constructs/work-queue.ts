import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { OperatorAlarms } from './operator-alarms.ts';

type Props = {
  readonly queueName: string;
  readonly deadLetterQueueName: string;
  readonly alarms: OperatorAlarms;
};

/** Longer than any delay (15 minutes) and than five attempts of 180 s each. */
const anHour = Duration.hours(1).toSeconds();

const sealed = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true } as const;

/**
 * A queue of ids with its dead-letter queue. A message stays hidden for six times the
 * function's 30 s. Only crashes and unreadable messages end in the dead-letter queue, so one of them is an alarm.
 */
export class WorkQueue extends Queue {
  constructor(scope: Construct, id: string, { queueName, deadLetterQueueName, alarms }: Props) {
    const dead = new Queue(scope, `${id}Dead`, {
      queueName: deadLetterQueueName,
      retentionPeriod: Duration.days(14),
      ...sealed,
    });
    super(scope, id, {
      queueName,
      visibilityTimeout: Duration.seconds(180),
      retentionPeriod: Duration.days(4),
      deadLetterQueue: { queue: dead, maxReceiveCount: 5 },
      ...sealed,
    });
    alarms.on(alarms.stack, `${id}Failed`, {
      metric: dead.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum' }),
      alarmDescription: `A message of ${queueName} failed five times: read ${deadLetterQueueName}.`,
    });
    alarms.on(alarms.stack, `${id}Late`, {
      metric: this.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum' }),
      alarmDescription: `The worker of ${queueName} is an hour behind, or does not run.`,
      threshold: anHour,
    });
  }
}
