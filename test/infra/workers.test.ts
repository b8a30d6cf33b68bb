import { functions } from '../../infra/functions.ts';
import { describe, expect, it } from 'vitest';
import { environments } from '../../lib/installation/environments.ts';
import { plain } from '../../infra/local/rights/policy.ts';
import { functionNameOf } from './methods.ts';
import { allFunctions, at, functionOf, listAt, ofType, templateOf } from './template.ts';

const template = templateOf('local');
const queues = new Map(ofType(template, 'AWS::SQS::Queue').map((one) => [at(one, 'QueueName'), one]));
const alarms = ofType(template, 'AWS::CloudWatch::Alarm');
const functionCalled = (name: string) => functionOf(template, `paylink-local-fn-${name}`);

describe.each([
  ['postbacks', 'postback-deliver', environments.local.concurrency.postbacks],
  ['retries', 'postback-retry', environments.local.concurrency.retries],
  ['payouts', 'payout-dispatch', environments.local.concurrency.payouts],
])('the queue of %s', (name, worker, concurrency) => {
  const queue = queues.get(`paylink-local-${name}`)!;
  const dead = queues.get(`paylink-local-${name}-dead`)!;
  const mapping = ofType(template, 'AWS::Lambda::EventSourceMapping').find(
    (one) => plain(at(one, 'EventSourceArn')) === `${queue.id}.Arn`,
  )!;

  it('moves a message to a dead-letter queue after five failures, for two weeks', () => {
    expect(at(queue, 'RedrivePolicy', 'maxReceiveCount')).toBe(5);
    expect(plain(at(queue, 'RedrivePolicy', 'deadLetterTargetArn'))).toBe(`${dead.id}.Arn`);
    expect(at(dead, 'MessageRetentionPeriod')).toBe(14 * 24 * 3600);
  });

  it('has a visibility timeout of six times the worker’s timeout', () => {
    expect(at(queue, 'VisibilityTimeout')).toBe(6 * Number(at(functionCalled(worker), 'Timeout')));
  });

  it(`is processed by ${worker} in batches of ten with partial failures`, () => {
    expect(functionNameOf(template, plain(at(mapping, 'FunctionName')))).toBe(worker);
    expect(mapping.Properties).toMatchObject({
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
    expect(at(mapping, 'ScalingConfig', 'MaximumConcurrency')).toBe(concurrency);
    expect(at(mapping, 'Enabled')).not.toBe(false);
    expect(at(functionCalled(worker), 'ReservedConcurrentExecutions')).toBeUndefined();
  });

  it('is encrypted, and raises the alarm at the first dead-lettered message', () => {
    expect(at(queue, 'SqsManagedSseEnabled')).toBe(true);
    const alarm = alarms.find((one) => JSON.stringify(listAt(one, 'Dimensions')).includes(`"${dead.id}"`));
    expect(alarm?.Properties).toMatchObject({
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Threshold: 1,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    });
  });
});

describe('the table', () => {
  const table = ofType(template, 'AWS::DynamoDB::Table').find(
    (one) => at(one, 'TableName') === 'paylink-local',
  )!;

  it('is billed on demand, expires items by `ttl`, and has no stream', () => {
    expect(table.Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
    });
    expect(at(table, 'StreamSpecification')).toBeUndefined();
  });

  it('has three indexes: due work, the journal by time, and what the API lists', () => {
    const key = (hash: string, range: string) => [
      { AttributeName: hash, KeyType: 'HASH' },
      { AttributeName: range, KeyType: 'RANGE' },
    ];
    expect(at(table, 'KeySchema')).toEqual(key('PK', 'SK'));
    expect(at(table, 'GlobalSecondaryIndexes')).toMatchObject([
      {
        IndexName: 'WORK',
        KeySchema: key('workList', 'workDue'),
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
      {
        IndexName: 'TIMELINE',
        KeySchema: key('timeline', 'at'),
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['lines', 'kind', 'about'] },
      },
      { IndexName: 'LIST', KeySchema: key('list', 'listAt'), Projection: { ProjectionType: 'KEYS_ONLY' } },
    ]);
  });
});

describe('every function', () => {
  it.each(allFunctions)('%s runs on arm64 and Node 24 and keeps its log for a set time', (name) => {
    expect(functionCalled(name).Properties).toMatchObject({
      Architectures: ['arm64'],
      Runtime: 'nodejs24.x',
    });
    const log = ofType(template, 'AWS::Logs::LogGroup').find(
      (one) => at(one, 'LogGroupName') === `/paylink/local/${name}`,
    );
    expect(at(log, 'RetentionInDays')).toBeGreaterThan(0);
  });

  it.each(allFunctions)('%s times out before its next run, or the next sweep, starts', (name) => {
    const { trigger } = functions[name] ?? {};
    const minutes = trigger && 'everyMinutes' in trigger ? trigger.everyMinutes : 1;
    expect(at(functionCalled(name), 'Timeout')).toBeLessThan(60 * minutes);
  });
});
