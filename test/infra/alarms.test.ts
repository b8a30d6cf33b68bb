import { describe, expect, it } from 'vitest';
import { functions } from '../../infra/functions.ts';
import { alarms as alarmTable } from '../../lib/alarms.ts';
import { plain } from '../../infra/local/rights/policy.ts';
import { isRecord } from '../../infra/local/template/is-record.ts';
import type { TemplateResource } from '../../infra/local/template/template.ts';
import { allFunctions, at, functionOf, listAt, ofType, templateOf } from './template.ts';

const template = templateOf('local');
const alarms = ofType(template, 'AWS::CloudWatch::Alarm');
const dimension = (alarm: TemplateResource, name: string): string =>
  plain(
    listAt(alarm, 'Dimensions')
      .filter(isRecord)
      .find((one) => one['Name'] === name)?.['Value'],
  );
const about = (metric: string) => alarms.filter((one) => at(one, 'MetricName') === metric);
const ofFunction = (metric: string, name: string) => {
  const { id } = functionOf(template, `paylink-local-fn-${name}`);
  return about(metric).filter((one) => dimension(one, 'FunctionName') === id);
};
const filtersOf = (metric: string) =>
  ofType(template, 'AWS::Logs::MetricFilter').filter(({ Properties }) =>
    JSON.stringify(Properties).includes(`"MetricName":"${metric}"`),
  );
const scheduled = Object.entries(functions).flatMap(([name, { trigger }]) =>
  trigger && 'everyMinutes' in trigger ? [[name, trigger.everyMinutes] as const] : [],
);

describe('the operator’s topic', () => {
  const [policy, ...others] = ofType(template, 'AWS::SNS::TopicPolicy');
  const said = listAt(policy, 'PolicyDocument', 'Statement');

  it('accepts only messages sent over TLS', () => {
    expect(others).toEqual([]);
    expect(said).toContainEqual(
      expect.objectContaining({
        Effect: 'Deny',
        Action: 'sns:Publish',
        Principal: '*',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    );
  });

  it('still accepts the account’s alarms under its own policy', () => {
    expect(said).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Action: 'sns:Publish',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      }),
    );
  });
});

describe('every alarm', () => {
  it('reaches the operator’s topic', () => {
    const [topic, ...others] = ofType(template, 'AWS::SNS::Topic');
    expect(others).toEqual([]);
    for (const one of alarms) expect(listAt(one, 'AlarmActions').map(plain), one.id).toEqual([topic?.id]);
  });
});

describe('a line of level alarm', () => {
  it('raises the alarm of its own event, which another active alarm does not hide', () => {
    const raised = about('Alarms');
    expect(raised.map((one) => dimension(one, 'event')).toSorted()).toEqual(
      Object.keys(alarmTable).toSorted(),
    );
    for (const { Properties } of raised)
      expect(Properties).toMatchObject({ Namespace: 'Paylink/local', Threshold: 1, Period: 60 });
  });

  it('is counted, whichever function logs it', () => {
    const filters = filtersOf('Alarms');
    expect(filters).toHaveLength(allFunctions.length);
    for (const { Properties } of filters) {
      expect(Properties).toMatchObject({
        FilterPattern: '{ $.level = "alarm" }',
        MetricTransformations: [
          {
            MetricNamespace: 'Paylink/local',
            MetricName: 'Alarms',
            MetricValue: '1',
            Dimensions: [{ Key: 'event', Value: '$.event' }],
          },
        ],
      });
    }
  });
});

describe('an acquirer at which payments do not start', () => {
  it('raises an alarm of its own when a third of at least five in ten minutes fail', () => {
    const byShare = alarms.filter((one) => at(one, 'Metrics') !== undefined);
    expect(byShare.map(({ Properties }) => Properties)).toMatchObject([
      {
        Threshold: 1 / 3,
        EvaluationPeriods: 1,
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        TreatMissingData: 'notBreaching',
      },
    ]);
    const metrics = JSON.stringify(at(byShare[0], 'Metrics'));
    expect(metrics).toContain('IF(FILL(all, 0) >= 5, FILL(failed, 0) / all, 0)');
    expect(metrics).toContain('"Dimensions":[{"Name":"provider","Value":"sandbox"}]');
    expect(metrics).toContain('"Period":600');
  });

  it('is counted in the log of the function that starts payments, by provider', () => {
    const dimensions = [{ Key: 'provider', Value: '$.provider' }];
    expect(filtersOf('PaymentStarts').map(({ Properties }) => Properties)).toMatchObject([
      {
        FilterPattern: '{ ($.event = "payment_opened") || ($.event = "payment_not_opened") }',
        MetricTransformations: [{ MetricNamespace: 'Paylink/local', Dimensions: dimensions }],
      },
    ]);
    expect(filtersOf('FailedPaymentStarts').map(({ Properties }) => Properties)).toMatchObject([
      { FilterPattern: '{ $.event = "payment_not_opened" }' },
    ]);
  });

  it('has an alarm in each environment that has such a provider, and none in another', () => {
    const shares = (env: 'dev' | 'prod') =>
      ofType(templateOf(env), 'AWS::CloudWatch::Alarm').filter((one) => at(one, 'Metrics') !== undefined);
    expect([shares('dev').length, shares('prod').length]).toEqual([1, 0]);
  });
});

describe('a function that fails', () => {
  it.each(allFunctions.filter((name) => name !== 'authorizer'))('%s raises an alarm at once', (name) => {
    expect(ofFunction('Errors', name)).toMatchObject([
      { Properties: { Period: 60, Threshold: 1, TreatMissingData: 'notBreaching' } },
    ]);
  });

  it('the authorizer has no alarm of its own: its 401 is an error to Lambda, and anybody can cause one', () => {
    expect(ofFunction('Errors', 'authorizer')).toEqual([]);
  });

  it('is counted in the API’s 5xx, the authorizer’s included', () => {
    expect(about('5XXError')).toHaveLength(1);
  });
});

describe('a schedule', () => {
  it('drives the reconciliation, the audit, the three sweeps, the list of banks, the automatic payouts and the watch of the payout account', () => {
    expect(scheduled.map(([name]) => name)).toEqual([
      'provider-balance',
      'reconcile',
      'audit',
      'payment-sweep',
      'postback-sweep',
      'payout-sweep',
      'payout-banks',
      'payout-auto',
    ]);
  });

  it('has run the audit to its end within two days, or an alarm is raised', () => {
    const silence = ofType(template, 'AWS::CloudWatch::Alarm').filter(
      ({ Properties }) => Properties?.['MetricName'] === 'AuditsEnded',
    );
    expect(silence).toMatchObject([
      {
        Properties: {
          ComparisonOperator: 'LessThanThreshold',
          EvaluationPeriods: 2,
          Period: 24 * 3600,
          Threshold: 1,
          TreatMissingData: 'breaching',
        },
      },
    ]);
    const counted = ofType(template, 'AWS::Logs::MetricFilter').filter(({ Properties }) =>
      String(Properties?.['FilterPattern']).includes('audit_ended'),
    );
    expect(counted).toMatchObject([
      { Properties: { MetricTransformations: [{ MetricName: 'AuditsEnded', MetricValue: '1' }] } },
    ]);
  });

  it.each(scheduled)('raises an alarm when %s (every %i min) does not run', (name, minutes) => {
    expect(ofFunction('Invocations', name)).toMatchObject([
      {
        Properties: {
          ComparisonOperator: 'LessThanThreshold',
          Threshold: 1,
          Statistic: 'Sum',
          TreatMissingData: 'breaching',
          Period: minutes * 60,
          EvaluationPeriods: minutes < 1440 ? 5 : 2,
        },
      },
    ]);
  });
});

describe('the account', () => {
  it('raises an alarm when any function is throttled, for all share one pool', () => {
    expect(about('Throttles')).toMatchObject([{ Properties: { Threshold: 1, Period: 60 } }]);
    expect(listAt(about('Throttles')[0], 'Dimensions')).toEqual([]);
  });
});

describe('a queue', () => {
  it.each(['postbacks', 'retries', 'payouts', 'payments'])(
    'raises an alarm when its worker is an hour behind: %s',
    (name) => {
      const queues = ofType(template, 'AWS::SQS::Queue');
      const queue = queues.find((one) => at(one, 'QueueName') === `paylink-local-${name}`);
      const [alarm] = about('ApproximateAgeOfOldestMessage').filter(
        (one) => dimension(one, 'QueueName') === `${queue?.id}.QueueName`,
      );
      expect(at(alarm, 'Threshold')).toBe(3600);
    },
  );
});
