import { Aws, Duration, NestedStack } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  MathExpression,
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
  readonly address: string | undefined;
};

/** Allows the account's alarms to publish. A topic policy replaces the default one, which allows it. */
const alarmsMayPublish = ({ topicArn }: Topic): PolicyStatement =>
  new PolicyStatement({
    principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
    actions: ['sns:Publish'],
    resources: [topicArn],
    conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
  });

/** Alarms as soon as the metric reaches the threshold (default 1). Missing data is not breaching. */
type Rise = { readonly metric: Metric; readonly alarmDescription: string; readonly threshold?: number };

/** Alarms when at least this share of all, of which there were at least `atLeast`, failed within the period. */
type Share = {
  readonly failed: Metric;
  readonly all: Metric;
  readonly share: number;
  readonly atLeast: number;
  readonly minutes: number;
  readonly alarmDescription: string;
};

type Silence = { readonly metric: Metric; readonly periods: number; readonly alarmDescription: string };

/**
 * The operator's topic and the alarms that publish to it. A function's alarms are in the function's stack; alarms on
 * resources of the root stack are in `stack`.
 */
export class OperatorAlarms extends Construct {
  /** The metric that counts the functions' log lines with `"level":"alarm"`, by event. */
  readonly raised: { readonly namespace: string; readonly metricName: string; readonly dimension: string };
  /** The nested stack of the alarms that belong to no function. */
  readonly stack: NestedStack;
  readonly #topic: Topic;

  constructor(scope: Construct, id: string, { topicName, namespace, address }: Props) {
    super(scope, id);
    this.raised = { namespace, metricName: 'Alarms', dimension: 'event' };
    this.stack = new NestedStack(this, 'Stack', { description: 'Alarms that belong to no function' });
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
   * Alarms when the metric counts nothing for `periods` consecutive periods. Missing data is breaching, so the alarm is in
   * ALARM between the first deployment and the first count.
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

  onShare(
    scope: Construct,
    id: string,
    { failed, all, share, atLeast, minutes, alarmDescription }: Share,
  ): void {
    const metric = new MathExpression({
      expression: `IF(FILL(all, 0) >= ${atLeast}, FILL(failed, 0) / all, 0)`,
      usingMetrics: { failed, all },
      period: Duration.minutes(minutes),
    });
    this.#addAlarm(scope, id, {
      metric,
      alarmDescription,
      threshold: share,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }

  /** One alarm per event: an alarm that is already in ALARM does not notify again. */
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
