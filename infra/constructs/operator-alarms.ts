import { Aws, Duration, NestedStack } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { alarms } from '../../lib/alarms.ts';

type Props = {
  readonly topicName: string;
  readonly namespace: string;
  readonly address?: string | undefined;
};

/** A policy of its own takes the place of the one under which the account's alarms may publish. */
const alarmsMayPublish = ({ topicArn }: Topic): PolicyStatement =>
  new PolicyStatement({
    principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
    actions: ['sns:Publish'],
    resources: [topicArn],
    conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
  });

/** When to alarm: as soon as the metric reaches the threshold (1 unless told otherwise). No data is good news. */
type Rise = { readonly metric: Metric; readonly alarmDescription: string; readonly threshold?: number };

type Silence = { readonly metric: Metric; readonly periods: number; readonly alarmDescription: string };

/**
 * The operator's topic, and the alarms that write to it. An alarm lies in the stack of what it watches: that of a function
 * in the function's, those of what lies in the root stack in `stack`.
 */
export class OperatorAlarms extends Construct {
  /** Counts the lines that functions log for a person to look, `"level":"alarm"`, by their event. */
  readonly raised: { readonly namespace: string; readonly metricName: string; readonly dimension: string };
  /** The nested stack of the alarms that are no function's. */
  readonly stack: NestedStack;
  readonly #topic: Topic;

  constructor(scope: Construct, id: string, { topicName, namespace, address }: Props) {
    super(scope, id);
    this.raised = { namespace, metricName: 'Alarms', dimension: 'event' };
    this.stack = new NestedStack(this, 'Stack', { description: `Alarms that are no function's` });
    this.#topic = new Topic(this, 'Topic', { topicName, enforceSSL: true });
    this.#topic.addToResourcePolicy(alarmsMayPublish(this.#topic));
    if (address) this.#topic.addSubscription(new EmailSubscription(address));
    for (const [name, { means, remedy }] of Object.entries(alarms))
      this.#onRaised(name, `${means}: ${remedy}.`);
  }

  on(scope: Construct, id: string, { metric, alarmDescription, threshold = 1 }: Rise): void {
    this.#addAlarm(scope, id, {
      metric: metric.with({ period: Duration.minutes(1) }),
      alarmDescription,
      threshold,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }

  /**
   * Alarms when the metric counts nothing for so many of its periods in a row. Here no data is the bad news, so it is
   * red between the first deployment and the first count.
   */
  onSilence(scope: Construct, id: string, { metric, periods, alarmDescription }: Silence): void {
    this.#addAlarm(scope, id, {
      metric,
      alarmDescription,
      threshold: 1,
      evaluationPeriods: periods,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.BREACHING,
    });
  }

  /** One for each event: an alarm that is red already tells nobody of the next. */
  #onRaised(event: string, alarmDescription: string): void {
    const { namespace, metricName, dimension } = this.raised;
    const dimensionsMap = { [dimension]: event };
    const metric = new Metric({ namespace, metricName, dimensionsMap, statistic: 'Sum' });
    this.on(this.stack, event, { metric, alarmDescription });
  }

  #addAlarm(scope: Construct, id: string, props: AlarmProps): void {
    new Alarm(scope, id, props).addAlarmAction(new SnsAction(this.#topic));
  }
}
