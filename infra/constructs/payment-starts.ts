import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { deployedNames } from '../../lib/installation/providers.ts';
import type { SharedResources } from './shared-resources.ts';

/** The log lines of new payments (lib/payment/start-payment.ts), each with its `provider`. */
const opened = 'payment_opened';
const notOpened = 'payment_not_opened';

const all = 'PaymentStarts';
const failed = 'FailedPaymentStarts';

/** Counts the new payments in a function's log, and those whose acquirer did not open a page, by provider. */
export function countPaymentStarts(scope: Construct, logGroup: ILogGroup, { names }: SharedResources): void {
  const count = (metricName: string, ...events: readonly string[]) =>
    new MetricFilter(scope, metricName, {
      logGroup,
      filterPattern: FilterPattern.any(
        ...events.map((event) => FilterPattern.stringValue('$.event', '=', event)),
      ),
      metricNamespace: names.metrics,
      metricName,
      dimensions: { provider: '$.provider' },
      metricValue: '1',
    });
  count(all, opened, notOpened);
  count(failed, notOpened);
}

/** One alarm for each acquirer: payments at one may start while another is down. */
export function watchPaymentStarts({ alarms, environment, names }: SharedResources): void {
  for (const provider of deployedNames(environment.providers, 'acquirer')) {
    const metric = (metricName: string) =>
      new Metric({
        namespace: names.metrics,
        metricName,
        dimensionsMap: { provider },
        statistic: 'Sum',
      });
    alarms.onShare(alarms.stack, `PaymentStarts-${provider}`, {
      all: metric(all),
      failed: metric(failed),
      share: 1 / 3,
      atLeast: 5,
      minutes: 10,
      alarmDescription: `At least a third of new payments did not start at ${provider}: payers see that it does not respond or refuses. Check its status page, then the lines ${notOpened} in the log ${names.logs('pay-submit')}.`,
    });
  }
}
