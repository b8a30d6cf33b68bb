import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { SharedResources } from './shared-resources.ts';

const metricName = 'AuditsEnded';

/** Counts the audits that ended, by the log line (lib/operator/audit/run.ts), and raises an alarm when none has for two days. */
export function watchAuditEnds(
  scope: Construct,
  logGroup: ILogGroup,
  { alarms, names }: SharedResources,
): void {
  new MetricFilter(scope, metricName, {
    logGroup,
    filterPattern: FilterPattern.stringValue('$.event', '=', 'audit_ended'),
    metricNamespace: names.metrics,
    metricName,
    metricValue: '1',
  });
  alarms.onSilence(scope, 'Unended', {
    metric: new Metric({
      namespace: names.metrics,
      metricName,
      statistic: 'Sum',
      period: Duration.days(1),
    }),
    periods: 2,
    alarmDescription: `No audit has ended for two days, so that a difference would not be found: \`audit --last\` says how far it is, the log ${names.logs('audit')} why its parts fail.`,
  });
}
