import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { OperatorAlarms } from './operator-alarms.ts';

type Props = {
  readonly queueName: string;
  readonly deadLetterQueueName: string;
  readonly alarms: OperatorAlarms;
};

/** In seconds. Longer than the longest delay (15 minutes) and than five attempts of 180 s each. */
const anHour = Duration.hours(1).toSeconds();

const encryption = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true } as const;

/**
 * A queue of ids with its dead-letter queue. The visibility timeout is six times the function's timeout of 30 s. Only
 * crashes and unreadable messages reach the dead-letter queue, so a single message there raises an alarm.
 */
export class WorkQueue extends Queue {
  constructor(scope: Construct, id: string, { queueName, deadLetterQueueName, alarms }: Props) {
    const deadLetters = new Queue(scope, `${id}Dead`, {
      queueName: deadLetterQueueName,
      retentionPeriod: Duration.days(14),
      ...encryption,
    });
    super(scope, id, {
      queueName,
      visibilityTimeout: Duration.seconds(180),
      retentionPeriod: Duration.days(4),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: 5 },
      ...encryption,
    });
    alarms.on(alarms.stack, `${id}Failed`, {
      metric: deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum' }),
      alarmDescription: `A message of ${queueName} failed five times: read ${deadLetterQueueName}.`,
    });
    alarms.on(alarms.stack, `${id}Late`, {
      metric: this.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum' }),
      alarmDescription: `The worker of ${queueName} is an hour behind, or does not run.`,
      threshold: anHour,
    });
  }
}
